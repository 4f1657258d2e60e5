import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { everyRow } from '../support/every-row.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import { linkedFoldersOf } from '../support/sources/linked-folders.ts'
import { S3_BUCKET, startS3Server } from '../support/storage/s3-server.ts'
import { tasksOf } from '../support/tasks/tasks.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

const ALLOWED = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }
const KEYS = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' }

/** A bucket on a real server, with objects by their keys. */
async function bucketOf(objects: Record<string, string>, options: { largestPage?: number } = {}) {
  const server = await startS3Server(options)
  onTestFinished(() => server.close())
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const client = new S3Client({ endpoint: server.endpoint, region: 'us-east-1', credentials, forcePathStyle: true })
  onTestFinished(() => client.destroy())
  const put = (Key: string, Body: string) => client.send(new PutObjectCommand({ Bucket: S3_BUCKET, Key, Body }))
  const remove = (Key: string) => client.send(new DeleteObjectCommand({ Bucket: S3_BUCKET, Key }))
  for (const [key, body] of Object.entries(objects)) await put(key, body)
  const config = { endpoint: server.endpoint, bucket: S3_BUCKET, requests_per_second: 100, ...KEYS }
  return { server, put, remove, config }
}

async function start(objects: Record<string, string>, options: { largestPage?: number } = {}) {
  const bucket = await bucketOf(objects, options)
  const app = await startTestApp(ALLOWED)
  return { ...app, ...bucket, ...withBucket(app, bucket.config) }
}

function withBucket(app: Pick<TestApp, 'call' | 'services'>, config: Record<string, unknown>) {
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 's3', config: { ...config, ...changes } })
  return { ...linked, link, linkAndSync: (changes?: Record<string, unknown>) => linked.whenMade(link(changes)) }
}

test('a bucket below a prefix becomes a folder; what is new, changed, moved or gone is followed', async () => {
  const objects = {
    'docs/a.txt': 'one',
    'docs/b.txt': 'two',
    'docs/sub/c.txt': 'three',
    'docs/sub/': '',
    'else.txt': 'x',
  }
  const { linkAndSync, sync, tree, rows, put, remove, call, services } = await start(objects, { largestPage: 2 })
  const made = await linkAndSync({ prefix: 'docs' })
  expect(made).toMatchObject({
    status: 'idle',
    error_message: null,
    progress: { done: 3, total: 3, problems: 0 },
    config: { bucket: S3_BUCKET, prefix: 'docs', access_key_id: 'S3RVER', secret_access_key: '••••••••' },
  })
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt', 'b.txt', 'sub/', 'sub/c.txt'])
  const before = await rows(made.knowledge_base_id)
  expect(before.map(({ source_type }) => source_type)).toEqual(['s3_object', 's3_object'])

  await put('docs/a.txt', 'another')
  await put('docs/renamed.txt', 'two')
  await put('docs/moved/c.txt', 'three')
  for (const key of ['docs/b.txt', 'docs/sub/', 'docs/sub/c.txt']) await remove(key)
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt', 'moved/', 'moved/c.txt', 'renamed.txt'])
  const after = await rows(made.knowledge_base_id)
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  const search = async () =>
    (await call('GET', `/knowledge-bases/${made.knowledge_base_id}/search?query=another`)).body.data.results.length
  await expect.poll(search).toBe(1)
  const { config } = await services.db.selectFrom('integration').select('config').executeTakeFirstOrThrow()
  expect(JSON.parse(config).secret_access_key).toMatch(/^v1\./)
})

