import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Docent } from '@docent/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { folderWith, runCli, type Setting } from './run-cli.ts'

const ask = (args: string[], setting: Setting) => runCli(['ask', ...args], setting)

async function startServer() {
  const { url, owner } = await startTestApp()
  const client = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  /** The files of the only collection. */
  const stored = async () => {
    const [home] = (await client.knowledgeBases.list()).org_knowledge_bases
    const { org_knowledge_bases } = await client.knowledgeBases.list({ parent_kb_id: home!._id })
    expect(org_knowledge_bases).toHaveLength(1)
    const { data_sources } = await client.dataSources.list(org_knowledge_bases[0]!._id)
    return data_sources.map((file) => ({ id: file.id, title: 'title' in file ? file.title : '' }))
  }
  return { client, stored, owner, url, env: { DOCENT_URL: url, DOCENT_API_KEY: owner.apiKey } }
}

const KILN = '# Firing\n\nThe kiln in workshop three fires at 1240 degrees.\n'
const GLAZE = '# Glazes\n\nThe celadon glaze costs 18 euros a bucket.\n'
const QUESTION = 'Which kiln fires in workshop three?'

test('answers from files with their source, and uploads them once', async () => {
  const { env, stored, client } = await startServer()
  const folder = await folderWith({ 'docs/kiln.md': KILN, 'docs/deep/glaze.md': GLAZE, 'docs/.hidden.md': 'secret' })
  const first = await ask([QUESTION, 'docs'], { folder, env })
  expect(first).toMatchObject({ code: 0 })
  expect(first.out).toContain('1240 degrees')
  expect(first.out).toMatch(/Sources\n\[1\] kiln\.md, .*Firing/)
  expect(first.err).toContain('Uploading: 2 of 2')
  expect(first.err).toContain('Indexing: 2 of 2')
  const before = await stored()
  expect(before.map(({ title }) => title).sort()).toEqual(['deep/glaze.md', 'kiln.md'])

  const second = await ask(['What does the celadon glaze cost?', join(folder, 'docs')], { folder, env })
  expect(second.out).toContain('18 euros')
  expect(await stored()).toEqual(before)
  expect((await client.agents.list()).total).toBe(1)
})

test('a file that changed is replaced, one that is gone is removed', async () => {
  const { env, stored } = await startServer()
  const folder = await folderWith({ 'kiln.md': KILN, 'glaze.md': GLAZE, 'note.md': 'A note about nothing much.' })
  await ask([QUESTION, '.'], { folder, env })
  const before = await stored()
  await writeFile(join(folder, 'kiln.md'), KILN.replace('1240', '980'))
  await rm(join(folder, 'note.md'))
  expect((await ask([QUESTION, 'kiln.md', 'glaze.md'], { folder, env })).out).toContain('980 degrees')
  const after = await stored()
  expect(after.map(({ title }) => title).sort()).toEqual(['glaze.md', 'kiln.md'])
  const idOf = (list: typeof after, title: string) => list.find((file) => file.title === title)?.id
  expect(idOf(after, 'glaze.md')).toBe(idOf(before, 'glaze.md'))
  expect(idOf(after, 'kiln.md')).not.toBe(idOf(before, 'kiln.md'))
})

test('files that cannot be read are reported with the reason, the others answer', async () => {
  const { env } = await startServer()
  const folder = await folderWith({ 'kiln.md': KILN, 'broken.pdf': '%PDF-1.7 nothing', 'empty.txt': '' })
  const { code, out, err } = await ask([QUESTION, 'kiln.md', 'broken.pdf', 'empty.txt'], { folder, env })
  expect(code).toBe(0)
  expect(out).toContain('1240')
  expect(err).toMatch(new RegExp(`${folder}/broken\\.pdf: .{10,}`))
  expect(err).toMatch(new RegExp(`${folder}/empty\\.txt: .{10,}`))

  const hopeless = await ask([QUESTION, 'broken.pdf'], { folder, env })
  expect(hopeless).toMatchObject({ code: 1, out: '' })
  expect(hopeless.err).toContain('None of the files')
})

