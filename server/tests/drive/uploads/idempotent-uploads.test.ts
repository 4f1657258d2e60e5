import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addKey } from '../../support/access/keys.ts'
import { manualClock } from '../../support/clock.ts'
import { formOf } from '../../support/drive/drive.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const PATH = '/uploaded-files'
const withKey = (key: string, more = {}) => ({ headers: { 'idempotency-key': key }, ...more })
const CONFLICT = { status: 409, body: { error_code: 'IDEMPOTENCY_CONFLICT' } }

async function start(clock = manualClock()) {
  const app = await startTestApp({}, { clock })
  const uploads = () => app.services.db.selectFrom('upload').selectAll().execute()
  const blobs = async () => {
    const entries = await readdir(join(app.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  }
  return { ...app, uploads, blobs }
}

test('an upload that is sent again is kept once, whatever its boundary, and gets the first answer', async () => {
  const { call, uploads, blobs } = await start()
  const first = await call('POST', PATH, formOf('hello', 'a.txt'), withKey('u-1'))
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  const again = await call('POST', PATH, formOf('hello', 'a.txt'), withKey('u-1'))
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await uploads()).toHaveLength(1)
  expect(await blobs()).toEqual([first.body.data])
  const other = await call('POST', PATH, formOf('hello', 'a.txt'), withKey('u-2'))
  expect(other.body.data).not.toBe(first.body.data)
})

test('other content, another name, another person and another route with the key are refused, and nothing stays', async () => {
  const { call, uploads, blobs } = await start()
  const { body } = await call('POST', PATH, formOf('hello', 'a.txt'), withKey('k'))
  for (const form of [formOf('hellO', 'a.txt'), formOf('hello', 'b.txt'), formOf('hello', 'a.txt', 'a@example.com')])
    expect(await call('POST', PATH, form, withKey('k'))).toMatchObject(CONFLICT)
  expect(await call('POST', '/agents', { name: 'A' }, withKey('k'))).toMatchObject(CONFLICT)
  expect(await uploads()).toHaveLength(1)
  expect(await blobs()).toEqual([body.data])
  const bad = await call('POST', PATH, formOf('hello'), withKey('two words'))
  expect(bad).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
})

test('a key belongs to its caller, is free after an error, and for a day', async () => {
  const clock = manualClock()
  const app = await start(clock)
  const key = await addKey(app, { role: 'owner' })
  const send = (content: string, more = {}) => app.call('POST', PATH, formOf(content, 'a.txt'), withKey('day', more))
  expect((await send('')).status).toBe(400)
  const mine = await send('hello')
  expect(mine.status).toBe(200)
  expect((await send('hello', { key })).body.data).not.toBe(mine.body.data)
  clock.pass(24 * 3_600_000 + 1)
  await app.services.idempotentRequests.sweep.sweep()
  expect((await send('other')).status).toBe(200)
})

test('many at the same time are kept once', async () => {
  const { call, uploads, blobs } = await start()
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => call('POST', PATH, formOf('hello', 'a.txt'), withKey('crowd'))),
  )
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.data}`)).size).toBe(1)
  expect(await uploads()).toHaveLength(1)
  expect(await blobs()).toHaveLength(1)
})

test('the key is noted with the upload or not at all, so that a kill between leaves neither', async () => {
  const { call, uploads, services } = await start()
  const noted = () => services.db.selectFrom('idempotent_request').select('status').execute()
  const { commit } = services.writes
  services.writes.commit = (body) =>
    commit(async (tx) => {
      await body(tx)
      throw new Error('The process ends here')
    })
  try {
    expect((await call('POST', PATH, formOf('hello', 'a.txt'), withKey('kill'))).status).toBe(500)
  } finally {
    services.writes.commit = commit
  }
  expect([await uploads(), await noted()]).toEqual([[], []])
  expect((await call('POST', PATH, formOf('hello', 'a.txt'), withKey('kill'))).status).toBe(200)
  expect(await noted()).toEqual([{ status: 200 }])
})