test('names that no file can have are named as problems, and lead nowhere', async () => {
  const { linkAndSync, tree, problems, server } = await start({ 'a.txt': 'a' })
  const listed = ['../../etc/passwd', './b.txt', '..', 'ok/../../c.txt', '/rooted.txt']
  server.intercept((request, response) => {
    const url = new URL(request.url!, 'http://s3')
    if (!url.searchParams.has('list-type') || url.searchParams.get('max-keys') === '1') return false
    const prefix = url.searchParams.get('prefix') ?? ''
    if (prefix !== '') return response.writeHead(200).end('<ListBucketResult></ListBucketResult>') !== undefined
    const folders = new Set(listed.filter((key) => key.includes('/')).map((key) => key.slice(0, key.indexOf('/') + 1)))
    const contents = listed.filter((key) => !key.includes('/'))
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<ListBucketResult>${contents.map((key) => `<Contents><Key>${key}</Key><Size>1</Size><ETag>x</ETag></Contents>`).join('')}${[
          ...folders,
        ]
          .map((key) => `<CommonPrefixes><Prefix>${key}</Prefix></CommonPrefixes>`)
          .join('')}</ListBucketResult>`,
      )
    return true
  })
  const made = await linkAndSync()
  expect(made).toMatchObject({ status: 'idle', progress: { problems: 4 } })
  expect(await tree(made.knowledge_base_id)).toEqual(['ok/'])
  expect((await problems(made.id)).map(({ path }: any) => path).sort()).toEqual(['', '.', '..', '..'])
})

test('settings that lead to no bucket are refused, each at its field', async () => {
  const { link, call, config } = await start({})
  await everyRow(
    [
      ['no bucket', { bucket: undefined }, 'config.bucket', ''],
      ['a bucket that is a path', { bucket: '../etc' }, 'config.bucket', ''],
      ['a bucket that is not there', { bucket: 'absent' }, 'config.bucket', 'no bucket'],
      ['a key that is not known', { access_key_id: 'WRONG' }, 'config.access_key_id', ''],
      ['another secret', { secret_access_key: 'WRONG' }, 'config.secret_access_key', 'signature'],
      ['a key without its secret', { secret_access_key: undefined }, 'config.secret_access_key', ''],
      ['no URL', { endpoint: 'here' }, 'config.endpoint', 'URL'],
      ['a file URL', { endpoint: 'file:///etc' }, 'config.endpoint', 'http'],
      ['a private address', { endpoint: 'http://10.0.0.1' }, 'config.endpoint', 'DOCENT_OUTBOUND_ALLOW'],
      ['metadata of a cloud', { endpoint: 'http://169.254.169.254' }, 'config.endpoint', 'DOCENT_OUTBOUND_ALLOW'],
      ['nobody there', { endpoint: 'http://127.0.0.1:1' }, 'config.endpoint', 'reached'],
      ['an unknown field', { buckets: 'x' }, 'config', ''],
      ['an interval of nothing', { interval_seconds: 0 }, 'config.interval_seconds', ''],
      ['a rate of nothing', { requests_per_second: 0 }, 'config.requests_per_second', ''],
    ],
    async (_, changes: Record<string, unknown>, path, says) => {
      const refused = { status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } }
      const reply = await link(changes)
      expect(reply).toMatchObject(refused)
      expect(reply.body.message).toContain(says)
      expect(reply.body.message).not.toContain(KEYS.secret_access_key + KEYS.secret_access_key)
      const tested = await call('POST', '/integrations/test', { kind: 's3', config: { ...config, ...changes } })
      expect(tested).toMatchObject(refused)
    },
  )
})

test('a storage that goes away in the middle fails the sync and takes nothing away; back again, all is well', async () => {
  const objects = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}/a.txt`, `${n}`]))
  const { linkAndSync, sync, tree, put, server } = await start(objects)
  const made = await linkAndSync()
  const all = await tree(made.knowledge_base_id)
  let answered = 0
  server.intercept((_, response) => {
    if (++answered < 10) return false
    response.destroy()
    return true
  })
  await put('f0/b.txt', 'new').catch(() => {})
  const failed = await sync(made.id)
  expect(failed).toMatchObject({ status: 'failed', last_synced_at: made.last_synced_at })
  expect(failed.error_message).toContain('cannot be reached')
  expect(await tree(made.knowledge_base_id)).toEqual(expect.arrayContaining(all))
  server.intercept(() => false)
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
})

test('one object that may not be read is a problem of its own, and its earlier version stays', async () => {
  const { linkAndSync, sync, tree, put, problems, server } = await start({ 'a.txt': 'a', 'locked.txt': 'b' })
  const made = await linkAndSync()
  await put('locked.txt', 'changed')
  server.intercept((request, response) => {
    if (!new URL(request.url!, 'http://s3').pathname.endsWith('/locked.txt')) return false
    response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>')
    return true
  })
  expect(await sync(made.id)).toMatchObject({ status: 'idle', progress: { done: 2, total: 2, problems: 1 } })
  expect(await problems(made.id)).toEqual([{ path: 'locked.txt', reason: 'the key is not permitted to read it' }])
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt', 'locked.txt'])
})

