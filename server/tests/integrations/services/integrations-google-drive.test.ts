import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/database/database.ts'
import { everyRow } from '../../support/every-row.ts'
import type { ScriptedAnswer } from '../../support/http/scripted-api.ts'
import { folder, GOOGLE, googleDriveOf, startWithDrive } from '../../support/sources/google-drive.ts'
import { killedInTheMiddle } from '../../support/sources/killed-sync.ts'
import { tasksOf } from '../../support/tasks/tasks.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

test('a folder of Drive becomes a folder; what moved or got another name keeps its id; what is gone goes', async () => {
  const { linkAndSync, sync, tree, rows, items, read, call, grants, asked, problems } = await startWithDrive({
    sub: folder('Sub', 'root'),
    deep: folder('Deep', 'sub'),
    a: { name: 'a.txt', in: 'root', content: 'Tea is green.' },
    twin: { name: 'a.txt', in: 'root', content: 'Another of that name.' },
    b: { name: 'b/c.txt', in: 'sub', content: 'Coffee is black.' },
    d: { name: 'd.txt', in: 'deep', content: 'Milk is white.' },
    doc: { name: 'Plan', in: 'root', mimeType: `${GOOGLE}document`, content: 'docx' },
    form: { name: 'Form', in: 'root', mimeType: `${GOOGLE}form` },
    locked: { name: 'locked.txt', in: 'root', content: 'x', canDownload: false },
    away: { name: 'away.txt', in: 'elsewhere', content: 'From elsewhere.' },
    short: {
      name: 'short.txt',
      in: 'sub',
      mimeType: `${GOOGLE}shortcut`,
      shortcut: { targetId: 'away', targetMimeType: 'text/plain' },
    },
    trashed: { name: 'trashed.txt', in: 'root', content: 'x', trashed: true },
  })
  const made = await linkAndSync()
  expect(made.status).toBe('idle')
  const folderId = made.knowledge_base_id
  expect(await tree(folderId)).toEqual([
    'Plan.docx',
    'Sub/',
    'Sub/Deep/',
    'Sub/Deep/d.txt',
    'Sub/b_c.txt',
    'Sub/short.txt',
    'a (a).txt',
    'a (twin).txt',
  ])
  expect((await problems(made.id)).map(({ path }: any) => path).sort()).toEqual(['Form', 'locked.txt'])
  // One where the settings were tried, one for the sync.
  const granted = expect.objectContaining({
    iss: 'reader@project.example',
    scope: expect.stringContaining('drive.readonly'),
  })
  expect(grants).toEqual([granted, granted])
  expect(asked.find(({ url }) => url.pathname.endsWith('/export'))?.url.searchParams.get('mimeType')).toContain(
    'wordprocessingml',
  )
  const a = (await rows(folderId)).find(({ title }) => title === 'a (a).txt')!
  expect(a).toMatchObject({ source_type: 'google_drive_file', media_type: 'text/plain' })
  expect(JSON.parse(a.metadata)).toEqual({ url: 'https://drive.google.com/file/d/a/view' })
  const shown = (await call('GET', `/integrations/${made.id}`)).body.data
  expect(JSON.stringify(shown)).not.toContain('PRIVATE KEY')

  read.length = 0
  await sync(made.id)
  expect(read).toEqual([])

  items.set('a', { name: 'tea.txt', in: 'deep', content: 'Tea is green.' })
  items.set('b', { name: 'b/c.txt', in: 'sub', content: 'Coffee is dark.' })
  items.delete('d')
  await sync(made.id)
  expect(read).toEqual(['b/c.txt'])
  expect(await tree(folderId)).toEqual([
    'Plan.docx',
    'Sub/',
    'Sub/Deep/',
    'Sub/Deep/tea.txt',
    'Sub/b_c.txt',
    'Sub/short.txt',
    'a.txt',
  ])
  const { _id: sub } = (await call('GET', `/knowledge-bases?parent_kb_id=${folderId}`)).body.data.org_knowledge_bases[0]
  const changed = (await rows(sub)).find(({ title }) => title === 'b_c.txt')!
  expect(changed).toMatchObject({ version: 2, content_origin: 'sync' })
  const kept = await call('GET', `/knowledge-bases/${sub}/data-sources/${changed.id}/versions`)
  expect(kept.body.data.versions.map((one: any) => [one.version, one.origin])).toEqual([
    [2, 'sync'],
    [1, 'sync'],
  ])
  const restored = await call('POST', `/knowledge-bases/${sub}/data-sources/${changed.id}/versions/1/restore`)
  expect(restored.body.error_code).toBe('KNOWLEDGE_BASE_LINKED')
  const { _id: deep } = (await call('GET', `/knowledge-bases?parent_kb_id=${sub}`)).body.data.org_knowledge_bases[0]
  expect((await rows(deep)).map(({ id, title }) => ({ id, title }))).toEqual([{ id: a.id, title: 'tea.txt' }])
})