test('--json prints one object', async () => {
  const { env, client } = await startServer()
  const folder = await folderWith({ 'kiln.md': KILN, 'empty.txt': '' })
  const { code, out } = await ask(['--json', QUESTION, 'kiln.md', 'empty.txt'], { folder, env })
  expect(code).toBe(0)
  const { answer, citations, agent_id, chat_id, message_id, failed_files } = JSON.parse(out)
  expect(citations).toMatchObject([{ index: 1, title: 'kiln.md' }])
  expect(failed_files).toMatchObject([{ path: join(folder, 'empty.txt') }])
  expect((await client.chats.messages.get(agent_id, chat_id, message_id)).response).toBe(answer)
})

test('--agent asks that agent, which then answers from the files too', async () => {
  const { env, client } = await startServer()
  const agent = await client.agents.create({ name: 'Potter' })
  const folder = await folderWith({ 'kiln.md': KILN })
  const { out } = await ask([QUESTION, '--agent', agent.id, 'kiln.md'], { folder, env })
  expect(out).toContain('1240')
  expect((await client.agents.get(agent.id)).knowledge_base_ids).toHaveLength(1)
  expect((await client.agents.list()).total).toBe(1)
  expect((await ask([QUESTION, '--agent', agent.id], { folder, env })).out).toContain('1240')
  expect(await ask([QUESTION, '--agent', 'nobody'], { folder, env })).toMatchObject({
    code: 4,
    err: 'There is no agent nobody\n',
  })
})

test('without files the newest agent is asked that was not made for files', async () => {
  const { env, client } = await startServer()
  const folder = await folderWith({ 'kiln.md': KILN })
  await ask([QUESTION, 'kiln.md'], { folder, env })
  expect((await ask([QUESTION], { folder, env })).out).toContain('1240')
  await client.agents.create({ name: 'Guide' })
  await ask([QUESTION, '.'], { folder, env })
  const { code, err } = await ask(['Anything?'], { folder, env })
  expect(code).toBe(0)
  expect(err).toContain('Asking Guide')
})

test('finds server and key as npm start leaves them: .env and the data directory', async () => {
  const { url, owner, client } = await startServer()
  await client.agents.create({ name: 'Agent' })
  const folder = await folderWith({
    '.env': `PORT=${new URL(url).port}\nDATA_DIR=store\n`,
    'store/owner-key': `${owner.apiKey}\n`,
  })
  expect(await ask(['Anything?'], { folder })).toMatchObject({ code: 0 })
})

test('what makes no sense is reported, with an exit code that says which kind', async () => {
  const { env, url } = await startServer()
  const folder = await folderWith({ 'kiln.md': KILN, 'none/.hidden': '' })
  const key = env.DOCENT_API_KEY
  const cases: [args: string[], code: number, message: string][] = [
    [[], 2, 'What is the question?'],
    [[' '], 2, 'What is the question?'],
    [[QUESTION, '--agnt', 'x'], 2, '--agnt'],
    [[QUESTION, 'none'], 2, 'no files'],
    [[QUESTION, 'missing.md'], 4, 'missing.md'],
    [[QUESTION], 4, 'There is no agent yet'],
    [[QUESTION, '--key', 'dct_wrong'], 3, `${url} refuses the key that was given`],
    [[QUESTION, '--url', 'http://127.0.0.1:1', '--key', key], 3, 'start one with docent serve'],
    [[QUESTION, '--url', 'nonsense', '--key', key], 2, '"nonsense" is no URL'],
    [[QUESTION, '--url', 'ftp://127.0.0.1', '--key', key], 2, '"ftp://127.0.0.1" is no URL of a server: write it like'],
  ]
  for (const [args, code, message] of cases) {
    const result = await ask(args, { folder, env })
    expect(result, args.join(' ')).toMatchObject({ code, out: '' })
    expect(result.err).toContain(message)
  }
  expect(await ask([QUESTION, '--url', url], { folder })).toMatchObject({ code: 3 })
  expect((await ask(['--help'], { folder })).out).toContain('docent ask')
})

test('another server than Docent is distinguished', async () => {
  const server = createServer((_request, response) => response.end('<html>Hello</html>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const folder = await folderWith({})
  const { code, err } = await ask([QUESTION, '--url', url, '--key', 'x'], { folder })
  expect(code).toBe(3)
  expect(err).toContain('is not Docent')
})
