import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { withAdmin } from '../../src/admin/context.ts'
import { examine } from '../../src/admin/doctor/doctor.ts'
import { toConfig } from '../../src/config.ts'
import { openStorage } from '../../src/storage.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { driveOf, formOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { answer } from '../support/models/model-server.ts'
import { runServerProcess, startServerProcess } from '../support/processes/server-process.ts'
import { S3_BUCKET, type S3Server, startS3Server } from '../support/storage/s3-server.ts'
import { startTestApp } from '../support/test-app.ts'

let s3: S3Server
let installations = 0

beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(() => s3.close())

const newPrefix = () => `installation-${++installations}`

/** Unlike `fetch`, which calls itself a script of a page. */
async function get(url: string, headers: http.OutgoingHttpHeaders = {}): Promise<http.IncomingMessage> {
  const reply = await new Promise<http.IncomingMessage>((resolve) => http.get(url, { headers }, resolve))
  return reply.resume()
}

async function startLibrary(settings: Record<string, string> = {}) {
  const prefix = newPrefix()
  const app = await startTestApp({ ...s3.settings(prefix), ...settings })
  const drive = driveOf(app)
  const folder = await drive.newFolder('Library')
  const pathOf = (id: string) => `/knowledge-bases/${folder}/data-sources/${id}`
  async function addIndexed(title: string, content: string): Promise<string> {
    const id = await drive.addFile(folder, { title, content, index: true })
    await vi.waitFor(async () => expect((await drive.succeed('GET', pathOf(id))).data.status).toBe('successful'), {
      timeout: 30_000,
      interval: 50,
    })
    return id
  }
  const contentOf = (id: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/v1${pathOf(id)}/content`, {
      redirect: 'manual',
      headers: { 'x-api-key': app.owner.apiKey, ...headers },
    })
  const find = async (query: string): Promise<any[]> =>
    (await drive.succeed('GET', `/knowledge-bases/${folder}/search?query=${encodeURIComponent(query)}`)).data.results
  return { ...app, ...drive, prefix, folder, pathOf, addIndexed, contentOf, find }
}

test('files and passages are in the bucket and nowhere else, and come back from there', async () => {
  const { dataDir, prefix, folder, addFile, addIndexed, contentOf, find, call, url, owner } = await startLibrary()
  const noise = randomBytes(7 * 1024 ** 2)
  const large = await addFile(folder, { title: 'noise.bin', content: noise })
  const notes = await addIndexed('notes.md', '# Visits\n\nThe observatory on Kestrel Hill opens at nine.\n')
  expect((await find('when does the observatory open'))[0]).toMatchObject({ data_source_id: notes })

  const whole = await contentOf(large)
  expect(whole.status).toBe(200)
  expect(Buffer.from(await whole.arrayBuffer()).equals(noise)).toBe(true)
  const part = await contentOf(large, { range: 'bytes=6000000-6000009' })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(noise.subarray(6_000_000, 6_000_010))).toBe(true)
  const archive = await fetch(`${url}/v1/knowledge-bases/${folder}/actions/download`, {
    headers: { 'x-api-key': owner.apiKey },
  })
  const entries = unzipSync(new Uint8Array(await archive.arrayBuffer()))
  expect(Buffer.from(entries['noise.bin']!).equals(noise)).toBe(true)

  const folders = await readdir(dataDir)
  expect(folders).not.toContain('blobs')
  expect(folders).not.toContain('search')
  const [ofProcess, ...others] = await readdir(join(dataDir, 'work'))
  expect([others, await readdir(join(dataDir, 'work', ofProcess!))]).toEqual([[], []])
  // Two files, and the stored parse of one of them.
  expect(await s3.keys(`${prefix}/blobs/`)).toHaveLength(3)

  await call('DELETE', `/knowledge-bases/${folder}`)
  // The uploads that they came from stay for a while.
  await vi.waitFor(async () => expect(await s3.keys(`${prefix}/blobs/`)).toHaveLength(2), { timeout: 20_000 })
})

test('a download is sent to the bucket where a setting says so, with its name and type, and works there for whoever has the link', async () => {
  const { folder, addFile, pathOf, url, owner } = await startLibrary({ DOCENT_S3_PRESIGNED_DOWNLOADS: 'true' })
  const id = await addFile(folder, { title: 'Größe.txt', content: '0123456789' })
  const reply = await get(`${url}/v1${pathOf(id)}/content`, { 'x-api-key': owner.apiKey })
  expect(reply.statusCode).toBe(302)
  expect(reply.headers['cache-control']).toBe('private, no-store')
  const location = reply.headers.location!
  expect(location.startsWith(`${s3.endpoint}/${S3_BUCKET}/`)).toBe(true)

  const followed = await fetch(location)
  expect(await followed.text()).toBe('0123456789')
  expect(followed.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(followed.headers.get('content-disposition')).toBe(
    `inline; filename="Gr__e.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`,
  )
  expect(await (await fetch(location, { headers: { range: 'bytes=2-5' } })).text()).toBe('2345')
  expect(
    (await fetch(location.replace('response-content-type=text%2Fplain', 'response-content-type=text%2Fhtml'))).status,
  ).toBe(403)
  expect(new URL(location).searchParams.get('X-Amz-Expires')).toBe('60')
  const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
  expect((await fetch(location)).status).toBe(403)
  later.mockRestore()
  expect((await fetch(location)).status).toBe(200)
})

