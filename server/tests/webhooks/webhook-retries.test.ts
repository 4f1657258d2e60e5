import { expect, test } from 'vitest'
import { startAsyncChat } from '../support/chats/async-chat.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const quick = { DOCENT_WEBHOOK_RETRY_DELAYS: '0.05,0.05' }

test('what the receiver refuses is sent again, with the same id and a signature of its own', async () => {
  const receiver = await startReceiver((_request, response, index) => {
    response.writeHead(index < 2 ? 500 : 204).end(index < 2 ? 'not now' : undefined)
  })
  const { ask, delivery } = await startAsyncChat({ settings: quick })
  const messageId = await ask(receiver.url)
  const delivered = await delivery(messageId, { status: 'delivered' })
  expect(delivered).toMatchObject({ attempt_count: 3, error_message: null, next_attempt_at: null })
  expect(delivered.attempts).toMatchObject([
    { number: 1, status: 500, reply: 'not now', error: null },
    { number: 2, status: 500, reply: 'not now', error: null },
    { number: 3, status: 204, reply: '', error: null },
  ])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivered.id]))
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
})

test('after the last retry it is kept as failed, and can be delivered again', async () => {
  let status = 503
  const receiver = await startReceiver((_request, response) => response.writeHead(status).end())
  const { ask, delivery, call, workspace } = await startAsyncChat({ settings: quick })
  const messageId = await ask(receiver.url)
  const failed = await delivery(messageId, { status: 'failed', attempt_count: 3, next_attempt_at: null })
  expect(failed.error_message).toBe('The receiver answered 503')

  status = 200
  const again = await call('POST', `${workspace}/webhook-deliveries/${failed.id}/redeliver`)
  expect(again).toMatchObject({ status: 200, body: { data: { id: failed.id, status: 'pending' } } })
  await delivery(messageId, { status: 'delivered', attempt_count: 4 })
  // A delivery that arrived can be asked for again, too; the schedule starts over.
  status = 500
  await call('POST', `${workspace}/webhook-deliveries/${failed.id}/redeliver`)
  await delivery(messageId, { status: 'failed', attempt_count: 7 })
  expect(receiver.received).toHaveLength(7)
})

test('410 stops at once', async () => {
  const receiver = await startReceiver((_request, response) => response.writeHead(410).end())
  const { ask, delivery } = await startAsyncChat({ settings: quick })
  await delivery(await ask(receiver.url), { status: 'failed', attempt_count: 1 })
  expect(receiver.received).toHaveLength(1)
})

test('a redirect is a failure and is not followed', async () => {
  const target = await startReceiver()
  const receiver = await startReceiver((_request, response) => response.writeHead(307, { location: target.url }).end())
  const { ask, delivery } = await startAsyncChat({ settings: { DOCENT_WEBHOOK_RETRY_DELAYS: '0' } })
  const { error_message } = await delivery(await ask(receiver.url), { status: 'failed', attempt_count: 2 })
  expect(error_message).toBe('The receiver answered 307')
  expect(target.received).toEqual([])
})

test.each([
  ['seconds', () => '1'],
  ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
])('Retry-After in %s is waited for', async (_form, header) => {
  const receiver = await startReceiver((_request, response, index) => {
    if (index === 0) response.writeHead(429, { 'retry-after': header() })
    response.end()
  })
  const { ask } = await startAsyncChat({ settings: { DOCENT_WEBHOOK_RETRY_DELAYS: '0' } })
  await ask(receiver.url)
  const first = await receiver.next()
  const second = await receiver.next()
  // A date has no milliseconds, so it may come up to one second early.
  expect(second.at - first.at).toBeGreaterThan(950)
})

test('the next attempt is shown', async () => {
  const receiver = await startReceiver((_request, response) => response.writeHead(500).end())
  const { ask, delivery } = await startAsyncChat({ settings: { DOCENT_WEBHOOK_RETRY_DELAYS: '1000' } })
  const { next_attempt_at, attempts } = await delivery(await ask(receiver.url), { status: 'pending', attempt_count: 1 })
  const pause = (Date.parse(next_attempt_at) - Date.parse(attempts[0].started_at)) / 1000
  expect(pause).toBeGreaterThan(899)
  expect(pause).toBeLessThan(1_101)
})

test('a receiver that does not answer in time, or where nobody listens, is logged with the reason', async () => {
  const silent = await startReceiver(() => {})
  const { ask, delivery } = await startAsyncChat({
    settings: { DOCENT_WEBHOOK_RETRY_DELAYS: '1000', DOCENT_WEBHOOK_TIMEOUT: '0.2' },
  })
  const slow = await delivery(await ask(silent.url), { attempt_count: 1 })
  expect(slow.attempts[0]).toMatchObject({ status: null, reply: null, error: 'No answer within 0.2 s' })
  expect(slow.attempts[0].duration_ms).toBeGreaterThanOrEqual(199)
  const dead = await delivery(await ask('http://127.0.0.1:1/'), { attempt_count: 1 })
  expect(dead.attempts[0]).toMatchObject({ status: null, error: expect.stringContaining('ECONNREFUSED') })
})

test('the first 2 KiB of a reply are kept, and a reply that goes on for ever is a success all the same', async () => {
  const receiver = await startReceiver((_request, response) => response.end('ü'.repeat(5_000)))
  const endless = await startReceiver((_request, response) => response.write('begun'))
  const { ask, delivery } = await startAsyncChat({ settings: { DOCENT_WEBHOOK_TIMEOUT: '2' } })
  const long = await delivery(await ask(receiver.url), { status: 'delivered' })
  expect(long.attempts[0].reply).toBe('ü'.repeat(1024))
  const cut = await delivery(await ask(endless.url), { status: 'delivered' })
  expect(cut.attempts[0]).toMatchObject({ status: 200, reply: 'begun' })
})

test('a slow receiver with many deliveries delays nobody else, and gets all of them in the end', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let atOnce = 0
  let most = 0
  const slow = await startReceiver(async (_request, response) => {
    most = Math.max(most, ++atOnce)
    await released
    atOnce--
    response.end()
  })
  const quickReceiver = await startReceiver()
  const { ask, newChat, deliveries } = await startAsyncChat()
  const chats = await Promise.all(Array.from({ length: 5 }, newChat))
  await Promise.all(Array.from({ length: 60 }, (_, index) => ask(slow.url, {}, chats[index % chats.length])))
  await expect.poll(() => slow.received.length).toBe(8)
  const messageId = await ask(quickReceiver.url)
  expect(JSON.parse((await quickReceiver.next()).body).data.id).toBe(messageId)
  expect(slow.received).toHaveLength(8)
  release()
  await expect.poll(async () => (await deliveries()).filter(({ status }) => status === 'delivered').length).toBe(61)
  expect(most).toBe(8)
  expect(new Set(slow.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60)
})
