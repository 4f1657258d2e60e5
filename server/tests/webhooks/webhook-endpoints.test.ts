import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FAILING_MS } from '../../src/webhooks/endpoints/endpoint-health.ts'
import { MOST_ENDPOINTS } from '../../src/webhooks/endpoints/endpoints.service.ts'
import { addKey } from '../support/access/keys.ts'
import { CREATE, startReviews } from '../support/chats/reviews.ts'
import { manualClock } from '../support/clock.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { linkedFoldersOf } from '../support/sources/linked-folders.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

const LOCAL = { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' }

const endpointsOf = ({ call, owner }: Pick<TestApp, 'call' | 'owner'>) => {
  const path = `/workspaces/${owner.workspaceId}/webhook-endpoints`
  return {
    path,
    async add(fields: object): Promise<any> {
      const { status, body } = await call('POST', path, fields)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.data
    },
    /** The newest delivery to an endpoint, once it is as expected. */
    delivery: (id: string, expected: object): Promise<any> =>
      vi.waitFor(
        async () => {
          const [newest] = (await call('GET', `${path}/${id}/deliveries`)).body.data.deliveries
          expect(newest).toMatchObject(expected)
          return newest
        },
        { timeout: 30_000, interval: 20 },
      ),
  }
}

test('files that are found, and files that cannot be read, are sent to the endpoints that chose that, signed', async () => {
  const receiver = await startReceiver()
  const app = await startTestApp(LOCAL)
  const { add, path, delivery } = endpointsOf(app)
  const drive = driveOf(app)
  const { secret, ...endpoint } = await add({
    url: `${receiver.url}/all`,
    event_types: ['data_source.indexed', 'data_source.failed'],
    description: 'Search on our site',
  })
  const failures = await add({ url: `${receiver.url}/failures`, event_types: ['data_source.failed'] })
  expect((await app.call('GET', path)).body.data).toMatchObject({ total: 2, webhook_endpoints: [endpoint, {}] })
  expect((await app.call('GET', `${path}/${endpoint.id}`)).body.data).toEqual(endpoint)

  const folder = await drive.newFolder('Handbook')
  const file = await drive.addFile(folder, { title: 'paint.txt', content: 'Paint is kept in the shed.', index: true })
  const { body, headers } = await receiver.next()
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
    type: 'data_source.indexed',
    timestamp: expect.any(String),
    workspace_id: app.owner.workspaceId,
    data: { data_source_id: file, knowledge_base_id: folder, title: 'paint.txt', chunk_count: 1 },
  })
  const sent = await delivery(endpoint.id, { status: 'delivered', event_type: 'data_source.indexed' })
  expect(headers['webhook-id']).toBe(sent.id)
  const shown = (await app.call('GET', `${path}/${endpoint.id}/deliveries/${sent.id}`)).body.data
  expect(shown).toEqual({ ...sent, body, attempts: [expect.objectContaining({ number: 1, status: 200 })] })

  const broken = await drive.addFile(folder, { title: 'broken.pdf', content: '%PDF-1.7 and nothing else', index: true })
  const both = [await receiver.next(), await receiver.next()]
  expect(both.map(({ path }) => path).sort()).toEqual(['/all', '/failures'])
  for (const { body } of both)
    expect(JSON.parse(body)).toMatchObject({
      type: 'data_source.failed',
      data: { data_source_id: broken, knowledge_base_id: folder, reason: expect.any(String) },
    })
  await delivery(failures.id, { status: 'delivered' })
  // The log of results of messages has none of these.
  const log = `/workspaces/${app.owner.workspaceId}/webhook-deliveries`
  expect((await app.call('GET', log)).body.data.total).toBe(0)
  expect((await app.call('GET', `${log}/${sent.id}`)).status).toBe(404)

  expect((await app.call('POST', `${path}/${endpoint.id}/deliveries/${sent.id}/redeliver`)).status).toBe(200)
  expect((await receiver.next()).headers['webhook-id']).toBe(sent.id)

  const statusOf = async () => (await app.call('GET', `${path}/${endpoint.id}/deliveries/${sent.id}`)).body.data.status
  await expect.poll(statusOf).toBe('delivered')
  await app.call('PATCH', `${path}/${endpoint.id}`, { is_enabled: false })
  expect(await app.call('POST', `${path}/${endpoint.id}/deliveries/${sent.id}/redeliver`)).toMatchObject({
    status: 409,
    body: { error_code: 'WEBHOOK_ENDPOINT_OFF' },
  })
  expect(await statusOf()).toBe('delivered')
})

