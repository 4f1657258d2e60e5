// The Drive here is a scripted server of Google's documented API (Drive API v3, OAuth 2.0 for service accounts), not
// Google's own.
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/database.ts'
import { everyRow } from './support/every-row.ts'
import { killedInTheMiddle } from './support/killed-sync.ts'
import { linkedFoldersOf } from './support/linked-folders.ts'
import { join } from './support/people.ts'
import { type ScriptedAnswer, type ScriptedRequest, scriptedApi } from './support/scripted-api.ts'
import { tasksOf } from './support/tasks.ts'
import { startTestApp } from './support/test-app.ts'

const ALLOWED = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }
const GOOGLE = 'application/vnd.google-apps.'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

interface Item {
  name: string
  in: string
  mimeType?: string
  content?: string
  trashed?: boolean
  shortcut?: { targetId: string; targetMimeType: string }
  canDownload?: boolean
  /** Address at Google; default: one with its id. */
  link?: string
  /** Permissions as Google gives them with an item; default: everybody who has the link. 'none': it does not give them. */
  permissions?: object[] | 'none'
  /** Shared drive that it is in, where permissions are asked for one by one. */
  driveId?: string
  hasAugmentedPermissions?: boolean
  /** Time of its last change, in milliseconds; default: the length of its content. */
  at?: number
}

/** Drive with items by their ids; pages have three entries. */
async function driveOf(given: Record<string, Item>) {
  const items = new Map<string, Item>(Object.entries({ root: folder('Handbook', ''), ...given }))
  const valid = new Set<string>()
  const grants: any[] = []
  const read: string[] = []

  function token({ body }: ScriptedRequest): ScriptedAnswer {
    const form = new URLSearchParams(body)
    const [header, claims, signature] = form.get('assertion')!.split('.') as [string, string, string]
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
      Buffer.from(signature, 'base64url'),
    )
    if (!isSigned || form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    grants.push(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    const access_token = `token-${grants.length}`
    valid.add(access_token)
    return { body: { access_token, expires_in: 3599, token_type: 'Bearer' } }
  }

  function fileOf(id: string, item: Item) {
    const isGoogles = item.mimeType?.startsWith(GOOGLE)
    return {
      id,
      name: item.name,
      mimeType: item.mimeType ?? 'text/plain',
      parents: [item.in],
      trashed: item.trashed ?? false,
      modifiedTime: `2026-01-01T00:00:00.${item.at ?? (item.content ?? '').length}Z`,
      webViewLink: item.link ?? `https://drive.google.com/file/d/${id}/view`,
      shortcutDetails: item.shortcut,
      capabilities: { canDownload: item.canDownload ?? true },
      driveId: item.driveId,
      hasAugmentedPermissions: item.hasAugmentedPermissions,
      ...(item.permissions !== 'none' && !item.driveId && { permissions: item.permissions ?? [{ type: 'anyone' }] }),
      ...(!isGoogles && {
        md5Checksum: createHash('md5').update(item.content!).digest('hex'),
        size: String(Buffer.byteLength(item.content!)),
      }),
    }
  }

  const api = await scriptedApi((request) => {
    const { url, headers } = request
    if (url.pathname === '/token') return token(request)
    if (!valid.has(headers.authorization?.replace('Bearer ', '') ?? '')) return { status: 401 }
    if (url.searchParams.get('supportsAllDrives') !== 'true') return { status: 400 }
    const [, , id, action] = url.pathname.split('/')
    const item = id === undefined ? undefined : items.get(id)
    if (id === undefined) {
      const q = url.searchParams.get('q')!
      expect(q).toMatch(/ and trashed = false$/)
      const parents = [...q.matchAll(/'([^']+)' in parents/g)].map(([, parent]) => parent)
      const all = [...items].filter(([, one]) => parents.includes(one.in) && !one.trashed)
      const from = Number(url.searchParams.get('pageToken') ?? 0)
      const nextPageToken = from + 3 < all.length ? String(from + 3) : undefined
      return { body: { files: all.slice(from, from + 3).map(([id, one]) => fileOf(id, one)), nextPageToken } }
    }
    if (action === 'permissions' && item) {
      if (!Array.isArray(item.permissions))
        return { status: 403, body: { error: { code: 403, errors: [{ reason: 'insufficientFilePermissions' }] } } }
      const from = Number(url.searchParams.get('pageToken') ?? 0)
      const nextPageToken = from + 1 < item.permissions.length ? String(from + 1) : undefined
      return { body: { permissions: item.permissions.slice(from, from + 1), nextPageToken } }
    }
    if (!item) return { status: 404, body: { error: { code: 404, errors: [{ reason: 'notFound' }] } } }
    if (action !== 'export' && url.searchParams.get('alt') !== 'media') return { body: fileOf(id, item) }
    read.push(item.name)
    return { body: item.content }
  })
  const credentials = JSON.stringify({
    type: 'service_account',
    client_email: 'reader@project.example',
    private_key: PEM,
    private_key_id: 'k1',
    token_uri: `${api.url}/token`,
  })
  const config = { folder: 'root', credentials, endpoint: api.url, requests_per_second: 100 }
  return { ...api, items, valid, grants, read, config }
}

async function start(items: Record<string, Item>) {
  const drive = await driveOf(items)
  const app = await startTestApp(ALLOWED)
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 'google_drive', config: { ...drive.config, ...changes } })
  return { ...app, ...drive, ...linked, link, linkAndSync: () => linked.whenMade(link()) }
}