test.each([
  ['a script of a page, which may not be sent elsewhere', { 'sec-fetch-mode': 'cors' }, 200],
  ['a person who opens it in a browser', { 'sec-fetch-mode': 'navigate' }, 302],
  [
    'somebody who has it already',
    { 'if-none-match': `"84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"` },
    304,
  ],
])('for %s', async (_, headers, status) => {
  const { url, folder, addFile, pathOf, owner } = await startLibrary({ DOCENT_S3_PRESIGNED_DOWNLOADS: 'true' })
  const id = await addFile(folder, { title: 'digits.txt', content: '0123456789' })
  const reply = await get(`${url}/v1${pathOf(id)}/content`, { 'x-api-key': owner.apiKey, ...headers })
  expect(reply.statusCode).toBe(status)
})

test('the signed link of a file that an agent made leads to the bucket, too', async () => {
  const chat = await startTestChat({
    settings: { ...s3.settings(newPrefix()), DOCENT_S3_PRESIGNED_DOWNLOADS: 'true' },
    script: ({ body }) =>
      body.messages.at(-1).role === 'tool'
        ? answer('Done.')
        : answer({ toolCall: { name: 'create_file', arguments: { name: 'notes.txt', content: 'nine' } } }),
  })
  const path = await chat.newChat({}, await chat.newAgent({ tools: ['create_file'] }))
  const { data } = await chat.succeed('POST', `${path}/query`, { query: 'Make them' })
  const message = (await chat.succeed('GET', `${path}/message/${data.message_id}?downloadable_output=true`)).data
  const [link] = Object.values<string>(message.downloadable_output)
  const reply = await get(link!)
  expect(reply.statusCode).toBe(302)
  const file = await fetch(reply.headers.location!)
  expect(await file.text()).toBe('nine')
  expect(file.headers.get('content-disposition')).toContain('attachment; filename="notes.txt"')
})

