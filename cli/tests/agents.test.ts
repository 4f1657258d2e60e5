import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { cliOf, runCli } from './run-cli.ts'

test('an agent is exported as YAML, compared, changed and made again from its file', async () => {
  const app = await startTestApp()
  const { run, json, client, folder } = await cliOf(app, { 'a.txt': 'A' })
  await json('put', 'a.txt', '/Kilns')
  const [{ id: kilns }] = (await json('ls')).folders
  const agent = await client.agents.create({
    name: 'Potter',
    instructions: 'Answer about kilns.\nBe short.\n',
    knowledge_base_ids: [kilns],
    mcp_servers: [{ name: 'tickets', url: 'https://tickets.example/mcp', headers: { authorization: 'geheim' } }],
  })
  await client.agents.jobs.create(agent.id, { name: 'Review', knowledge_base_ids: [kilns] })

  expect((await run(['agents', 'export', 'Potter', 'potter.yaml'])).code).toBe(0)
  const path = join(folder, 'potter.yaml')
  const yaml = await readFile(path, 'utf8')
  expect(yaml).toContain('# mcp_servers.tickets.headers.authorization: a secret')
  expect(yaml).toContain('instructions: |\n  Answer about kilns.\n  Be short.\n')
  expect(yaml).not.toMatch(/geheim|null|[0-9a-f]{24}/)
  expect(parse(yaml)).toMatchObject({ knowledge_bases: ['/Kilns'], jobs: [{ knowledge_bases: ['/Kilns'] }] })
  expect(await run(['agents', 'export', 'Potter', 'potter.yaml'])).toMatchObject({ code: 1 })
  expect(await run(['agents', 'diff', 'potter.yaml'])).toMatchObject({ code: 0, out: '' })

  await writeFile(path, yaml.replace('Be short.', 'Be precise.'))
  const differs = await run(['agents', 'diff', 'potter.yaml'])
  expect(differs).toMatchObject({ code: 1 })
  expect(differs.out).toBe('Potter\ninstructions\n  Answer about kilns.\n- Be short.\n+ Be precise.\n')
  expect((await run(['agents', 'apply', 'potter.yaml', '--dry-run'])).out).toContain('would be updated')
  expect((await client.agents.get(agent.id)).instructions).toContain('short')
  expect(await run(['agents', 'apply', 'potter.yaml'])).toMatchObject({ code: 0, out: 'Potter: updated\n' })
  expect((await client.agents.get(agent.id)).instructions).toContain('precise')
  expect(await json('agents', 'apply', 'potter.yaml')).toMatchObject({
    agents: [{ outcome: 'unchanged', agent_id: agent.id }],
  })

  // Another agent needs the secret: from the environment, or the file is refused.
  await writeFile(
    path,
    yaml.replace('authorization: "***"', 'authorization: ' + '$' + '{TICKETS}').replace('name: Potter', 'name: Copy'),
  )
  expect(await run(['agents', 'diff', 'potter.yaml'])).toMatchObject({ code: 2 })
  const env = { DOCENT_URL: app.url, DOCENT_API_KEY: app.owner.apiKey, TICKETS: 'another' }
  expect((await runCli(['agents', 'diff', 'potter.yaml'], { folder, env })).out).toContain('Copy is not there yet')
  expect((await runCli(['agents', 'apply', 'potter.yaml', '--strict'], { folder, env })).out).toBe('Copy: created\n')
  expect((await run(['agents', 'list'])).out).toMatch(/^[0-9a-f]{24} {2}default model {2}Copy\n.*Potter\n$/)
  expect((await run(['agents', 'show', 'Copy'])).out).toMatch(/folders +\/Kilns\n[\s\S]*jobs +Review\n/)
  expect((await json('agents', 'show', 'Copy')).agent.mcp_servers[0].headers).toEqual({ authorization: '***' })
})

test('a file of a skill that is no text is left out, also where it happens to be UTF-8', async () => {
  const { run, json } = await cliOf(await startTestApp(), {
    'agent.yaml': 'name: X\njobs:\n  - skill: plan\n',
    'plan/SKILL.md': '---\nname: plan\ndescription: Plans\n---\nPlan it.',
    'plan/notes.txt': 'Glaze.',
    'plan/zeros.bin': '\0\0PNG',
  })
  const made = await run(['agents', 'apply', 'agent.yaml'])
  expect(made).toMatchObject({ code: 0, out: 'X: created\n' })
  expect(made.err).toMatch(/plan\/zeros\.bin is no text and was left out/)
  expect(JSON.stringify(await json('agents', 'show', 'X'))).toContain('Glaze.')
})

test('files that are no agents, and what a server cannot take, are reported', async () => {
  const { run } = await cliOf(await startTestApp(), {
    'broken.yaml': 'name: [',
    'list.yaml': '- a',
    'nameless.yaml': 'instructions: x',
    'skilled.yaml': 'name: X\njobs:\n  - skill: .\n',
    'plain.yaml': 'name: X\njobs:\n  - skill: plain\n',
    'plain/SKILL.md': 'Compare the plan with the table.',
    'wrong.yaml': 'name: X\ntoools: []\n',
    'folder.yaml': 'name: X\nknowledge_bases: [/Nowhere]\n',
    'bomb.yaml': `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nname: X`,
  })
  await everyRow(
    [
      ['no YAML', ['apply', 'broken.yaml'], 2, 'is no YAML'],
      ['a list', ['apply', 'list.yaml'], 2, 'does not describe an agent'],
      ['no name', ['diff', 'nameless.yaml'], 2, 'no name'],
      ['a skill without SKILL.md', ['apply', 'skilled.yaml'], 2, 'has no SKILL.md'],
      ['a skill without a name', ['apply', 'plain.yaml'], 2, 'SKILL.md has no name'],
      ['a field that nobody knows', ['apply', 'wrong.yaml'], 1, 'wrong.yaml: agent: has an unknown field: "toools"'],
      ['the same, strictly', ['apply', 'wrong.yaml', '--strict'], 1, 'wrong.yaml: agent: has'],
      [
        'a file that is not there',
        ['apply', 'none.yaml'],
        4,
        'There is no file none.yaml: docent agents export AGENT none.yaml writes one\n',
      ],
      ['references that grow', ['apply', 'bomb.yaml'], 2, 'cannot be read'],
      ['a folder that is not there, strictly', ['apply', 'folder.yaml', '--strict'], 1, '/Nowhere is no folder'],
      ['an agent that is not there', ['apply', 'folder.yaml', '--agent', 'None'], 4, 'no agent None'],
      ['an agent for two files', ['apply', 'folder.yaml', 'folder.yaml', '--agent', 'X'], 2, 'one file'],
      ['no such command', ['agents', 'aply'], 2, ''],
      ['an export of nothing', ['export', 'None'], 4, 'no agent'],
    ] as [string, string[], number, string][],
    async (_name, args, code, message) => {
      const result = await run(['agents', ...args])
      expect(result).toMatchObject({ code, out: '' })
      expect(result.err).toContain(message)
    },
  )
  const made = await run(['agents', 'apply', 'folder.yaml'])
  expect(made).toMatchObject({ code: 0, out: 'X: created\n' })
  expect(made.err).toContain('folder.yaml: knowledge_bases: /Nowhere is no folder that you can see')
})
