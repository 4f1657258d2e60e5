import { execFile, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { cliOf, runCli } from './run-cli.ts'

const KILN = '# Firing\n\nThe kiln in workshop three fires at 1240 degrees.\n'

test('threads are listed, shown, exported and deleted, and the usage tells of them', async () => {
  const { run, json, folder } = await cliOf(await startTestApp(), { 'kiln.md': KILN })
  const { agent_id: agent, chat_id } = await json('ask', 'Which kiln fires in workshop three?', 'kiln.md')
  expect((await json('threads', 'list', agent)).threads).toMatchObject([{ id: chat_id }])
  expect((await run(['threads', 'list', agent])).out).toMatch(
    new RegExp(`^${chat_id} {2}\\d{4}-\\d\\d-\\d\\d {2}Which`),
  )
  expect((await run(['threads', 'show', agent, chat_id])).out).toMatch(/^› Which kiln[\s\S]*1240/)
  expect((await json('threads', 'show', agent, chat_id)).messages).toHaveLength(1)
  expect((await run(['threads', 'export', agent, chat_id])).out).toContain('1240')
  expect(await run(['threads', 'export', agent, chat_id, 'thread.pdf'])).toMatchObject({ code: 0 })
  expect((await readFile(join(folder, 'thread.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
  expect(JSON.stringify(await json('threads', 'export', agent, chat_id))).toContain('1240')

  const { usage, total } = await json('usage', '--by', 'agent')
  expect([usage, total]).toMatchObject([[{ agent_id: agent, messages: 1 }], { messages: 1 }])
  expect((await run(['usage'])).out).toMatch(/^messages .*day\n1 .*\d{4}-\d\d-\d\d\n1 .*total\n$/)
  expect((await run(['usage', '--csv', '--by', 'model'])).out).toMatch(/^[a-z_,]*messages[a-z_,]*\r?\n/)

  expect(await json('threads', 'delete', agent, chat_id)).toEqual({ deleted: [chat_id] })
  expect(await run(['threads', 'show', agent, chat_id])).toMatchObject({ code: 4, out: '' })
})

test('a list that ends before all of it says so', async () => {
  const { run, json, client } = await cliOf(await startTestApp(), {})
  const agent = await client.agents.create({ name: 'Potter' })
  for (const title of ['One', 'Two', 'Three']) await client.chats.create(agent.id, { title })
  for (const name of ['ada', 'ben']) await json('users', 'create', `${name}@example.com`)
  const threads = await run(['threads', 'list', 'Potter', '-n', '2'])
  expect(threads.out.trim().split('\n')).toHaveLength(2)
  expect(threads.err).toBe('2 of 3: --limit says how many are listed\n')
  expect(await json('threads', 'list', 'Potter', '-n', '2')).toMatchObject({ threads: [{}, {}], total: 3 })
  expect((await run(['threads', 'list', 'Potter', '-n', '3'])).err).toBe('')
  expect((await run(['users', 'list', '-n', '1'])).err).toContain('1 of 2')
  expect(await json('users', 'list', '-n', '1')).toMatchObject({ users: [{}], total: 2 })
  expect(await json('members', 'list')).toMatchObject({ total: 0 })
})

test('people and keys are listed and made; a key works as it was narrowed, until it is revoked', async () => {
  const app = await startTestApp()
  const { run, json, client, folder } = await cliOf(app, { 'kiln.md': KILN })
  const { id } = await json('users', 'create', 'ada@example.com', '--name', 'Ada')
  expect((await run(['users', 'list'])).out).toMatch(new RegExp(`^${id} .*ada@example.com {2}Ada\n$`))
  expect(await json('users', 'delete', id)).toEqual({ deleted: [id] })
  expect(await json('users', 'list')).toEqual({ users: [], total: 0 })
  await json('users', 'create', 'ada@example.com')
  expect(await run(['users', 'delete', 'Ada@example.com'])).toMatchObject({ code: 0, out: 'Ada@example.com\n' })
  expect(await json('users', 'list')).toEqual({ users: [], total: 0 })
  expect(await run(['members', 'list'])).toMatchObject({ code: 0 })

  await json('put', 'kiln.md', '/Kilns')
  await json('mkdir', '/Secret')
  const agent = await client.agents.create({ name: 'Potter' })
  const made = await json(
    'keys',
    'create',
    'Reader',
    '--folder',
    '/Kilns',
    '--agent',
    'Potter',
    '--expires',
    '2100-01-01',
  )
  expect(made).toMatchObject({
    role: 'member',
    scopes: { agent_ids: [agent.id] },
    expires_at: '2100-01-01T00:00:00.000Z',
  })
  const narrowed = (args: string[]) => runCli([...args, '--key', made.key], { folder, env: { DOCENT_URL: app.url } })
  expect((await narrowed(['ls'])).out).not.toContain('Secret')
  const { out, err } = await run(['keys', 'create', 'Second'])
  expect(out).toMatch(/^\S{20,}\n$/)
  expect(err).toContain('only time')
  const listed = (await run(['keys', 'list'])).out
  expect(listed).toContain('Reader')
  expect(listed).not.toContain(made.key)
  expect(await run(['keys', 'revoke', 'Reader', 'None'])).toMatchObject({ code: 4 })
  expect(await narrowed(['whoami'])).toMatchObject({ code: 0 })
  expect(await json('keys', 'revoke', 'Reader')).toEqual({ revoked: [made.id] })
})

test('what makes no sense is reported, with an exit code that says which kind', async () => {
  const { run, folder } = await cliOf(await startTestApp(), {})
  await writeFile(join(folder, 'there.md'), 'mine')
  const id = 'f'.repeat(24)
  await everyRow(
    [
      ['threads of nobody', ['threads', 'list', 'None'], 4, 'no agent None'],
      ['a file that is there', ['threads', 'export', id, id, 'there.md'], 1, '--force'],
      ['an unknown format', ['threads', 'export', id, id, '--format', 'docx'], 2, 'md, pdf, json'],
      ['a user without an e-mail', ['users', 'create', 'nobody'], 1, 'email'],
      ['a user who is not there', ['users', 'delete', id], 4, ''],
      ['an e-mail of nobody', ['users', 'delete', 'nobody@example.com'], 4, 'no virtual user nobody@example.com'],
      ['a role that is none', ['keys', 'create', 'X', '--role', 'king'], 2, 'member, admin, owner'],
      ['a time that is none', ['keys', 'create', 'X', '--expires', 'soon'], 2, 'like 2026-12-31'],
      ['files that are not here', ['put', 'none.md', '/'], 4, 'There is no file or folder'],
      ['a folder that is not there', ['keys', 'create', 'X', '--folder', '/No'], 4, 'no folder /No'],
      ['a day that is none', ['usage', '--from', 'yesterday'], 2, 'is no day'],
      ['a shell that is none', ['completion', 'tcsh'], 2, 'zsh'],
      ['half a command', ['threads'], 2, ''],
    ] as [string, string[], number, string][],
    async (_name, args, code, message) => {
      const result = await run(args)
      expect(result).toMatchObject({ code, out: '' })
      expect(result.err).toContain(message)
    },
  )
})

test('the completion for bash offers commands and options, as a shell asks for them', async () => {
  const { run, folder } = await cliOf({ url: 'http://127.0.0.1:1', owner: { apiKey: 'none' } }, {})
  for (const shell of ['bash', 'zsh', 'fish']) expect((await run(['completion', shell])).out).toContain('complete --')
  await writeFile(join(folder, 'docent.bash'), (await run(['completion', 'bash'])).out)
  const main = join(import.meta.dirname, '../src/main.ts')
  const script = `
    docent() { '${process.execPath}' '${main}' "$@"; }
    source docent.bash
    offer() { COMP_WORDS=(docent "$@"); COMP_CWORD=$#; COMPREPLY=(); __docent_complete; echo "\${COMPREPLY[*]}"; }
    source docent.bash
    offer th; offer agents d; offer sync --d; offer ls --j; offer agents list --k; offer put clay; offer keys create --role ""
    complete -p docent`
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: folder })
  const [command, sub, option, ...ofProgram] = stdout.split('\n')
  expect(command).toContain('threads')
  expect(sub).toContain('diff')
  expect(option).toMatch(/--delete.*--dry-run/)
  const registered = 'complete -o default -F __docent_complete docent'
  expect(ofProgram).toEqual(['--json', '--key', '', 'member admin owner', registered, ''])
  expect(stderr).not.toContain('readonly')
})

test('what is offered has no empty description, and names of files are left to the shell where a command may take one', async () => {
  const { run } = await cliOf({ url: 'http://127.0.0.1:1', owner: { apiKey: 'none' } }, {})
  const offersOf = async (...words: string[]) => (await run(['complete', '--', ...words])).out.trimEnd().split('\n')
  expect(await offersOf('keys', 'create', '--role', '')).toEqual(['member', 'admin', 'owner', ':4'])
  expect(await offersOf('completion', '')).toEqual(['zsh', 'bash', 'fish', 'powershell', ':4'])
  expect(await offersOf('put', '')).toEqual([':0'])
  expect(await offersOf('ask', 'Why?', 'docs/')).toEqual([':0'])
  expect(await offersOf('put', '--nothing')).toEqual([':4'])
  const named = (offers: string[]) => offers.map((offer) => offer.split('\t')[0])
  expect(named(await offersOf('-'))).toEqual(['--version', '--url', '--key', '--json', '--help', '-V', '-h', ':4'])
  expect(named(await offersOf('rm', '-'))).toEqual(expect.arrayContaining(['--recursive', '-r', '--json']))
  expect(await offersOf('agents', 'nothing')).toEqual([':4'])
  expect(await offersOf('nothing')).toEqual([':4'])
})

const hasFish = spawnSync('fish', ['--version']).status === 0
test.runIf(hasFish)('the completion for fish offers them, too', async () => {
  const { run, folder } = await cliOf({ url: 'http://127.0.0.1:1', owner: { apiKey: 'none' } }, {})
  await writeFile(join(folder, 'docent.fish'), (await run(['completion', 'fish'])).out)
  const main = join(import.meta.dirname, '../src/main.ts')
  const script = `
    function docent; '${process.execPath}' '${main}' $argv; end
    source docent.fish
    complete -C'docent th'; complete -C'docent agents d'; complete -C'docent sync --d'`
  const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script], { cwd: folder })
  expect(stdout).toMatch(/^threads\t[\s\S]*^diff\t[\s\S]*^--delete\t[\s\S]*^--dry-run\t/m)
})
