import { createParser } from 'eventsource-parser'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { join } from '../support/access/people.ts'
import { startAsyncChat } from '../support/chats/async-chat.ts'
import { driveOf } from '../support/drive/drive.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

/** Listens to the events of a workspace. */
async function listen({ url, owner }: TestApp, key = owner.apiKey) {
  const left = new AbortController()
  onTestFinished(() => left.abort())
  const response = await fetch(`${url}/v1/workspaces/${owner.workspaceId}/webhook-events`, {
    headers: { 'x-api-key': key },
    signal: left.signal,
  })
  expect(response.status).toBe(200)
  const seen: string[] = []
  const parser = createParser({ onEvent: ({ data }) => seen.push(data) })
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const chunk of response.body!) parser.feed(decoder.decode(chunk, { stream: true }))
  }
  const ended = read().catch(() => {})
  await expect.poll(() => seen).toEqual(['{"type":"ping"}'])
  const deliveries = (): any[] =>
    seen
      .filter((data) => data !== '[DONE]')
      .flatMap((data) => (JSON.parse(data).type === 'ping' ? [] : JSON.parse(data)))
  return { seen, deliveries, ended }
}

test('events come to those who listen, without an endpoint, signed with the secret of the workspace', async () => {
  const app = await startTestApp()
  const { deliveries } = await listen(app)
  const drive = driveOf(app)
  const folder = await drive.newFolder('Handbook')
  const file = await drive.addFile(folder, { title: 'paint.txt', content: 'Paint is kept in the shed.', index: true })
  await expect.poll(() => deliveries()).toHaveLength(1)
  const [{ headers, body }] = deliveries()
  const { secret } = (await app.call('GET', `/workspaces/${app.owner.workspaceId}/webhook-secret`)).body.data
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    type: 'data_source.indexed',
    timestamp: expect.any(String),
    workspace_id: app.owner.workspaceId,
    data: { data_source_id: file, knowledge_base_id: folder, title: 'paint.txt', chunk_count: 1 },
  })
})

test('another organization is told nothing of them', async () => {
  const app = await startTestApp()
  const owner = await app.services.access.createOrganization('Other')
  const [ours, theirs] = [await listen(app), await listen({ ...app, owner })]
  const drive = driveOf(app)
  await drive.addFile(await drive.newFolder('Handbook'), { title: 'a.txt', content: 'Clay.', index: true })
  await expect.poll(() => ours.deliveries()).toHaveLength(1)
  expect(theirs.deliveries()).toEqual([])
})

test('a key that is revoked hears no more', async () => {
  const app = await startTestApp()
  const keys = `/workspaces/${app.owner.workspaceId}/api-keys`
  const { id, key } = (await app.call('POST', keys, { name: 'Laptop', role: 'admin' })).body.data
  const { seen, ended } = await listen(app, key)
  await app.call('DELETE', `${keys}/${id}`)
  await ended
  expect(seen.at(-1)).toBe('[DONE]')
})

test('a server that stops ends the streams at once', async () => {
  const app = await startTestApp()
  const { seen, ended } = await listen(app)
  await app.close()
  await ended
  expect(seen.at(-1)).toBe('[DONE]')
})

test('results of asynchronous queries come as their webhook is sent them', async () => {
  const receiver = await startReceiver()
  const long = 'All is well. '.repeat(2_000)
  const chat = await startAsyncChat({ script: () => answer(long) })
  const { deliveries } = await listen(chat)
  await chat.ask(receiver.url)
  const sent = await receiver.next()
  await expect.poll(() => deliveries()).toHaveLength(1)
  const [{ headers, body }] = deliveries()
  expect(body).toBe(sent.body)
  expect(headers['webhook-id']).toBe(sent.headers['webhook-id'])
  const { secret } = (await chat.call('GET', `${chat.workspace}/webhook-secret`)).body.data
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(sent.body))
})

test('results in the chat of a member come to that member alone', async () => {
  const receiver = await startReceiver()
  const app = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' })
  const ada = await join(app, { email: 'ada@example.com', role: 'admin' })
  const agent = `/agents/${(await ada.call('POST', '/agents', { name: 'Clerk', model: 'builtin/extractive' })).body.data.id}`
  const ask = async (as: Pick<TestApp, 'call'>, query: string) => {
    const chat = (await as.call('POST', `${agent}/chats`, { title: query })).body.data.chat.id
    const asked = await as.call('POST', `${agent}/chats/${chat}/async_query`, { query, webhook_url: receiver.url })
    expect(asked.status).toBe(200)
  }
  const { deliveries } = await listen(app)
  await ask(ada as never, 'What did she say?')
  await receiver.next()
  await ask(app, 'And what is open to all?')
  await expect.poll(() => deliveries()).toHaveLength(1)
  expect(JSON.parse(deliveries()[0].body).data.query).toBe('And what is open to all?')
})