test('what the source says of a file arrives though its bytes are the same; what people noted beside it stays', async () => {
  const plan = { name: 'Plan', in: 'root', mimeType: `${GOOGLE}document`, content: 'docx', at: 100 }
  const a = { name: 'a.txt', in: 'root', content: 'Tea is green.' }
  const { linkAndSync, sync, rows, items, read, call, services } = await startWithDrive({ a, plan })
  const { id, knowledge_base_id: folderId } = await linkAndSync()
  const known = async (title: string) => (await rows(folderId)).find((row) => row.title === title)!
  const before = { a: await known('a.txt'), plan: await known('Plan.docx') }
  await call('PATCH', `/knowledge-bases/${folderId}/data-sources/${before.a.id}`, {
    metadata: { ...JSON.parse(before.a.metadata), team: 'Kitchen' },
  })

  read.length = 0
  items.set('a', { ...a, link: 'https://example.com/a' })
  items.set('plan', { ...plan, link: 'https://example.com/plan', at: 200 })
  await sync(id)
  expect(read).toEqual(['Plan'])
  const after = { a: await known('a.txt'), plan: await known('Plan.docx') }
  expect(JSON.parse(after.a.metadata)).toEqual({ url: 'https://example.com/a', team: 'Kitchen' })
  expect(JSON.parse(after.plan.metadata)).toEqual({ url: 'https://example.com/plan' })
  expect([after.a.id, after.a.sha256]).toEqual([before.a.id, before.a.sha256])
  expect([after.plan.id, after.plan.index_generation]).toEqual([before.plan.id, before.plan.index_generation])

  const waiting = async () => (await tasksOf(services.db)).filter(({ kind }) => kind !== 'integrations.sync')
  await expect.poll(waiting).toEqual([])
  const { updated_at } = await known('a.txt')
  await sync(id)
  expect((await known('a.txt')).updated_at).toBe(updated_at)
})

test('rate limits are waited for, an ended token is renewed once, and a key that was revoked says so', async () => {
  const { linkAndSync, sync, intercept, valid, grants, tree, asked } = await startWithDrive({
    a: { name: 'a.txt', in: 'root', content: 'a' },
  })
  const refusals: ScriptedAnswer[] = [
    { status: 429, headers: { 'retry-after': '1' } },
    {
      status: 403,
      headers: { 'retry-after': '0' },
      body: { error: { errors: [{ reason: 'userRateLimitExceeded' }] } },
    },
    { status: 503, headers: { 'retry-after': '0' } },
  ]
  intercept(({ url }) => (url.searchParams.has('q') ? refusals.shift() : undefined))
  const made = await linkAndSync()
  expect(made).toMatchObject({ status: 'idle', error_message: null })
  expect(refusals).toEqual([])

  const before = grants.length
  intercept(({ url }) => {
    if (url.searchParams.has('q') && grants.length === before + 1) valid.clear()
    return undefined
  })
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(grants.length).toBe(before + 2)

  intercept(({ url }) => (url.pathname === '/token' ? { status: 400, body: { error: 'invalid_grant' } } : undefined))
  const failed = await sync(made.id)
  expect(failed.status).toBe('failed')
  expect(failed.error_message).toContain('invalid_grant')
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt'])

  intercept(({ url }) => (url.searchParams.has('q') ? { status: 429, headers: { 'retry-after': '3600' } } : undefined))
  asked.length = 0
  expect((await sync(made.id)).error_message).toContain('come back later')
  expect(asked.filter(({ url }) => url.searchParams.has('q'))).toHaveLength(1)
})