const folder = (name: string, parent: string): Item => ({ name, in: parent, mimeType: `${GOOGLE}folder` })

test('a folder of Drive becomes a folder; what moved or got another name keeps its id; what is gone goes', async () => {
  const { linkAndSync, sync, tree, rows, items, read, call, grants, asked, problems } = await start({
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
  const { linkAndSync, sync, rows, items, read, call, services } = await start({ a, plan })
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
  const { linkAndSync, sync, intercept, valid, grants, tree, asked } = await start({
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
  const { linkAndSync, sync, intercept, tree, problems } = await start({ ...items, doc })
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
  const { link, config, url } = await start({ a: { name: 'a.txt', in: 'root', content: 'a' } })
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

test('a server killed in the middle of a sync goes on at its next start, with each file once', {
  timeout: 120_000,
}, async () => {
  const items = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`f${n}`, { name: `${n}.txt`, in: n % 2 ? 'root' : 'sub', content: `${n}` }]),
  )
  const { config } = await driveOf({ sub: folder('Sub', 'root'), ...items })
  const titles = await killedInTheMiddle(await temporaryFolder(), { kind: 'google_drive', config })
  expect(titles).toEqual(Array.from({ length: 100 }, (_, n) => `${n}.txt`).sort())
})

const user = (emailAddress: string) => ({ type: 'user', emailAddress })

/** A drive with these items, and a reader of the folder that they come to. */
async function startWithPeople(items: Record<string, Item>) {
  const app = await start(items)
  const person = (email: string) => join(app as any, { email, role: 'member', isInvitedByEmail: true })
  const [ada, bob] = [await person('ada@example.com'), await person('bob@example.org')]
  const titles = async (as: Pick<typeof ada, 'call'>, folderId: string) => {
    const { body } = await as.call('GET', `/knowledge-bases/${folderId}/data-sources?order_by=title`)
    return body.data.data_sources.map(({ title }: { title: string }) => title)
  }
  return { ...app, ada, bob, titles }
}

test('who may read a file at Google may read it here, and a change there counts with the next sync', async () => {
  const { linkAndSync, sync, items, ada, bob, titles, call, read } = await startWithPeople({
    sub: folder('Sub', 'root'),
    all: { name: 'all.txt', in: 'root', content: 'all' },
    ada: { name: 'ada.txt', in: 'root', content: 'ada', permissions: [user('Ada@Example.com')] },
    domain: {
      name: 'domain.txt',
      in: 'root',
      content: 'domain',
      permissions: [{ type: 'domain', domain: 'example.org' }],
    },
    crew: {
      name: 'crew.txt',
      in: 'root',
      content: 'crew',
      permissions: [{ type: 'group', emailAddress: 'crew@example.com', displayName: 'Crew' }],
    },
    gone: {
      name: 'gone.txt',
      in: 'root',
      content: 'gone',
      permissions: [
        { ...user('ada@example.com'), expirationTime: '2020-01-01T00:00:00Z' },
        { ...user('ada@example.com'), deleted: true },
        { type: 'anyone', view: 'published' },
      ],
    },
  })
  const { id, knowledge_base_id: folderId } = await linkAndSync()
  expect(await titles(ada, folderId)).toEqual(['ada.txt', 'all.txt'])
  expect(await titles(bob, folderId)).toEqual(['all.txt', 'domain.txt'])
  expect(await titles({ call } as any, folderId)).toHaveLength(5)
  const group = (await call('POST', '/groups', { name: 'crew' })).body.data.id
  await call('PATCH', `/members/${bob.memberId}`, { group_ids: [group] })
  expect(await titles(bob, folderId)).toEqual(['all.txt', 'crew.txt', 'domain.txt'])
  const file = (await call('GET', `/knowledge-bases/${folderId}/data-sources`)).body.data.data_sources.find(
    ({ title }: any) => title === 'ada.txt',
  )
  const at = `/knowledge-bases/${folderId}/data-sources/${file.id}/readers`
  expect((await call('GET', at)).body.data).toMatchObject({ from: 'source', can_change: false })
  expect((await call('PUT', at, { readers: null })).body.error_code).toBe('KNOWLEDGE_BASE_LINKED')

  read.length = 0
  items.set('ada', { ...items.get('ada')!, permissions: [user('bob@example.org')] })
  items.set('all', { ...items.get('all')!, in: 'sub', permissions: [user('bob@example.org')] })
  await sync(id)
  expect(read).toEqual([])
  expect(await titles(ada, folderId)).toEqual([])
  expect(await titles(bob, folderId)).toEqual(['ada.txt', 'crew.txt', 'domain.txt'])
  await call('PATCH', `/integrations/${id}`, { config: { obey_access: false } })
  await sync(id)
  expect(await titles(ada, folderId)).toHaveLength(4)
})

test('a shared drive is asked for its permissions once, and for those of items that have their own', async () => {
  const driveId = 'shared'
  const { linkAndSync, ada, bob, titles, asked } = await startWithPeople({
    root: { ...folder('Team', ''), driveId, permissions: [user('ada@example.com'), user('bob@example.org')] },
    a: { name: 'a.txt', in: 'root', content: 'a', driveId, hasAugmentedPermissions: false },
    b: {
      name: 'b.txt',
      in: 'root',
      content: 'b',
      driveId,
      hasAugmentedPermissions: true,
      permissions: [user('ada@example.com')],
    },
    c: { name: 'c.txt', in: 'root', content: 'c', driveId, hasAugmentedPermissions: true },
  })
  const { knowledge_base_id: folderId } = await linkAndSync()
  expect(await titles(ada, folderId)).toEqual(['a.txt', 'b.txt'])
  expect(await titles(bob, folderId)).toEqual(['a.txt'])
  expect(asked.filter(({ url }) => url.pathname.endsWith('/files/a/permissions'))).toEqual([])
})

test('where Google does not say who may read what, that is told before anything is brought', async () => {
  const { link, linkAndSync } = await start({ root: { ...folder('Handbook', ''), permissions: 'none' } })
  expect(linkAndSync).toBeTypeOf('function')
  const refused = await link()
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('reader@project.example share this folder')
  expect((await link({ obey_access: false })).status).toBe(200)
})
