import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answer, inOrder, startModelServer } from '../../server/tests/support/models/model-server.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { Docent, DocentError, type IndexingProgress, newObjectId } from './index.ts'

async function startClient(settings?: Record<string, string>) {
  const app = await startTestApp(settings)
  return { ...app, client: new Docent({ baseUrl: app.url, apiKey: app.owner.apiKey }) }
}

const HANDBOOK = new Blob(['# Handbook\n\nThe kiln in workshop three fires at 1240 degrees.\n'])

test('the whole way: a folder, a file, an agent, a chat, an answer with its source', async () => {
  const { client } = await startClient()
  const folder = await client.knowledgeBases.create({ knowledge_base_name: 'Workshop' })
  const fileId = await client.files.upload(HANDBOOK, { name: 'handbook.md' })
  const added = await client.dataSources.add(folder.id, { file_id: fileId, data_source_title: 'handbook.md' })
  expect(added.status).toBe('pending')

  const seen: IndexingProgress[] = []
  const { successful, failed } = await client.knowledgeBases.waitUntilIndexed(folder.id, {
    onProgress: (progress) => seen.push(progress),
  })
  expect(failed).toEqual([])
  expect(successful.map(({ id }) => id)).toEqual([added._id])
  expect(seen.at(-1)).toEqual({ successful, failed: [], pending: [] })

  const [hit] = await client.knowledgeBases.search(folder.id, { query: 'kiln degrees' })
  expect(hit).toMatchObject({ data_source_id: added._id, title: 'handbook.md' })

  const agent = await client.agents.create({ name: 'Potter', knowledge_base_ids: [folder.id] })
  const chat = await client.chats.create(agent.id)
  const reply = await client.chats.query(agent.id, chat.id, { query: 'Which kiln fires in workshop three?' })
  expect(reply.text).toContain('1240')
  const message = await client.chats.messages.get(agent.id, chat.id, reply.message_id)
  expect(message.citations[0]).toMatchObject({ index: 1, title: 'handbook.md' })

  const history = await client.chats.messages.list(agent.id, chat.id, { page_size: 1, order: 'desc' })
  expect(history).toMatchObject({ total: 1, page_size: 1, messages: [{ id: message.id }] })
})

test('a stream gives typed events in order, and the answer is their text', async () => {
  const { client } = await startClient()
  const agent = await client.agents.create({ name: 'Agent' })
  const chat = await client.chats.create(agent.id, { title: 'First' })
  const stream = client.chats.stream(agent.id, chat.id, { query: 'What is in the documents?' })
  const types: string[] = []
  let text = ''
  for await (const event of stream) {
    types.push(event.type)
    if (event.type === 'response') text += event.text
    if (event.type === 'metadata') expect(event.data.message_id).toBe(stream.messageId)
  }
  expect(types[0]).toBe('metadata')
  expect(types.at(-1)).toBe('end_response')
  expect(text).not.toBe('')
  expect((await client.chats.messages.get(agent.id, chat.id, stream.messageId)).response).toBe(text)

  const again = client.chats.messages.events(agent.id, chat.id, stream.messageId)
  let replayed = ''
  for await (const event of again) if (event.type === 'response') replayed += event.text
  expect(replayed).toBe(text)
})

test('a query that is sent again under its id runs once', async () => {
  const { client } = await startClient()
  const agent = await client.agents.create({ name: 'Agent' })
  const chat = await client.chats.create(agent.id)
  const question = { query: 'Hello?', message_id: newObjectId() }
  const replies = await Promise.all([1, 2, 3].map(() => client.chats.query(agent.id, chat.id, question)))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect((await client.chats.messages.list(agent.id, chat.id)).total).toBe(1)
  await expect(client.chats.query(agent.id, chat.id, { ...question, query: 'Other?' })).rejects.toMatchObject({
    status: 400,
    code: 'MESSAGE_ID_CONFLICT',
  })
})