test('while the bucket is away uploads, downloads and /readyz are answered with 503, and afterwards all goes on', async () => {
  const { call, url, folder, addFile, contentOf } = await startLibrary()
  const id = await addFile(folder, { content: 'still there' })
  s3.intercept((request) => {
    request.socket.destroy()
    return true
  })
  try {
    const upload = await call('POST', '/uploaded-files', formOf('lost'))
    expect(upload).toMatchObject({ status: 503, body: { error_code: 'UNAVAILABLE' } })
    expect(upload.headers.get('retry-after')).toBe('30')
    expect((await contentOf(id)).status).toBe(503)
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await ready.json()).toEqual({ error_code: 'UNAVAILABLE', message: 'The object storage is away' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  } finally {
    s3.intercept(() => false)
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await (await contentOf(id)).text()).toBe('still there')
})

test('an index that is gone from the bucket is made again at the next start', async () => {
  const DATA_DIR = await temporaryFolder()
  const first = await startLibrary({ DATA_DIR })
  const id = await first.addIndexed('notes.md', 'The observatory opens at nine.')
  await first.close()
  await s3.removeFolder(`${first.prefix}/search`)
  const again = await startTestApp({ ...s3.settings(first.prefix), DATA_DIR })
  await vi.waitFor(
    async () => {
      const path = `/knowledge-bases/${first.folder}/search?query=observatory`
      const { body } = await again.call('GET', path, undefined, { key: first.owner.apiKey })
      expect(body.data.results[0]).toMatchObject({ data_source_id: id })
    },
    { timeout: 30_000, interval: 100 },
  )
})

test('a server that is killed in the middle of an upload leaves no file behind, and the next one frees what it sent', async () => {
  const prefix = newPrefix()
  const settings = {
    ...s3.settings(prefix),
    DATA_DIR: await temporaryFolder(),
    DOCENT_OWNER_KEY: 'a-key-of-our-own-choice',
  }
  const server = await startServerProcess(settings)
  const boundary = 'parts'
  const upload = http.request(`${server.url}/v1/uploaded-files`, {
    method: 'POST',
    headers: { 'x-api-key': settings.DOCENT_OWNER_KEY, 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  upload.on('error', () => {})
  upload.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`)
  upload.write(randomBytes(12 * 1024 ** 2))
  await vi.waitFor(async () => expect(await s3.unfinishedUploads()).toHaveLength(1), { timeout: 20_000 })
  await server.end('SIGKILL')
  expect(await s3.keys(`${prefix}/blobs/`)).toEqual([])
  expect(await s3.unfinishedUploads()).toHaveLength(1)
  const storage = await openStorage({ dataDir: settings.DATA_DIR, s3: toConfig(settings).s3, isShared: false })
  onTestFinished(storage.close)
  expect(await storage.removeUnfinished!(new Date(Date.now() - 60_000))).toBe(0)
  expect(await storage.removeUnfinished!(new Date(Date.now() + 60_000))).toBe(1)
  expect(await s3.unfinishedUploads()).toEqual([])
})

test('a start with settings that are wrong ends with one line that says what to change', () =>
  everyRow(
    [
      [
        'a bucket that is not there',
        { S3_BUCKET: 'nobodys' },
        /^There is no bucket nobodys at http.* Create it, or set S3_BUCKET/,
      ],
      ['a key that is not known', { S3_ACCESS_KEY_ID: 'SOMEBODY' }, /does not know the key\. Set S3_ACCESS_KEY_ID\.$/],
      [
        'a secret that is wrong',
        { S3_SECRET_ACCESS_KEY: 'guessed' },
        /signature is wrong\. Check S3_SECRET_ACCESS_KEY/,
      ],
      [
        'an address where nobody listens',
        { S3_ENDPOINT: 'http://127.0.0.1:9' },
        /cannot be reached .* Check S3_ENDPOINT\.$/,
      ],
      ['half of a key', { S3_SECRET_ACCESS_KEY: '' }, /^S3_SECRET_ACCESS_KEY: is missing/],
      ['everything but the bucket', { S3_BUCKET: '' }, /^S3_ENDPOINT: is set, but S3_BUCKET is not/],
    ],
    async (_, settings, line) => {
      const DATA_DIR = await temporaryFolder()
      const { code, stderr } = await runServerProcess({ ...s3.settings(), DATA_DIR, ...settings })
      expect(code).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr.trim()).toMatch(line)
    },
  ))

test('storage that replaces objects in spite of If-None-Match serves one process, but not several', async () => {
  const careless = await startS3Server({ honoursConditions: false })
  onTestFinished(careless.close)
  const dataDir = await temporaryFolder()
  const { s3: settings } = toConfig(careless.settings())
  const alone = await openStorage({ dataDir, s3: settings, isShared: false })
  alone.close()
  await expect(openStorage({ dataDir, s3: settings, isShared: true })).rejects.toThrow('in spite of If-None-Match')
})

test('the doctor counts and mends in the bucket', async () => {
  const DATA_DIR = await temporaryFolder()
  const { addIndexed, addFile, folder, prefix, services, close } = await startLibrary({ DATA_DIR })
  await addIndexed('kept.md', 'The observatory opens at nine.')
  const lost = await addFile(folder, { title: 'lost.txt', content: 'lost' })
  await services.blobs.put('0'.repeat(24), Readable.from([Buffer.from('of nobody')]))
  const { blob_key } = await services.db
    .selectFrom('data_source')
    .select('blob_key')
    .where('id', '=', lost)
    .executeTakeFirstOrThrow()
  await services.blobs.remove(blob_key)
  await close()
  await s3.removeFolder(`${prefix}/search`)
  const config = toConfig({ ...s3.settings(prefix), DATA_DIR })
  const found = {
    orphan_blobs: 1,
    rows_without_blob: 1,
    damaged_indexes: 0,
    orphan_documents: 0,
    files_not_in_index: 1,
    open_files: 0,
    database_faults: 0,
    damaged_blobs: 0,
    lost_parses: 0,
    stuck_messages: 0,
    failed_checks: 0,
    advice: expect.any(Array),
    problems: [],
  }
  expect(await withAdmin(config, (context) => examine(context, { fix: true }))).toEqual({
    healthy: false,
    fixed: true,
    ...found,
  })
  expect(await s3.keys(`${prefix}/blobs/${'0'.repeat(24)}`)).toEqual([])
})
