import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { startAsyncChat } from '../support/chats/async-chat.ts'
import { manualClock } from '../support/clock.ts'
import { UNKNOWN_ID } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const id = expect.stringMatching(/^[0-9a-f]{24}$/)
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('a delivery is listed, and shown with its attempts', async () => {
  const receiver = await startReceiver((_request, response) => response.end('thanks'))
  const { ask, delivery, call, workspace } = await startAsyncChat()
  const messageId = await ask(receiver.url)
  const shown = await delivery(messageId, { status: 'delivered' })
  const listed = {
    id,
    message_id: messageId,
    url: receiver.url,
    status: 'delivered',
    attempt_count: 1,
    error_message: null,
    next_attempt_at: null,
    delivered_at: timestamp,
    created_at: timestamp,
    updated_at: timestamp,
  }
  const attempt = {
    number: 1,
    started_at: timestamp,
    duration_ms: expect.any(Number),
    status: 200,
    reply: 'thanks',
    error: null,
  }
  expect(shown).toEqual({ ...listed, attempts: [attempt] })
  expect((await call('GET', `${workspace}/webhook-deliveries`)).body).toEqual({
    data: { deliveries: [listed], total: 1, page: 1, page_size: 50, has_more: false },
  })
})

test('deliveries come newest first, by page and by status', async () => {
  const receiver = await startReceiver()
  const { ask, delivery, call, workspace } = await startAsyncChat({ settings: { DOCENT_WEBHOOK_RETRY_DELAYS: '0' } })
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.unshift(await ask(receiver.url))
  const failed = await ask('http://127.0.0.1:1/')
  await delivery(failed, { status: 'failed' })
  for (const messageId of ids) await delivery(messageId, { status: 'delivered' })
  const list = async (query: string) => (await call('GET', `${workspace}/webhook-deliveries?${query}`)).body.data
  const messagesOf = (data: any) => data.deliveries.map((one: any) => one.message_id)
  expect(messagesOf(await list(''))).toEqual([failed, ...ids])
  const first = await list('status=delivered&page_size=2')
  expect(first).toMatchObject({ total: 3, page: 1, page_size: 2, has_more: true })
  expect(messagesOf(first)).toEqual(ids.slice(0, 2))
  const second = await list('status=delivered&page_size=2&page=2')
  expect(second).toMatchObject({ total: 3, page: 2, has_more: false })
  expect(messagesOf(second)).toEqual(ids.slice(2))
  expect(messagesOf(await list('status=failed'))).toEqual([failed])
  expect(await list('status=waiting&page=9')).toEqual({
    deliveries: [],
    total: 0,
    page: 9,
    page_size: 50,
    has_more: false,
  })
  for (const query of ['status=other', 'page=0', 'page_size=101', 'page=x']) {
    const { status, body } = await call('GET', `${workspace}/webhook-deliveries?${query}`)
    expect({ status, code: body.error_code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
  }
})

test('what is still being answered has nothing to deliver again', async () => {
  const receiver = await startReceiver()
  const { ask, delivery, call, workspace, path } = await startAsyncChat({ script: () => ({ silence: true }) })
  const messageId = await ask(receiver.url)
  const waiting = await delivery(messageId, { status: 'waiting', attempt_count: 0, next_attempt_at: null })
  const reply = await call('POST', `${workspace}/webhook-deliveries/${waiting.id}/redeliver`)
  expect(reply).toMatchObject({ status: 409, body: { error_code: 'DELIVERY_WAITING' } })
  await call('POST', `${path}/message/${messageId}/cancel`)
  await delivery(messageId, { status: 'delivered', attempt_count: 1 })
})

test('a delivery that is not there is 404', async () => {
  const { call, owner } = await startTestApp()
  await everyRow(['nonsense', UNKNOWN_ID], async (deliveryId) => {
    const path = `/workspaces/${owner.workspaceId}/webhook-deliveries/${deliveryId}`
    const missing = { status: 404, body: { error_code: 'DELIVERY_NOT_FOUND' } }
    expect(await call('GET', path)).toMatchObject(missing)
    expect(await call('POST', `${path}/redeliver`)).toMatchObject(missing)
  })
})

test("another organization's delivery is not there, and its workspace is closed", async () => {
  const receiver = await startReceiver()
  const { ask, delivery, call, workspace, services } = await startAsyncChat()
  const { id: deliveryId } = await delivery(await ask(receiver.url), { status: 'delivered' })
  const other = await services.access.createOrganization('Other')
  const key = other.apiKey
  const own = `/workspaces/${other.workspaceId}/webhook-deliveries`
  expect((await call('GET', own, undefined, { key })).body.data.total).toBe(0)
  expect((await call('GET', `${own}/${deliveryId}`, undefined, { key })).status).toBe(404)
  expect((await call('POST', `${own}/${deliveryId}/redeliver`, undefined, { key })).status).toBe(404)
  expect((await call('GET', `${workspace}/webhook-deliveries`, undefined, { key })).status).toBe(403)
  expect(receiver.received).toHaveLength(1)
})

const ROUTES = [
  ['GET', 'webhook-secret'],
  ['POST', 'webhook-secret/rotate'],
  ['GET', 'webhook-deliveries'],
  ['GET', `webhook-deliveries/${UNKNOWN_ID}`],
  ['POST', `webhook-deliveries/${UNKNOWN_ID}/redeliver`],
] as const

test.each(ROUTES)('%s %s is for admins and owners of the workspace', async (method, path) => {
  const app = await startTestApp()
  const member = await addKey(app, { role: 'member', permissions: ['create_knowledgebase', 'manage_agents'] })
  const admin = await addKey(app, { role: 'admin' })
  const at = (workspaceId: string) => `/workspaces/${workspaceId}/${path}`
  const own = at(app.owner.workspaceId)
  expect((await app.call(method, own, undefined, { key: null })).status).toBe(401)
  const forbidden = { status: 403, body: { error_code: 'FORBIDDEN' } }
  expect(await app.call(method, own, undefined, { key: member })).toMatchObject(forbidden)
  expect(await app.call(method, at(UNKNOWN_ID))).toMatchObject(forbidden)
  expect(await app.call(method, at('nonsense'))).toMatchObject(forbidden)
  expect((await app.call(method, own, undefined, { key: admin })).status).not.toBe(403)
})

test('the secret is made on first need, once, and stays', async () => {
  const { call, owner } = await startTestApp()
  const path = `/workspaces/${owner.workspaceId}/webhook-secret`
  const replies = await Promise.all(Array.from({ length: 20 }, () => call('GET', path)))
  const secrets = new Set(replies.map(({ body }) => body.data.secret))
  expect(secrets.size).toBe(1)
  expect(replies[0]!.body).toEqual({
    data: { secret: expect.stringMatching(/^whsec_[\w+/]+=*$/), created_at: timestamp, previous: [] },
  })
})

test('a rotated secret signs along for 24 hours', async () => {
  const clock = manualClock()
  const { call, owner, services } = await startTestApp({}, { clock })
  const path = `/workspaces/${owner.workspaceId}/webhook-secret`
  const old = (await call('GET', path)).body.data
  const rotated = (await call('POST', `${path}/rotate`)).body.data
  expect(rotated.secret).not.toBe(old.secret)
  expect(rotated.previous).toEqual([{ created_at: old.created_at, expires_at: '2026-02-01T09:30:00.000Z' }])
  expect((await call('GET', path)).body.data).toEqual(rotated)
  const valid = async () => {
    const secrets = await services.webhookSecrets.list(owner.organizationId, owner.workspaceId)
    return secrets.map(({ secret }) => secret)
  }
  expect(await valid()).toEqual([rotated.secret, old.secret])
  clock.pass(24 * 3_600_000 - 1)
  expect(await valid()).toEqual([rotated.secret, old.secret])
  clock.pass(1)
  expect(await valid()).toEqual([rotated.secret])
})

test('a receiver that knows only the old secret, or only the new one, accepts what is sent after a rotation', async () => {
  const receiver = await startReceiver()
  const { ask, call, workspace } = await startAsyncChat()
  const old = (await call('GET', `${workspace}/webhook-secret`)).body.data
  const current = (await call('POST', `${workspace}/webhook-secret/rotate`)).body.data
  await ask(receiver.url)
  const { body, headers } = await receiver.next()
  for (const { secret } of [old, current]) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
  }
})
