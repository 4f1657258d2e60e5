import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTypes, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { Docent } from '../src/index.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const { DOCENT_URL, DOCENT_KEY, FOLDER, FILE, WORKSPACE } = process.env as Record<string, string>
const client = createClient<paths>({ baseUrl: DOCENT_URL!, headers: { 'x-api-key': DOCENT_KEY! } })
`

/** Calls with what is required alone: all else has its default. */
const PROGRAM = `${CLIENT}
function dataOf<T>({ data, error }: { data?: { data: T }; error?: { error_code: string } }): T {
  if (!data) throw new Error(error?.error_code)
  return data.data
}
const agent = dataOf(await client.POST('/v1/agents', { body: { name: 'Potter', knowledge_base_ids: [FOLDER!] } }))
const chat_at = { agent_id: agent.id }
const { chat } = dataOf(await client.POST('/v1/agents/{agent_id}/chats', { params: { path: chat_at }, body: {} }))
const path = { ...chat_at, chat_id: chat.id }
const query = { query: 'At how many degrees does the kiln fire?' }
const { data: answer } = await client.POST('/v1/agents/{agent_id}/chats/{chat_id}/query', { params: { path }, body: query })
const listed = dataOf(await client.GET('/v1/agents/{agent_id}/chats', { params: { path: chat_at, query: { page_size: 1 } } }))
const passages = dataOf(await client.GET('/v1/knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/text', {
  params: { path: { knowledge_base_id: FOLDER!, data_source_id: FILE! } },
})).passages
const workspace_id = WORKSPACE!
const made = dataOf(await client.POST('/v1/workspaces/{workspace_id}/api-keys', { params: { path: { workspace_id } }, body: { name: 'Kiln' } }))
const key_at = { workspace_id, key_id: made.id }
const rotated = dataOf(await client.POST('/v1/workspaces/{workspace_id}/api-keys/{key_id}/rotate', { params: { path: key_at }, body: {} }))
const unknown = await client.GET('/v1/agents/{agent_id}', { params: { path: { agent_id: '0'.repeat(24) } } })
console.log(JSON.stringify({
  text: answer && 'data' in answer && 'text' in answer.data && answer.data.text,
  chats: listed.chats.map(({ id }) => id === chat.id),
  passage: passages[0]!.text,
  isRotated: rotated.id === made.id && rotated.key !== made.key,
  code: unknown.error!.error_code,
}))
`

/** Bodies of a query, each with a field of another type. */
const WRONG = [
  '{ query: 1 }',
  "{ query: 'Hello?', is_stream: 'yes' }",
  "{ query: 'Hello?', uploaded_files: 'kiln.txt' }",
]

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-generated-types-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const types = await openapiTypes(new URL('../../openapi.json', import.meta.url))
  writeFileSync(join(folder, 'api.ts'), astToString(types))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Checks a program's types as strictly as can be. @returns complaints of the compiler, a line each */
async function check(name: string, source: string): Promise<string[]> {
  writeFileSync(join(folder, name), source)
  const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2022']
  const checked = run(join(root, 'node_modules/.bin/tsc'), [...options, '--types', 'node', name], { cwd: folder })
  const { stdout } = await checked.catch((error: { stdout: string }) => error)
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}

test('types that openapi-typescript makes take calls with what is required alone, and they work', async () => {
  expect(await check('program.ts', PROGRAM)).toEqual([])
  const { url, owner } = await startTestApp()
  const docent = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  const { id } = await docent.knowledgeBases.create({ knowledge_base_name: 'Handbooks' })
  const fileId = await docent.files.upload(new Blob(['The kiln fires at 1240 degrees.']), { name: 'kiln.txt' })
  const file = await docent.dataSources.add(id, { file_id: fileId, data_source_title: 'kiln.txt' })
  await docent.knowledgeBases.waitUntilIndexed(id)
  const names = { FOLDER: id, FILE: file._id, WORKSPACE: owner.workspaceId }
  const env = { ...process.env, ...names, DOCENT_URL: url, DOCENT_KEY: owner.apiKey }
  const { stdout } = await run(process.execPath, ['program.ts'], { cwd: folder, env })
  expect(JSON.parse(stdout)).toEqual({
    text: expect.stringContaining('1240'),
    chats: [true],
    passage: expect.stringContaining('1240'),
    isRotated: true,
    code: 'AGENT_NOT_FOUND',
  })
})

test('they refuse a query whose fields have other types', async () => {
  const ask = (body: string) =>
    `client.POST('/v1/agents/{agent_id}/chats/{chat_id}/query', { params: { path: { agent_id: '', chat_id: '' } }, body: ${body} })`
  const found = await check('wrong.ts', [CLIENT.trim(), ...WRONG.map(ask)].join('\n'))
  const firstLine = CLIENT.trim().split('\n').length + 1
  const refused = new Set(found.map((line) => Number(/\((\d+),/.exec(line)![1]) - firstLine))
  expect([...refused]).toEqual(WRONG.map((_, at) => at))
})