test('a list with gaps, or one that breaks off, takes nothing away; a file that cannot be exported is a problem', async () => {
  const items = Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [`f${n}`, { name: `${n}.txt`, in: 'root', content: `${n}` }]),
  )
  const doc = { name: 'Plan', in: 'root', mimeType: `${GOOGLE}document`, content: 'docx' }
  const { linkAndSync, sync, intercept, tree, problems } = await startWithDrive({ ...items, doc })
  intercept(({ url }) =>
    url.pathname.endsWith('/export')
      ? { status: 403, body: { error: { errors: [{ reason: 'exportSizeLimitExceeded' }] } } }
      : undefined,
  )
  const made = await linkAndSync()
  const all = await tree(made.knowledge_base_id)
  expect(all).toHaveLength(8)
  expect(await problems(made.id)).toEqual([{ path: 'Plan.docx', reason: 'larger than what Google exports (10 MB)' }])
  await everyRow(
    [
      ['a broken connection', { status: 0 }, 'cannot be reached'],
      ['a list with gaps', { body: { files: [], incompleteSearch: true } }, 'could not list'],
      ['no JSON', { body: '<html>' }, 'no JSON'],
      ['another API', { body: { files: [{ name: 1 }] } }, 'Drive API'],
    ],
    async (_, answer: ScriptedAnswer, says) => {
      intercept(({ url }) => (url.searchParams.has('pageToken') ? answer : undefined))
      const failed = await sync(made.id)
      expect(failed.status).toBe('failed')
      expect(failed.error_message).toContain(says)
      expect(await tree(made.knowledge_base_id)).toEqual(all)
    },
  )
})

test('settings that lead to no folder of Drive are refused, each at its field', async () => {
  const { link, config, url } = await startWithDrive({ a: { name: 'a.txt', in: 'root', content: 'a' } })
  const key = JSON.parse(config.credentials)
  const keyWith = (changes: Record<string, unknown>) => JSON.stringify({ ...key, ...changes })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  await everyRow(
    [
      ['no folder', { folder: undefined }, 'config.folder', ''],
      ['a folder that no id is', { folder: "x' or '1" }, 'config.folder', 'id of a folder'],
      ['a folder that is not shared', { folder: 'other' }, 'config.folder', 'share it with reader@project.example'],
      ['a file', { folder: 'a' }, 'config.folder', 'is no folder'],
      ['no JSON', { credentials: 'secret' }, 'config.credentials', 'service account'],
      ['no key in it', { credentials: keyWith({ private_key: 'x' }) }, 'config.credentials', 'service account'],
      ['another key', { credentials: keyWith({ private_key: other }) }, 'config.credentials', 'invalid_grant'],
      [
        'a private address',
        { credentials: keyWith({ token_uri: 'http://10.0.0.1/' }) },
        'config.credentials',
        'gives no token',
      ],
      ['an API that is not there', { endpoint: `${url}/x` }, 'config.folder', ''],
      ['a private API', { endpoint: 'http://10.0.0.1/' }, 'config.endpoint', 'DOCENT_OUTBOUND_ALLOW'],
    ],
    async (_, changes: Record<string, unknown>, path, says) => {
      const reply = await link(changes)
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } })
      expect(reply.body.message).toContain(says)
    },
  )
})

test('a server killed in the middle of a sync goes on at its next start, with each file once', async () => {
  const items = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`f${n}`, { name: `${n}.txt`, in: n % 2 ? 'root' : 'sub', content: `${n}` }]),
  )
  const { config } = await googleDriveOf({ sub: folder('Sub', 'root'), ...items })
  const titles = await killedInTheMiddle(await temporaryFolder(), { kind: 'google_drive', config })
  expect(titles).toEqual(Array.from({ length: 100 }, (_, n) => `${n}.txt`).sort())
})
