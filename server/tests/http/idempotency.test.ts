import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { manualClock } from '../support/clock.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const withKey = (key: string, more = {}) => ({ headers: { 'idempotency-key': key, ...more } })

test('a write that is sent again is done once, and its answer comes again', async () => {
  const { call } = await startTestApp()
  const body = { name: 'Once' }
  const first = await call('POST', '/agents', body, withKey('a-1'))
  const again = await call('POST', '/agents', body, withKey('a-1'))
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(again).toMatchObject({ status: first.status, body: first.body })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  await call('POST', '/agents', body, withKey('a-2'))
  const { body: list } = await call('GET', '/agents')
  expect(list.data.agents.filter((one: { name: string }) => one.name === 'Once')).toHaveLength(2)
})

test('many at the same time are done once', async () => {
  const { call } = await startTestApp()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => call('POST', '/agents', { name: 'Crowd' }, withKey('crowd'))),
  )
  const made = new Set(replies.filter(({ status }) => status < 300).map(({ body }) => body.data.id))
  expect(made.size).toBe(1)
  for (const { status, headers, body } of replies.filter(({ status }) => status >= 300)) {
    expect([status, body.error_code]).toEqual([409, 'REQUEST_IN_PROGRESS'])
    expect(headers.get('retry-after')).toBe('1')
  }
  expect((await call('POST', '/agents', { name: 'Crowd' }, withKey('crowd'))).body.data.id).toBe([...made][0])
})

test('a key stands for one request of one caller', async () => {
  const app = await startTestApp()
  const key = await addKey(app, { role: 'owner' })
  const first = await app.call('POST', '/agents', { name: 'Mine' }, withKey('k'))
  for (const [method, path, body] of [
    ['POST', '/agents', { name: 'Another' }],
    ['POST', '/knowledge-bases', { knowledge_base_name: 'Mine' }],
    ['PATCH', `/agents/${first.body.data.id}`, { name: 'Mine' }],
  ] as const)
    expect(await app.call(method, path, body, withKey('k'))).toMatchObject({
      status: 409,
      body: { error_code: 'IDEMPOTENCY_CONFLICT' },
    })
  const others = await app.call('POST', '/agents', { name: 'Mine' }, { key, ...withKey('k') })
  expect(others.body.data.id).not.toBe(first.body.data.id)
})

test('after an error the key is free', async () => {
  const { call } = await startTestApp()
  const missing = { name: 'Reader', knowledge_base_ids: ['0'.repeat(24)] }
  expect((await call('POST', '/agents', missing, withKey('agent'))).status).toBe(404)
  const { status } = await call('POST', '/agents', { name: 'Reader' }, withKey('agent'))
  expect(status).toBe(200)
})

test('answers are encrypted where they lie, and forgotten after a day', async () => {
  const clock = manualClock()
  const { call, services } = await startTestApp({}, { clock })
  const made = await call('POST', '/agents', { name: 'Kept for a day' }, withKey('day'))
  const row = () => services.db.selectFrom('idempotent_request').selectAll().executeTakeFirst()
  expect(JSON.stringify(await row())).not.toContain('Kept for a day')
  clock.pass(24 * 3_600_000 + 1)
  await services.idempotentRequests.sweep.sweep()
  expect(await row()).toBeUndefined()
  const again = await call('POST', '/agents', { name: 'Kept for a day' }, withKey('day'))
  expect(again.body.data.id).not.toBe(made.body.data.id)
})

test('what a dead process began is carried out by the next one', async () => {
  const { call, services } = await startTestApp()
  await call('POST', '/agents', { name: 'Orphan' }, withKey('orphan'))
  await services.db.updateTable('idempotent_request').set({ process_id: 'dead', status: null, answer: null }).execute()
  const taken = await call('POST', '/agents', { name: 'Orphan' }, withKey('orphan'))
  expect(taken.headers.get('idempotency-replayed')).toBeNull()
  const again = await call('POST', '/agents', { name: 'Orphan' }, withKey('orphan'))
  expect(again.body.data.id).toBe(taken.body.data.id)
})

test('a question with a key is asked once, whole and as a stream', async () => {
  const { call, path, succeed } = await startTestChat()
  const first = await call('POST', `${path}/query`, { query: 'Hello?' }, withKey('q'))
  expect((await call('POST', `${path}/query`, { query: 'Hello?' }, withKey('q'))).body).toEqual(first.body)
  const streamed = await call('POST', `${path}/query`, { query: 'Hello?', is_stream: true }, withKey('q'))
  expect(streamed.body).toContain(first.body.data.message_id)
  expect((await succeed('GET', `${path}/messages`)).data.messages).toHaveLength(1)
  expect((await call('POST', `${path}/query`, { query: 'Another?' }, withKey('q'))).status).toBe(409)
})

test('a key that is none is refused', async () => {
  const { call } = await startTestApp()
  for (const key of ['two words', 'x'.repeat(256)])
    expect(await call('POST', '/agents', { name: 'A' }, withKey(key))).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR', details: [{ path: 'Idempotency-Key' }] },
    })
})
