import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Clock } from '../../../src/platform/clock.ts'
import { manualClock } from '../../support/clock.ts'
import { driveOf, formOf, UNKNOWN_ID } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { rawRequest, sendRaw } from '../../support/http/raw-http.ts'
import { startTestApp } from '../../support/test-app.ts'

const PATH = '/uploaded-files'

async function start(settings: Record<string, string> = {}, clock?: Clock) {
  const app = await startTestApp(settings, { clock })
  /** Every file below the blobs folder, finished or not. */
  const storedFiles = async () =>
    (await readdir(join(app.dataDir, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  const rows = () => app.services.db.selectFrom('upload').selectAll().execute()
  async function expectFailure(reply: { status: number; body: any }, message: RegExp) {
    expect(reply).toMatchObject({ status: 400, body: { error_code: 'FILE_UPLOAD_FAILED' } })
    expect(reply.body.message).toMatch(message)
    expect(await storedFiles()).toEqual([])
    expect(await rows()).toEqual([])
  }
  /** A multipart body as it is, through a socket. */
  async function sendBody(body: string, headers: Record<string, string> = {}) {
    const contentType = { 'content-type': 'multipart/form-data; boundary=XX', 'x-api-key': app.owner.apiKey }
    const answer = await sendRaw(app.url, rawRequest('/v1/uploaded-files', { ...contentType, ...headers }, body))
    const [head, json] = answer.split('\r\n\r\n') as [string, string]
    return { status: Number(head.split(' ')[1]), body: JSON.parse(json) }
  }
  return { ...app, ...driveOf(app), storedFiles, rows, expectFailure, sendBody }
}

const part = (headers: string, content: string) => `--XX\r\n${headers}\r\n\r\n${content}\r\n`
const FILE = 'content-disposition: form-data; name="file"; filename="a.txt"'

test('an upload answers with its id and keeps the bytes', async () => {
  const { call, rows, storedFiles, services, owner } = await start()
  const { status, body } = await call('POST', PATH, formOf('hello', 'a.txt'))
  expect(status).toBe(200)
  expect(body).toEqual({ data: expect.stringMatching(/^[0-9a-f]{24}$/) })
  const [row] = await rows()
  expect(row).toMatchObject({
    id: body.data,
    organization_id: owner.organizationId,
    file_name: 'a.txt',
    media_type: 'text/plain',
    size_bytes: 5,
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    virtual_user_id: null,
  })
  expect(Date.parse(row!.expires_at) - Date.parse(row!.created_at)).toBe(24 * 3600 * 1000)
  expect(await storedFiles()).toEqual([row!.blob_key])
  const stored = await services.blobs.open(row!.blob_key)
  expect(Buffer.concat(await stored.toArray()).toString()).toBe('hello')
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\report.pdf', 'report.pdf'],
  ['Grüße 世界 🎉.md', 'Grüße 世界 🎉.md'],
  ['cafe\u0301.txt', 'caf\u00e9.txt'],
  ['..', 'file'],
])('a file that is named %j is kept as %j', async (given, kept) => {
  const { call, rows } = await start()
  expect((await call('POST', PATH, formOf('x', given))).status).toBe(200)
  expect((await rows())[0]!.file_name).toBe(kept)
})

test('a file larger than the limit of JSON bodies is taken', async () => {
  const { call, rows } = await start()
  const { status } = await call('POST', PATH, formOf(new Uint8Array(3 * 1024 ** 2), 'a.bin'))
  expect(status).toBe(200)
  expect((await rows())[0]).toMatchObject({ size_bytes: 3 * 1024 ** 2, media_type: 'application/octet-stream' })
})

test('a file of exactly the limit is taken, one of a byte more is not', async () => {
  const { call, expectFailure, sendBody, services, storedFiles, rows } = await start({
    DOCENT_MAX_UPLOAD_BYTES: '200000',
  })
  const over = await call('POST', PATH, formOf(new Uint8Array(200_001)))
  await expectFailure(over, /larger than this server takes \(200000 bytes\)/)
  const wayOver = await call('POST', PATH, formOf(new Uint8Array(5_000_000)))
  await expectFailure(wayOver, /larger/)
  const closing = await sendBody(`${part(FILE, 'x'.repeat(5_000_000))}--XX--\r\n`)
  await expectFailure(closing, /larger/)
  expect((await call('POST', PATH, formOf(new Uint8Array(200_000)))).status).toBe(200)
  expect(await storedFiles()).toHaveLength(1)
  expect(await rows()).toHaveLength(1)
  expect(services.config.uploads.maxBytes).toBe(200_000)
})

test('a body that is no multipart is refused with the reason, whatever it is', async () => {
  const { call, expectFailure, url, owner } = await start()
  await expectFailure(await call('POST', PATH, { file: 'x' }), /multipart\/form-data/)
  await expectFailure(await call('POST', PATH), /multipart\/form-data/)
  for (const [type, body] of [
    ['text/plain', 'x'],
    ['application/json', '{"broken'],
    ['application/json', 'x'.repeat(2 * 1024 ** 2)],
    ['application/x-www-form-urlencoded', 'file=x'],
    ['nonsense', 'x'],
  ] as const) {
    const headers = { 'x-api-key': owner.apiKey, 'content-type': type }
    const reply = await fetch(`${url}/v1${PATH}`, { method: 'POST', headers, body })
    await expectFailure({ status: reply.status, body: await reply.json() }, /multipart\/form-data/)
  }
})

test('a form without a file is refused with the reason', async () => {
  const { call, expectFailure, sendBody } = await start()
  const form = new FormData()
  form.append('virtual_user_email', 'ada@example.com')
  await expectFailure(await call('POST', PATH, form), /no file/)
  const wrongName = new FormData()
  wrongName.append('document', new Blob(['x']), 'a.txt')
  await expectFailure(await call('POST', PATH, wrongName), /no file/)
  await expectFailure(
    await sendBody(`${part('content-disposition: form-data; name="file"', 'text')}--XX--\r\n`),
    /no file/,
  )
  await expectFailure(await sendBody(''), /no file/)
})

test('an empty file is refused with the reason', async () => {
  const { call, expectFailure } = await start()
  await expectFailure(await call('POST', PATH, formOf('')), /empty/)
})

test('a second file is refused with the reason', async () => {
  const { call, expectFailure } = await start()
  const form = formOf('one')
  form.append('file', new Blob(['two']), 'b.txt')
  await expectFailure(await call('POST', PATH, form), /one file/)
})

test('a broken multipart body is refused with the reason', async () => {
  const { expectFailure, sendBody } = await start()
  await expectFailure(await sendBody(part(FILE, 'cut off here').slice(0, -6)), /broken/)
  await expectFailure(await sendBody('this is not multipart at all'), /broken/)
  await expectFailure(await sendBody(`--XX\r\n${FILE}`), /broken/)
  await expectFailure(await sendBody('x', { 'content-type': 'multipart/form-data' }), /broken/)
  const huge = `${part(FILE, 'x'.repeat(300_000)).slice(0, -2)}`
  await expectFailure(await sendBody(huge), /broken/)
})

test('a field that is named like something every object has does no harm', async () => {
  const { expectFailure, sendBody } = await start()
  const body = `${part('content-disposition: form-data; name="__proto__"', 'x')}${part(FILE, 'x')}--XX--\r\n`
  await expectFailure(await sendBody(body), /broken/)
})

test('a connection that is cut in the middle leaves nothing behind, and the server goes on', async () => {
  const { url, owner, storedFiles, rows, call } = await start()
  const whole = `${part(FILE, 'x'.repeat(500_000))}--XX--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=XX', 'x-api-key': owner.apiKey }
  const request = rawRequest('/v1/uploaded-files', headers, whole)
  for (const share of [0.3, 0.9, 0.999]) await sendRaw(url, request.subarray(0, request.length * share), { cut: true })
  await expect.poll(storedFiles).toEqual([])
  expect(await rows()).toEqual([])
  expect((await call('POST', PATH, formOf('x'))).status).toBe(200)
})

test.each(['before', 'after'])('an e-mail %s the file attributes the upload', async (where) => {
  const { call, rows, owner } = await start()
  const form = new FormData()
  if (where === 'before') form.append('virtual_user_email', ' Ada@example.com ')
  form.append('file', new Blob(['x']), 'a.txt')
  if (where === 'after') form.append('virtual_user_email', ' Ada@example.com ')
  expect((await call('POST', PATH, form)).status).toBe(200)
  const { body } = await call('GET', `/workspaces/${owner.workspaceId}/virtual-users?email=ada@example.com`)
  const [user] = body.data.virtual_users
  expect(user).toMatchObject({ email: 'Ada@example.com', name: null })
  expect((await rows())[0]!.virtual_user_id).toBe(user.id)
})

test('a wrong e-mail is refused before and after the file', async () => {
  const { call, expectFailure } = await start()
  await everyRow(
    [
      ['that is empty', ''],
      ['that is blank', '  '],
      ['that is none', 'nonsense'],
      ['without a domain', 'a@'],
      ['of more than 254 characters', `${'a'.repeat(250)}@example.com`],
      ['of 5,000 characters', 'x'.repeat(5000)],
    ],
    async (_what, email) => {
      await expectFailure(await call('POST', PATH, formOf('x', 'a.txt', email)), /virtual_user_email/)
      const before = new FormData()
      before.append('virtual_user_email', email)
      before.append('file', new Blob(['x']), 'a.txt')
      await expectFailure(await call('POST', PATH, before), /virtual_user_email/)
    },
  )
})

test('fifty uploads at once for one new e-mail make one virtual user', async () => {
  const { call, rows } = await start()
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => call('POST', PATH, formOf('x', 'a.txt', 'ada@example.com'))),
  )
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
  expect(new Set((await rows()).map((row) => row.virtual_user_id)).size).toBe(1)
})

test('an upload with the e-mail of a removed virtual user restores it', async () => {
  const { call, owner, succeed } = await start()
  const users = `/workspaces/${owner.workspaceId}/virtual-users`
  const { data } = await succeed('POST', users, { email: 'ada@example.com', name: 'Ada' })
  await succeed('DELETE', `${users}/${data.id}`)
  await call('POST', PATH, formOf('x', 'a.txt', 'ADA@example.com'))
  expect((await succeed('GET', `${users}/${data.id}`)).data).toEqual(data)
})

test('an upload without a key is 401', async () => {
  const { call } = await start()
  expect(await call('POST', PATH, formOf('x'), { key: null })).toMatchObject({ status: 401 })
})

test('an upload that has expired is 404, and goes with its bytes, but for those that a folder holds', async () => {
  const clock = manualClock()
  const { newFolder, upload, call, storedFiles, rows, succeed } = await start({ DOCENT_UPLOAD_TTL: '3' }, clock)
  const folder = await newFolder('a')
  const documents = `/knowledge-bases/${folder}/data-sources/documents`
  const kept = await upload('kept')
  await succeed('POST', documents, { file_id: kept, data_source_title: 'kept', trigger_indexing: false })
  const lost = await upload('lost')
  clock.pass(3_050)
  for (const file_id of [kept, lost, UNKNOWN_ID, 'nonsense', '']) {
    expect(await call('POST', documents, { file_id, data_source_title: 'x' })).toMatchObject({
      status: 404,
      body: { error_code: 'FILE_NOT_FOUND' },
    })
  }
  await expect.poll(rows).toEqual([])
  await expect.poll(storedFiles).toEqual([kept])
})

test('an upload of another organization is 404', async () => {
  const { newFolder, upload, call, services } = await start()
  const folder = await newFolder('a')
  const other = await services.access.createOrganization('Other')
  const file_id = await upload('x', 'a.txt', other.apiKey)
  const fields = { file_id, data_source_title: 'x' }
  expect(await call('POST', `/knowledge-bases/${folder}/data-sources/documents`, fields)).toMatchObject({
    status: 404,
    body: { error_code: 'FILE_NOT_FOUND' },
  })
})
