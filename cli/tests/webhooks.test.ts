import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Docent } from '@docent/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { startAsyncChat } from '../../server/tests/support/chats/async-chat.ts'
import { startReceiver } from '../../server/tests/support/http/receiver.ts'
import { answer } from '../../server/tests/support/models/model-server.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { cliOf } from './run-cli.ts'

/** A way to the server that can be broken. */
async function startLine(target: string) {
  const open = new Set<Socket>()
  const line = createServer((client) => {
    const server = connect({ host: '127.0.0.1', port: Number(new URL(target).port) })
    for (const socket of [client, server]) open.add(socket.on('error', () => {}))
    client.pipe(server).pipe(client)
  })
  const breakOff = () => {
    for (const socket of open) socket.destroy()
    open.clear()
  }
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  onTestFinished(() => {
    breakOff()
    line.close()
  })
  return { url: `http://127.0.0.1:${(line.address() as { port: number }).port}`, breakOff }
}

async function addFile(client: Docent, title: string): Promise<void> {
  const folder = await client.knowledgeBases.create({ knowledge_base_name: title })
  const fileId = await client.files.upload(new Blob(['The kiln fires at 1240 degrees.']), { name: title })
  await client.dataSources.add(folder.id, { file_id: fileId, data_source_title: title })
}

test('events are sent on to a local port, signed; their statuses are told, and a broken connection is made again', async () => {
  const { url, owner } = await startTestApp()
  const line = await startLine(url)
  const receiver = await startReceiver((_, response, index) => response.writeHead(index === 0 ? 204 : 500).end())
  const { client, start } = await cliOf({ url: line.url, owner }, {})
  const listening = start('webhooks', 'listen', '--forward-to', `${receiver.url}/hooks`)
  const opened = () => listening.err().split('Listening: events go to').length - 1
  await expect.poll(() => opened()).toBe(1)
  const secret = /Signed with (whsec_\S+)/.exec(listening.out())![1]!

  await addFile(client, 'one.txt')
  const first = await receiver.next()
  expect(first.path).toBe('/hooks')
  const event = { type: 'data_source.indexed', workspace_id: owner.workspaceId, data: { title: 'one.txt' } }
  expect(await client.webhooks.unwrapEvent(first.body, first.headers, secret)).toMatchObject(event)
  await expect.poll(() => listening.out()).toContain(`204  data_source.indexed  ${first.headers['webhook-id']}\n`)

  line.breakOff()
  await expect.poll(() => opened()).toBe(2)
  await addFile(client, 'two.txt')
  const second = await receiver.next()
  expect(await client.webhooks.unwrapEvent(second.body, second.headers, secret)).toMatchObject({
    data: { title: 'two.txt' },
  })
  await expect.poll(() => listening.out()).toContain('500  data_source.indexed')
  expect(await listening.end('SIGINT')).toBe(0)
})

test('results of asynchronous queries are sent on, signed, with the body that their webhook gets', async () => {
  const { url, owner, path, call } = await startAsyncChat({ script: () => answer('At 1240 degrees.') })
  const [webhook, local] = [await startReceiver(), await startReceiver()]
  const { client, start } = await cliOf({ url, owner }, {})
  const listening = start('webhooks', 'listen', '--forward-to', `${local.url}/hooks`)
  await expect.poll(() => listening.err()).toContain('Listening')
  const secret = /Signed with (whsec_\S+)/.exec(listening.out())![1]!

  const asked = await call('POST', `${path}/async_query`, { query: 'How hot?', webhook_url: `${webhook.url}/own` })
  expect(asked.status).toBe(200)
  const [forwarded, delivered] = [await local.next(), await webhook.next()]
  expect(forwarded.body).toBe(delivered.body)
  expect(forwarded.headers['webhook-id']).toBe(delivered.headers['webhook-id'])
  expect(await client.webhooks.unwrap(forwarded.body, forwarded.headers, secret)).toMatchObject({
    status: 'success',
    data: { id: asked.body.data.message_id, response: 'At 1240 degrees.' },
  })
  await expect.poll(() => listening.out()).toContain(`200  async_query  ${delivered.headers['webhook-id']}\n`)
  expect(await listening.end('SIGINT')).toBe(0)
})

test('for programs each is a line of JSON, also where nobody receives it', async () => {
  const app = await startTestApp()
  const { client, start } = await cliOf(app, {})
  const listening = start('webhooks', 'listen', '--forward-to', '1', '--json')
  await expect.poll(() => listening.out()).toContain('"forward_to":"http://127.0.0.1:1/"')
  await addFile(client, 'one.txt')
  await expect.poll(() => listening.out().trim().split('\n')).toHaveLength(2)
  const [, told] = listening.out().trim().split('\n')
  expect(JSON.parse(told!)).toMatchObject({ type: 'data_source.indexed', status: null, error: expect.any(String) })
  expect(listening.err()).toBe('')
  expect(await listening.end('SIGTERM')).toBe(0)
})

test('a port is needed, and a key of an admin', async () => {
  const app = await startTestApp()
  const { run, client } = await cliOf(app, {})
  expect(await run(['webhooks', 'listen'])).toMatchObject({ code: 2, err: expect.stringContaining('--forward-to') })
  for (const wrong of ['http://', 'ftp://x', 'file:///hooks'])
    expect(await run(['webhooks', 'listen', '--forward-to', wrong])).toMatchObject({ code: 2, out: '' })
  const { key } = await client.apiKeys.create(app.owner.workspaceId, { name: 'Member' })
  const refused = await run(['webhooks', 'listen', '--forward-to', '3000', '--key', key])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('admins and owners') })
})