test('settings are changed, secrets stay, and go to no other place than they were given for', async () => {
  const { linkAndSync, settled, tree, call } = await start({ 'a/one.txt': '1', 'b/two.txt': '2' })
  const made = await linkAndSync({ prefix: 'a/' })
  const change = (body: unknown) => call('PATCH', `/integrations/${made.id}`, body)
  const config = { prefix: 'b/', interval_seconds: 60, secret_access_key: '••••••••' }
  expect((await change({ config })).body.data).toMatchObject({
    status: 'syncing',
    config: { prefix: 'b/', interval_seconds: 60, secret_access_key: '••••••••', access_key_id: 'S3RVER' },
  })
  expect(await settled(made.id)).toMatchObject({ status: 'idle' })
  expect(await tree(made.knowledge_base_id)).toEqual(['two.txt'])
  expect((await change({ config: { prefix: null } })).body.data.config.prefix).toBe('')

  const evil = { endpoint: 'http://127.0.0.1:1' }
  const again = { status: 400, body: { details: [{ path: 'config.secret_access_key' }] } }
  expect(await change({ config: evil })).toMatchObject(again)
  const test = (config: unknown, kind = 's3') =>
    call('POST', '/integrations/test', { kind, config, integration_id: made.id })
  expect(await test(evil)).toMatchObject(again)
  expect((await test({ prefix: 'a' })).body.data).toEqual({ entries: [{ name: 'one.txt', kind: 'file' }] })
  expect(await test({}, 'directory')).toMatchObject({ status: 400, body: { details: [{ path: 'kind' }] } })
  expect(await change({ config: { prefix: 1 } })).toMatchObject({ status: 400 })
  expect(await change({ paused: true })).toMatchObject({ status: 400 })
  expect(await call('PATCH', '/integrations/x', {})).toMatchObject({ status: 404 })
})

test('a sync is cancelled, paused and resumed in the middle of a request, and nothing is lost or doubled', async () => {
  const objects = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n % 4}/${n}.txt`, `${n}`]))
  const { link, get, settled, tree, call, server, services } = await start(objects)
  let hangs = true
  let asked = 0
  server.intercept((request) => hangs && request.url!.includes('.txt') && ++asked > 12)
  const { id, knowledge_base_id: folderId } = (await link()).body.data
  await expect.poll(async () => (await get(id)).progress?.done).toBeGreaterThan(0)
  const some = (await get(id)).progress
  expect(some).toMatchObject({ problems: 0 })
  expect(some.done).toBeLessThan(40)
  const post = async (path: string) => (await call('POST', `/integrations/${id}/${path}`)).body.data
  expect(await post('cancel')).toMatchObject({ status: 'idle', error_message: 'The sync was cancelled' })
  expect(await post('cancel')).toMatchObject({ status: 'idle' })

  await post('sync')
  const pause = async (is_paused: boolean) => (await call('PATCH', `/integrations/${id}`, { is_paused })).body.data
  expect(await pause(true)).toMatchObject({ status: 'paused', is_paused: true })
  hangs = false
  await expect.poll(async () => (await tree(folderId)).length, { timeout: 3_000 }).toBeLessThan(44)
  expect(await pause(false)).toMatchObject({ status: 'syncing', is_paused: false })
  expect(await settled(id)).toMatchObject({ status: 'idle', error_message: null, progress: { done: 40, total: 40 } })
  expect(await tree(folderId)).toHaveLength(44)
  await pause(true)
  // A sync that is asked for runs, and the pause stays.
  await post('sync')
  expect(await settled(id)).toMatchObject({ status: 'paused', is_paused: true, progress: { done: 40, total: 40 } })
  const { generation } = await services.db
    .selectFrom('integration')
    .select('generation')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const tasks = await tasksOf(services.db, 'integrations.sync')
  expect(tasks.filter(({ payload }: any) => payload.generation === generation)).toEqual([])
})

test('a server killed in the middle of a sync goes on at its next start, with each object once', async () => {
  const objects = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`f${n % 5}/${n}.txt`, `${n}`]))
  const { config } = await bucketOf(objects)
  const settings = { ...ALLOWED, DATA_DIR: await temporaryFolder() }
  const app = await startTestApp(settings, { work: false })
  const { owner } = app
  await app.close()
  const at = (url: string) => async (method: string, path: string, body?: unknown) => {
    const headers = { 'x-api-key': owner.apiKey, 'content-type': 'application/json' }
    const reply = await fetch(`${url}/v1${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as any }
  }
  const first = await startServerProcess(settings)
  const { body } = await at(first.url)('POST', '/integrations', { kind: 's3', knowledge_base_name: 'S3', config })
  const { id, knowledge_base_id: folderId } = body.data
  const count = (found: any) => found.body.data.data_sources.length
  const files = `/knowledge-bases/${folderId}/data-sources?recursive=true&page_size=200`
  await expect.poll(async () => count(await at(first.url)('GET', files)), { interval: 20 }).toBeGreaterThan(10)
  await first.end('SIGKILL')
  const second = await startServerProcess(settings)
  const call = at(second.url)
  await expect
    .poll(async () => (await call('GET', `/integrations/${id}`)).body.data.status, { timeout: 60_000 })
    .toBe('idle')
  const titles = (await call('GET', files)).body.data.data_sources.flatMap((item: any) => item.title ?? [])
  expect(titles.sort()).toEqual(Array.from({ length: 120 }, (_, n) => `${n}.txt`).sort())
  await second.end('SIGTERM')
})
