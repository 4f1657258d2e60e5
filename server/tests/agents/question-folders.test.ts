import { describe, expect, test, vi } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { textOf } from '../support/chats/events.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { answer, type Script } from '../support/models/model-server.ts'
import { startRestartable } from '../support/processes/restartable.ts'
import { STACKS } from '../support/processes/stacks.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const results = (body: any): string[] =>
  body.messages.filter(({ role }: any) => role === 'tool').map(({ content }: any) => content)

/** An agent with the folder Outer, which has Inner below it, and with Second; a file in each, and one elsewhere. */
async function start(script?: Script) {
  const app = await startTestChat({ script, settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' } })
  const drive = driveOf(app)
  const outer = await drive.newFolder('Outer')
  const inner = await drive.newFolder('Inner', outer)
  const second = await drive.newFolder('Second')
  const other = await drive.newFolder('Other')
  const files: Record<string, string> = {}
  for (const [name, folder] of Object.entries({ outer, inner, second, other })) {
    const title = `${name}.txt`
    files[name] = await drive.addFile(folder, { title, content: `The telescope of ${name} is heavy.`, index: true })
    const path = `/knowledge-bases/${folder}/data-sources/${files[name]}`
    const status = async () => (await drive.succeed('GET', path)).data.status
    await vi.waitFor(async () => expect(await status()).toBe('successful'), { timeout: 60_000, interval: 50 })
  }
  const newReader = async (fields: object = {}) =>
    app.newChat({}, await app.newAgent({ knowledge_base_ids: [outer, second], ...fields }))
  return { ...app, ...drive, outer, inner, second, other, files, newReader }
}

const QUESTION = 'What is heavy about the telescope?'
const OFFLINE = { model: 'builtin/extractive' }

test('the folders of a question narrow those of the agent, in all three modes, offline too', async () => {
  const { newReader, call, stream, message, inner, outer, second } = await start()
  const path = await newReader(OFFLINE)
  const titlesOf = async (id: string): Promise<string[]> =>
    [...new Set<string>((await message(id, path)).citations.map(({ title }: any) => title))].sort()
  const titlesFor = async (fields: object): Promise<string[]> => {
    const { body } = await call('POST', `${path}/query`, { query: QUESTION, ...fields })
    return titlesOf(body.data.message_id)
  }
  expect((await titlesFor({})).length).toBeGreaterThan(1)
  expect((await titlesFor({ knowledge_base_ids: null })).length).toBeGreaterThan(1)
  expect(await titlesFor({ knowledge_base_ids: [second] })).toEqual(['second.txt'])
  expect(await titlesFor({ knowledge_base_ids: [inner] })).toEqual(['inner.txt'])
  expect(await titlesFor({ knowledge_base_ids: [] })).toEqual([])
  for (const title of await titlesFor({ knowledge_base_ids: [outer] })) expect(title).toMatch(/^(outer|inner)\.txt$/)
  const events = await (await stream(QUESTION, { knowledge_base_ids: [second] }, path)).rest()
  expect(textOf(events)).toContain('second')
  expect(await titlesOf(events[0]!.data.message_id as string)).toEqual(['second.txt'])
  const receiver = await startReceiver()
  await call('POST', `${path}/async_query`, {
    query: QUESTION,
    knowledge_base_ids: [inner],
    webhook_url: `${receiver.url}/hook`,
  })
  const delivered = JSON.parse((await receiver.next()).body).data
  expect(await titlesOf(delivered.id)).toEqual(['inner.txt'])
})

test('a folder that the agent does not have is 404, and nothing is asked', async () => {
  const { newReader, call, other, second } = await start()
  const path = await newReader(OFFLINE)
  for (const id of [other, UNKNOWN_ID, 'nonsense'])
    for (const [mode, more] of Object.entries({
      query: {},
      async_query: { webhook_url: 'http://127.0.0.1:9/hook' },
    }))
      expect(
        await call('POST', `${path}/${mode}`, { query: QUESTION, knowledge_base_ids: [second, id], ...more }),
      ).toMatchObject({ status: 404, body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' } })
  expect((await call('GET', `${path}/messages`)).body.data.total).toBe(0)
})

test('every tool keeps to them, and so does an agent that is called', async () => {
  let wanted: [name: string, given: object][] = []
  const app = await start(({ body }) => {
    const [name, given] = wanted[results(body).length] ?? []
    const boss = body.messages[0].content.startsWith('BOSS')
    if (!boss) return answer(name ? { toolCall: { name, arguments: given as never } } : results(body).join('\n---\n'))
    if (results(body).length > 0) return answer(`They say: ${results(body).at(-1)}`)
    const { description } = body.tools.find(({ function: f }: any) => f.name === 'call_agent').function
    const agent_id = /- ([0-9a-f]{24}):/.exec(description)![1]!
    return answer({ toolCall: { name: 'call_agent', arguments: { agent_id, query: 'Look' } } })
  })
  const { files, inner, outer, second, other, newReader, newAgent, newChat, ask } = app
  wanted = [
    ['search_knowledge', { query: 'telescope' }],
    ['list_files', {}],
    ['read_file', { data_source_id: files.second }],
    ['read_file', { data_source_id: files.outer }],
    ['read_file', { data_source_id: files.inner }],
    ['search_knowledge', { query: 'telescope', knowledge_base_id: second }],
  ]
  const told = async (path: string, ids: string[]) =>
    (await ask('Look', { knowledge_base_ids: ids }, path)).body.data.text as string
  const text = await told(await newReader(), [inner])
  expect(text).toContain('The telescope of inner')
  expect(text).not.toMatch(/telescope of (outer|second)|second\.txt|outer\.txt/)
  expect(text.match(/There is no document with this id/g)).toHaveLength(2)

  // The agent that is called has Outer and Other, of which the question names one folder below Outer, and Second.
  const worker = await newAgent({ name: 'Worker', knowledge_base_ids: [outer, other] })
  const boss = await newAgent({
    instructions: 'BOSS',
    sub_agent_ids: [worker],
    knowledge_base_ids: [outer, second],
  })
  wanted = [
    ['search_knowledge', { query: 'telescope' }],
    ['list_files', {}],
    ['read_file', { data_source_id: files.other }],
  ]
  const said = await told(await newChat({}, boss), [inner, second])
  expect(said).toContain('The telescope of inner')
  expect(said).not.toMatch(/telescope of (outer|second|other)|(second|outer|other)\.txt/)
})

test('they are part of what a retry is compared by', async () => {
  const { newReader, call, outer, second } = await start()
  const path = await newReader(OFFLINE)
  const send = (fields: object) => call('POST', `${path}/query`, { query: QUESTION, message_id: UNKNOWN_ID, ...fields })
  const first = await send({ knowledge_base_ids: [second] })
  expect(first.status).toBe(200)
  expect((await send({ knowledge_base_ids: [second] })).body).toEqual(first.body)
  for (const other of [{}, { knowledge_base_ids: [outer] }, { knowledge_base_ids: [] }])
    expect(await send(other)).toMatchObject({ status: 400, body: { error_code: 'MESSAGE_ID_CONFLICT' } })
})

test('a key that is bound to the agent may narrow its questions', async () => {
  const { newReader, call, owner, second, other } = await start()
  const path = await newReader(OFFLINE)
  const scopes = { agent_ids: [path.split('/')[2]] }
  const { key } = (await call('POST', `/workspaces/${owner.workspaceId}/api-keys`, { name: 'K', scopes })).body.data
  const ask = (id: string) => call('POST', `${path}/query`, { query: QUESTION, knowledge_base_ids: [id] }, { key })
  expect((await ask(second)).status).toBe(200)
  expect((await ask(other)).status).toBe(404)
})

/** Asks a person, then lists files, and answers with the list. */
const listingAfterConsent: Script = ({ body }) => {
  const count = results(body).length
  if (count === 0) return answer({ toolCall: { name: 'ask_person', arguments: { question: 'Go on?' } } })
  return count === 1 ? answer({ toolCall: { name: 'list_files', arguments: {} } }) : answer(results(body).at(-1)!)
}

/** Asks, kills the server, consents at the next one. @returns the answer */
async function answerAfterKill(
  { first, again, path }: Awaited<ReturnType<typeof startRestartable>>,
  question: object,
): Promise<string> {
  const asked = await first.call('POST', `${path}/query`, { query: 'Look', ...question })
  const at = `${path}/message/${asked.body.data.message_id}`
  await first.end('SIGKILL')
  const second = await again()
  await second.call('POST', `${at}/review`, { decision: 'answer', note: 'Yes' })
  const message = async () => (await second.call('GET', at)).body.data
  await expect.poll(async () => (await message()).ai_resolution_status, { timeout: 60_000 }).toBe('completed')
  const { response } = await message()
  await second.end('SIGTERM')
  return response
}

describe.each(STACKS)('on %s', (stack) => {
  test('folders hold after a restart, on another process', async () => {
    const restartable = await startRestartable(listingAfterConsent, { stack })
    const { first, agentId } = restartable
    const newFolder = async (knowledge_base_name: string): Promise<string> =>
      (await first.call('POST', '/knowledge-bases', { knowledge_base_name })).body.data.id
    const [one, two] = [await newFolder('Number one'), await newFolder('Number two')]
    const tools = ['ask_person', 'list_files']
    await first.call('PATCH', `/agents/${agentId}`, { tools, knowledge_base_ids: [one, two] })
    const response = await answerAfterKill(restartable, { knowledge_base_ids: [two] })
    expect(response).toContain('Number two')
    expect(response).not.toContain('Number one')
  })

  test('so do filters', async () => {
    const restartable = await startRestartable(listingAfterConsent, { stack })
    const { first, agentId } = restartable
    const folder = (await first.call('POST', '/knowledge-bases', { knowledge_base_name: 'Both' })).body.data.id
    for (const kind of ['open', 'secret']) {
      const file = { title: `${kind}.txt`, text: 'Ships', metadata: { kind } }
      await first.call('PUT', `/knowledge-bases/${folder}/data-sources/by-external-id/${kind}`, file)
    }
    const tools = ['ask_person', 'list_files']
    await first.call('PATCH', `/agents/${agentId}`, { tools, knowledge_base_ids: [folder] })
    const filters = { all: [{ key: 'kind', op: 'eq', value: 'open' }] }
    const response = await answerAfterKill(restartable, { filters })
    expect(response).toContain('open.txt')
    expect(response).not.toContain('secret.txt')
  })
})