test('a message that waits for a review is sent to the endpoints of its workspace', async () => {
  const receiver = await startReceiver()
  const { ask, ...app } = await startReviews(CREATE, { settings: LOCAL })
  const { add } = endpointsOf(app)
  await add({ url: receiver.url, event_types: ['message.waiting'] })
  const { message_id, review } = (await ask('Write to all', {}, app.path)).body.data
  expect(JSON.parse((await receiver.next()).body)).toMatchObject({
    type: 'message.waiting',
    data: {
      message_id,
      chat_id: review.chat_id,
      agent_id: review.agent_id,
      review_id: review.id,
      review_kind: 'approval',
    },
  })
})

test('a linked folder whose source is gone is sent once, however often its syncs fail', async () => {
  const root = await mkdtemp(join(tmpdir(), 'docent-source-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const receiver = await startReceiver()
  const app = await startTestApp({ ...LOCAL, DOCENT_DIRECTORY_ROOTS: root })
  const { add, path } = endpointsOf(app)
  const { create, whenMade } = linkedFoldersOf(app)
  const { id } = await add({ url: receiver.url, event_types: ['integration.failed'] })
  const made = await whenMade(create({ kind: 'directory', config: { path: root, interval_seconds: 1 } }))
  await rm(root, { recursive: true })
  const { type, data } = JSON.parse((await receiver.next()).body)
  expect({ type, data }).toMatchObject({
    type: 'integration.failed',
    data: { integration_id: made.id, kind: 'directory', error_message: expect.any(String) },
  })
  const syncs = async () => {
    const { db } = app.services
    const row = await db
      .selectFrom('integration')
      .select('generation')
      .where('organization_id', '=', app.owner.organizationId)
      .executeTakeFirstOrThrow()
    return row.generation
  }
  const before = await syncs()
  await expect.poll(syncs, { timeout: 30_000 }).toBeGreaterThan(before + 1)
  expect((await app.call('GET', `${path}/${id}/deliveries`)).body.data.total).toBe(1)
})

test('a secret is rotated, and for a day both sign; a test goes out also when the endpoint is off', async () => {
  const receiver = await startReceiver()
  const clock = manualClock(new Date().toISOString())
  const app = await startTestApp(LOCAL, { clock })
  const { add, path, delivery } = endpointsOf(app)
  const { id, secret: first } = await add({ url: receiver.url, event_types: ['message.waiting'] })
  const { secret: second, old_secret_until } = (await app.call('POST', `${path}/${id}/secret/rotate`)).body.data
  expect(second).not.toBe(first)
  expect(Date.parse(old_secret_until) - clock().getTime()).toBe(24 * 3_600_000)
  const off = await app.call('PATCH', `${path}/${id}`, { is_enabled: false, description: 'Off for now' })
  expect(off.body.data).toMatchObject({ is_enabled: false, disabled_reason: 'asked', description: 'Off for now' })
  expect((await app.call('POST', `${path}/${id}/test`)).body.data).toMatchObject({ event_type: 'webhook.test' })
  const { body, headers } = await receiver.next()
  expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test', data: { endpoint_id: id } })
  for (const secret of [first, second]) new Webhook(secret).verify(body, headers as Record<string, string>)

  clock.pass(24 * 3_600_000)
  const on = (await app.call('PATCH', `${path}/${id}`, { is_enabled: true })).body.data
  expect(on).toMatchObject({ is_enabled: true, disabled_at: null, disabled_reason: null, old_secret_until: null })
  await app.call('POST', `${path}/${id}/test`)
  expect((await receiver.next()).headers['webhook-signature']).not.toContain(' ')
  await delivery(id, { status: 'delivered' })
})

test('an endpoint that fails for three days, or is gone, is switched off, which the audit log says', async () => {
  let status = 500
  const receiver = await startReceiver((_, response) => {
    response.statusCode = status
    response.end()
  })
  const clock = manualClock()
  const app = await startTestApp({ ...LOCAL, DOCENT_WEBHOOK_RETRY_DELAYS: '0' }, { clock })
  const { add, path, delivery } = endpointsOf(app)
  const { id } = await add({ url: receiver.url, event_types: ['message.waiting'] })
  const again = async () => {
    await app.call('POST', `${path}/${id}/test`)
    return delivery(id, { status: 'failed', error_message: `The receiver answered ${status}` })
  }
  const get = async () => (await app.call('GET', `${path}/${id}`)).body.data
  await again()
  clock.pass(FAILING_MS - 1)
  await again()
  expect(await get()).toMatchObject({ is_enabled: true, failing_since: '2026-01-31T09:30:00.000Z' })
  clock.pass(1)
  await again()
  expect(await get()).toMatchObject({ is_enabled: false, disabled_reason: 'failing' })
  await app.call('PATCH', `${path}/${id}`, { is_enabled: true })
  status = 410
  await again()
  expect(await get()).toMatchObject({ is_enabled: false, disabled_reason: 'gone' })
  const { body } = await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log?target_type=webhook_endpoint`)
  expect(body.data.entries.map(({ action }: any) => action)).toEqual([
    'webhook_endpoint.disabled',
    'webhook_endpoint.updated',
    'webhook_endpoint.disabled',
    'webhook_endpoint.created',
  ])
})

test('an endpoint that is deleted gives up what is on its way', async () => {
  const receiver = await startReceiver((_, response) => {
    response.statusCode = 503
    response.end()
  })
  const app = await startTestApp(LOCAL)
  const { add, path, delivery } = endpointsOf(app)
  const { id } = await add({ url: receiver.url, event_types: ['message.waiting'] })
  await app.call('POST', `${path}/${id}/test`)
  const { id: deliveryId } = await delivery(id, { status: 'pending', attempt_count: 1 })
  expect((await app.call('DELETE', `${path}/${id}`)).body).toEqual({ data: { deleted: true } })
  expect((await app.call('GET', `${path}/${id}`)).body.error_code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND')
  const row = await app.services.db
    .selectFrom('webhook_delivery')
    .select(['status', 'error_message'])
    .where('organization_id', '=', app.owner.organizationId)
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ status: 'failed', error_message: 'The endpoint was deleted' })
})

test('wrong input is refused with its place, a workspace has twenty endpoints at most, and members none', async () => {
  const app = await startTestApp()
  const { path } = endpointsOf(app)
  const good = { url: 'https://example.com/hook', event_types: ['message.waiting'] }
  await everyRow(
    [
      [{ ...good, url: '' }, 'VALIDATION_ERROR', 'url'],
      [{ ...good, url: 'x'.repeat(2049) }, 'VALIDATION_ERROR', 'url'],
      [{ ...good, url: null }, 'VALIDATION_ERROR', 'url'],
      [{ ...good, url: 'ftp://example.com' }, 'WEBHOOK_URL_NOT_ALLOWED', 'url'],
      [{ ...good, url: 'http://127.0.0.1/' }, 'WEBHOOK_URL_NOT_ALLOWED', 'url'],
      [{ ...good, url: 'https://user:word@example.com/' }, 'WEBHOOK_URL_NOT_ALLOWED', 'url'],
      [{ ...good, event_types: [] }, 'VALIDATION_ERROR', 'event_types'],
      [{ ...good, event_types: ['message.waiting', 'message.waiting'] }, 'VALIDATION_ERROR', 'event_types'],
      [{ ...good, event_types: ['webhook.test'] }, 'VALIDATION_ERROR', 'event_types.0'],
      [{ ...good, description: 'x'.repeat(257) }, 'VALIDATION_ERROR', 'description'],
      [{ url: good.url }, 'VALIDATION_ERROR', 'event_types'],
    ] as const,
    async (body, error_code, place) => {
      const reply = await app.call('POST', path, body)
      expect(reply).toMatchObject({ status: 400, body: { error_code, details: [{ path: place }] } })
    },
  )
  const all = await Promise.all(Array.from({ length: MOST_ENDPOINTS + 1 }, () => app.call('POST', path, good)))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(MOST_ENDPOINTS)
  expect(all.find(({ status }) => status !== 200)).toMatchObject({
    status: 409,
    body: { error_code: 'WEBHOOK_ENDPOINT_LIMIT' },
  })
  const { id } = all.find(({ status }) => status === 200)!.body.data
  expect(await app.call('PATCH', `${path}/${id}`, { url: 'http://10.0.0.1/' })).toMatchObject({
    body: { error_code: 'WEBHOOK_URL_NOT_ALLOWED' },
  })
  const member = await addKey(app, { role: 'member', permissions: ['create_knowledgebase', 'manage_agents'] })
  await everyRow(['', `/${id}`, `/${id}/deliveries`, `/${id}/deliveries/${UNKNOWN_ID}`], async (below) => {
    expect((await app.call('GET', path + below, undefined, { key: member })).status).toBe(403)
  })
  const missing = { status: 404, body: { error_code: 'WEBHOOK_ENDPOINT_NOT_FOUND' } }
  await everyRow(['nonsense', UNKNOWN_ID], async (unknown) => {
    expect(await app.call('GET', `${path}/${unknown}`)).toMatchObject(missing)
    expect(await app.call('PATCH', `${path}/${unknown}`, {})).toMatchObject(missing)
    expect(await app.call('DELETE', `${path}/${unknown}`)).toMatchObject(missing)
    expect(await app.call('POST', `${path}/${unknown}/test`)).toMatchObject(missing)
    expect(await app.call('POST', `${path}/${unknown}/secret/rotate`)).toMatchObject(missing)
    expect(await app.call('GET', `${path}/${unknown}/deliveries`)).toMatchObject(missing)
  })
})