test('a query in the background is answered, and its result sent to the webhook', async () => {
  const received = Promise.withResolvers<{ data: { id: string; response: string } }>()
  const receiver = createServer(async (request, response) => {
    received.resolve((await json(request)) as Awaited<typeof received.promise>)
    response.end()
  })
  receiver.listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  const { port } = receiver.address() as { port: number }
  const { client } = await startClient({ DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' })
  const agent = await client.agents.create({ name: 'Agent' })
  const chat = await client.chats.create(agent.id)
  const webhook_url = `http://127.0.0.1:${port}/`
  const messageId = await client.chats.queryAsync(agent.id, chat.id, { query: 'Anything?', webhook_url })
  const { data } = await received.promise
  expect(data.id).toBe(messageId)
  expect(data.response).toBe((await client.chats.messages.get(agent.id, chat.id, messageId)).response)
})

test('chats, agents with jobs and shortcuts, files and virtual users can be listed, changed and deleted', async () => {
  const { client } = await startClient()
  const { workspace, key } = await client.me()
  expect(key.role).toBe('owner')

  const agent = await client.agents.create({ name: 'Agent' })
  expect(await client.agents.update(agent.id, { name: 'Renamed' })).toMatchObject({ id: agent.id, name: 'Renamed' })
  const job = await client.agents.jobs.create(agent.id, { name: 'Summaries', instructions: 'Be brief' })
  expect((await client.agents.jobs.list(agent.id)).jobs).toEqual([job])
  const shortcut = await client.agents.shortcuts.create(agent.id, {
    name: 'Greet',
    prompt: 'Greet {{who}}',
    fields: [{ name: 'who', type: 'text', required: true }],
  })
  expect(await client.agents.shortcuts.get(agent.id, shortcut.id)).toEqual(shortcut)

  const chat = await client.chats.create(agent.id)
  expect(await client.chats.update(agent.id, chat.id, { title: 'Kilns' })).toMatchObject({ title: 'Kilns' })
  expect((await client.chats.list(agent.id, { search: 'kiln' })).chats).toHaveLength(1)
  await client.chats.delete(agent.id, chat.id)
  await expect(client.chats.get(agent.id, chat.id)).rejects.toMatchObject({ code: 'CHAT_NOT_FOUND' })

  const folder = await client.knowledgeBases.create({ knowledge_base_name: 'Folder' })
  const stream = new Response('prices of glazes').body!
  const file_id = await client.files.upload(stream, {
    name: 'Glasuren für Ton.txt',
    virtualUserEmail: 'ada@example.com',
  })
  const document = { file_id, data_source_title: 'Glazes', trigger_indexing: false }
  const { _id } = await client.dataSources.add(folder.id, document)
  expect(await client.dataSources.get(folder.id, _id)).toMatchObject({
    file_name: 'Glasuren für Ton.txt',
    size_bytes: 16,
    status: 'pending',
  })
  const archive = await client.dataSources.download(folder.id, [_id])
  expect(new Uint8Array(await archive.arrayBuffer()).slice(0, 2)).toEqual(new TextEncoder().encode('PK'))
  expect((await client.dataSources.delete(folder.id, [_id])).message).toBe('1 data source deleted')
  await client.knowledgeBases.delete(folder.id)

  const { virtual_users } = await client.virtualUsers.list(workspace.id, { search: 'ada' })
  expect(virtual_users).toMatchObject([{ email: 'ada@example.com' }])
  expect(await client.virtualUsers.update(workspace.id, virtual_users[0]!.id, { name: 'Ada' })).toMatchObject({
    name: 'Ada',
  })
})

test('a workspace is looked after: keys, webhooks, people, shares, folders that are linked', async () => {
  const { client, url, owner } = await startClient()
  const { workspace, organization } = await client.me()

  const made = await client.apiKeys.create(workspace.id, { name: 'Website', permissions: ['manage_agents'] })
  const website = new Docent({ baseUrl: url, apiKey: made.key })
  expect((await website.me()).key).toMatchObject({ id: made.id, role: 'member' })
  await expect(website.webhooks.secret.get(workspace.id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const { api_keys } = await client.apiKeys.list(workspace.id)
  expect(api_keys.map(({ id }) => id)).toContain(made.id)
  expect(JSON.stringify(api_keys)).not.toContain(owner.apiKey)
  expect(await client.apiKeys.revoke(workspace.id, made.id)).toEqual({ deleted: true })
  const { entries } = await client.auditLog.list(workspace.id, { target_type: 'api_key' })
  expect(entries.map(({ action, target }) => [action, target.name])).toEqual([
    ['api_key.revoked', 'Website'],
    ['api_key.created', 'Website'],
  ])

  const { secret } = await client.webhooks.secret.get(workspace.id)
  expect((await client.webhooks.secret.rotate(workspace.id)).secret).not.toBe(secret)
  expect(await client.webhooks.deliveries.list(workspace.id, { status: 'failed' })).toMatchObject({ deliveries: [] })

  const agent = await client.agents.create({ name: 'Agent' })
  const chat = await client.chats.create(agent.id, { metadata: { team: 'clay' } })
  await client.chats.query(agent.id, chat.id, { query: 'Hello?', virtual_user_email: 'ada@example.com' })
  expect((await client.chats.list(agent.id, { metadata: { team: 'clay' } })).chats).toMatchObject([{ id: chat.id }])
  expect((await client.chats.list(agent.id, { metadata: { team: 'glaze' } })).chats).toEqual([])
  const { virtual_users } = await client.virtualUsers.list(workspace.id)
  const ada = virtual_users[0]!.id
  expect((await client.virtualUsers.chats(workspace.id, ada)).chats).toMatchObject([{ id: chat.id }])
  expect(await client.virtualUsers.usage(workspace.id, ada)).toMatchObject({ messages: 1, chats: 1 })
  expect(await client.virtualUsers.erase(workspace.id, ada)).toMatchObject({ erased: true, messages_deleted: 1 })

  const folder = await client.knowledgeBases.create({ knowledge_base_name: 'Folder' })
  expect((await client.shares.list(folder.id)).shares).toEqual([])
  await expect(client.shares.create(folder.id, organization.id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(client.shares.delete(folder.id, newObjectId())).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' })
  expect((await client.integrations.list()).integrations).toEqual([])
  await expect(client.integrations.sync(newObjectId())).rejects.toMatchObject({ code: 'INTEGRATION_NOT_FOUND' })
})

test('a file that an answer made is fetched by its link', async () => {
  const make = answer({ toolCall: { name: 'create_file', arguments: { name: 'log.txt', content: 'kiln log' } } })
  await using model = await startModelServer({ script: inOrder(make, answer('Here it is.')) })
  const { client } = await startClient({
    DOCENT_MODEL: 'openai-compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
  })
  const agent = await client.agents.create({ name: 'Clerk', tools: ['create_file'] })
  const chat = await client.chats.create(agent.id)
  const { message_id } = await client.chats.query(agent.id, chat.id, { query: 'Make the log' })
  const { downloadable_output } = await client.chats.messages.get(agent.id, chat.id, message_id, {
    downloadable_output: true,
  })
  const link = downloadable_output!.file_1!
  expect(await (await client.files.download(link)).text()).toBe('kiln log')
  await expect(client.files.download(link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).rejects.toMatchObject({
    status: 403,
    code: 'LINK_INVALID',
  })
})

test('files that fail are distinguished, with their reason', async () => {
  const { client } = await startClient()
  const folder = await client.knowledgeBases.create({ knowledge_base_name: 'Folder' })
  for (const [name, content] of [
    ['good.txt', 'Some words.'],
    ['bad.pdf', '%PDF-1.7 and then nothing'],
  ] as const) {
    const file_id = await client.files.upload(new Blob([content]), { name })
    await client.dataSources.add(folder.id, { file_id, data_source_title: name })
  }
  const { successful, failed } = await client.knowledgeBases.waitUntilIndexed(folder.id)
  expect(successful.map(({ title }) => title)).toEqual(['good.txt'])
  expect(failed.map(({ title }) => title)).toEqual(['bad.pdf'])
  expect(failed[0]!.status_reason).toBeTruthy()
})

test('a folder is followed, and again from the last event that was read', async () => {
  const { client } = await startClient()
  const { id } = await client.knowledgeBases.create({ knowledge_base_name: 'Folder' })
  const addFile = async (name: string) => {
    const file_id = await client.files.upload(new Blob(['Some words.']), { name })
    await client.dataSources.add(id, { file_id, data_source_title: name, trigger_indexing: false })
  }
  const left = new AbortController()
  const next = async (events: ReturnType<typeof client.knowledgeBases.follow>) => (await events.next()).value as any
  const events = client.knowledgeBases.follow(id, { signal: left.signal, onOpen: () => addFile('one.txt') })
  const first = await next(events)
  expect(first).toMatchObject({ type: 'created', data_source: { title: 'one.txt' } })
  left.abort()
  await addFile('two.txt')
  const again = client.knowledgeBases.follow(id, { after: first.id })
  expect(await next(again)).toMatchObject({ type: 'created', data_source: { title: 'two.txt' } })
  await again.return(undefined)
  await expect(client.knowledgeBases.follow('0123456789abcdef01234567').next()).rejects.toMatchObject({
    code: 'KNOWLEDGE_BASE_NOT_FOUND',
  })
})

describe('errors', () => {
  test('carry status, code, message, details and request id', async () => {
    const { client } = await startClient()
    const error = await client.agents.create({ name: '' }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(DocentError)
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', details: [{ path: 'name' }] })
    expect(error.requestId).toMatch(/^\S{8,}$/)
  })

  test('a wrong key is 401, a folder that is not there 404', async () => {
    const { client, url } = await startClient()
    const stranger = new Docent({ baseUrl: `${url}/v1/`, apiKey: 'dct_wrong' })
    await expect(stranger.me()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    await expect(client.knowledgeBases.get(newObjectId())).rejects.toMatchObject({ code: 'KNOWLEDGE_BASE_NOT_FOUND' })
  })

  test('a server that is not there is reported as such, after retries of what may be repeated', async () => {
    const { url, close, owner } = await startTestApp()
    await close()
    const client = new Docent({ baseUrl: url, apiKey: owner.apiKey, maxRetries: 1 })
    await expect(client.me()).rejects.toMatchObject({ status: 0, code: 'CONNECTION_FAILED' })
  })

  test('an aborted call throws what the signal says', async () => {
    const { client } = await startClient()
    const reason = new Error('the user left')
    await expect(client.me({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
