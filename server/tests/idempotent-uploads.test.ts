import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { manualClock } from './support/clock.ts'
import { startTestApp } from './support/test-app.ts'

function form(content: string | Uint8Array<ArrayBuffer>, { name = 'notes.txt', email = '' } = {}): FormData {
  const body = new FormData()
  if (email) body.append('virtual_user_email', email)
  body.append('file', new File([content], name))
  return body
}

async function keysOf(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const key of keys) found.push(key)
  return found
}

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

test('an upload that is sent again is stored once, and answered as the first time', async () => {
  const { call, services } = await startTestApp()
  const bytes = randomBytes(3_000_000)
  const first = await call('POST', '/uploaded-files', form(bytes), withKey('a-1'))
  expect(first).toMatchObject({ status: 200, body: { data: expect.stringMatching(/^[0-9a-f]{24}$/) } })
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  const again = await call('POST', '/uploaded-files', form(bytes), withKey('a-1'))
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const blobs = await keysOf(services.blobs.keys())
  expect(blobs).toEqual([first.body.data])
  const another = await call('POST', '/uploaded-files', form(bytes), withKey('a-2'))
  expect(another.body.data).not.toBe(first.body.data)
})

test('another file, name, person or request with the key is refused, and nothing is stored', async () => {
  const { call, services } = await startTestApp()
  const first = await call('POST', '/uploaded-files', form('one'), withKey('k'))
  const conflict = { status: 409, body: { error_code: 'IDEMPOTENCY_CONFLICT' } }
  for (const other of [form('two'), form('one', { name: 'other.txt' }), form('one', { email: 'ada@example.com' })])
    expect(await call('POST', '/uploaded-files', other, withKey('k'))).toMatchObject(conflict)
  expect(await call('POST', '/agents', { name: 'A' }, withKey('k'))).toMatchObject(conflict)
  await call('POST', '/agents', { name: 'A' }, withKey('agent'))
  expect(await call('POST', '/uploaded-files', form('one'), withKey('agent'))).toMatchObject(conflict)
  expect(await keysOf(services.blobs.keys())).toEqual([first.body.data])
  expect((await call('POST', '/uploaded-files', form('one'), withKey('k'))).body).toEqual(first.body)
})

test('after a refused upload the key is free', async () => {
  const { call } = await startTestApp()
  expect((await call('POST', '/uploaded-files', form(''), withKey('k'))).status).toBe(400)
  expect((await call('POST', '/uploaded-files', form('full'), withKey('k'))).status).toBe(200)
})

test('many at the same time are stored once', async () => {
  const { call, services } = await startTestApp()
  const bytes = randomBytes(200_000)
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => call('POST', '/uploaded-files', form(bytes), withKey('crowd'))),
  )
  const made = new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body.data))
  expect(made.size).toBe(1)
  for (const { status, body } of replies.filter(({ status }) => status !== 200))
    expect([status, body.error_code]).toEqual([409, 'REQUEST_IN_PROGRESS'])
  expect(await keysOf(services.blobs.keys())).toEqual([...made])
})

test('what a dead process began is uploaded by the next attempt, and what is kept holds no digest of the bytes', async () => {
  const { call, services } = await startTestApp()
  await call('POST', '/uploaded-files', form('orphan'), withKey('orphan'))
  const row = await services.db.selectFrom('idempotent_request').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(createHash('sha256').update('orphan').digest('hex'))
  await services.db.deleteFrom('idempotent_request').execute()
  await call('POST', '/uploaded-files', form('orphan'), withKey('orphan'))
  // The row of a request that is under way knows nothing of its body yet.
  const digests = await services.idempotentRequests.digestsOf(
    { organizationId: row.organization_id } as never,
    'orphan',
    { method: 'POST', url: '/v1/uploaded-files', body: null },
  )
  await services.db
    .updateTable('idempotent_request')
    .set({ process_id: 'dead', status: null, answer: null, request_digest: digests.request })
    .execute()
  const taken = await call('POST', '/uploaded-files', form('orphan'), withKey('orphan'))
  expect(taken.status).toBe(200)
  expect(taken.headers.get('idempotency-replayed')).toBeNull()
  expect((await call('POST', '/uploaded-files', form('orphan'), withKey('orphan'))).body).toEqual(taken.body)
})

test('the key of an upload is forgotten after a day', async () => {
  const clock = manualClock()
  const { call, services } = await startTestApp({}, { clock })
  const first = await call('POST', '/uploaded-files', form('day'), withKey('day'))
  clock.pass(24 * 3_600_000 + 1)
  await services.idempotentRequests.sweep.sweep()
  const again = await call('POST', '/uploaded-files', form('day'), withKey('day'))
  expect(again.status).toBe(200)
  expect(again.body.data).not.toBe(first.body.data)
})
