// Microsoft here is a scripted server of the documented API (Graph v1.0, OAuth 2.0 of the identity platform), not
// Microsoft's own.
import { expect, test } from 'vitest'
import { logInOver } from '../../support/access/scripted-login.ts'
import { temporaryFolder } from '../../support/database/database.ts'
import { everyRow } from '../../support/every-row.ts'
import type { ScriptedAnswer } from '../../support/http/scripted-api.ts'
import { scriptedGraph } from '../../support/sources/graph-server.ts'
import { killedInTheMiddle } from '../../support/sources/killed-sync.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { startTestApp } from '../../support/test-app.ts'

type Items = Parameters<typeof scriptedGraph>[0]

async function start(items: Items) {
  const graph = await scriptedGraph(items)
  const app = await startTestApp(graph.login.settings('microsoft', graph.url))
  const linked = linkedFoldersOf(app)
  let count = 0
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({
      kind: 'sharepoint',
      knowledge_base_name: `Linked ${++count}`,
      config: { ...graph.config, ...changes },
    })
  return { ...app, ...graph, ...linked, ...logInOver(app, 'microsoft'), link }
}

const handbook = (): Items => ({
  sub: { name: 'Sub', in: 'root', isFolder: true },
  deep: { name: 'Deep', in: 'sub', isFolder: true },
  a: { name: 'a.txt', in: 'root', content: 'Tea is green.' },
  b: { name: 'b.txt', in: 'sub', content: 'Coffee is black.' },
  c: { name: 'c.txt', in: 'deep', content: 'Milk is white.' },
  notes: { name: 'Notes', in: 'root', facet: { package: { type: 'oneNote' } } },
  away: { name: 'Shared', in: 'root', facet: { remoteItem: { id: 'x' } } },
})

test('a library becomes a folder; then only what changed is asked for', async () => {
  const { link, whenMade, sync, tree, rows, call, items, change, asked, read, problems } = await start(handbook())
  const made = await whenMade(link())
  expect(made).toMatchObject({ status: 'idle', config: { client_secret: '••••••••' }, connection: null })
  const folderId = made.knowledge_base_id
  expect(await tree(folderId)).toEqual(['Sub/', 'Sub/Deep/', 'Sub/Deep/c.txt', 'Sub/b.txt', 'a.txt'])
  expect((await problems(made.id)).map(({ path }: any) => path).sort()).toEqual(['Notes', 'Shared'])
  const [a] = await rows(folderId)
  expect(a).toMatchObject({ source_type: 'sharepoint_file', media_type: 'text/plain' })
  expect(JSON.parse(a!.metadata)).toEqual({ url: 'https://example.sharepoint.com/a.txt' })

  asked.length = 0
  read.length = 0
  await sync(made.id)
  const deltas = () => asked.filter(({ url }) => url.pathname.endsWith('/root/delta'))
  expect(deltas().map(({ url }) => url.searchParams.get('token'))).toEqual([expect.stringMatching(/^\d+$/)])
  expect(read).toEqual([])

  // A folder that is renamed comes without what lies in it; a file that moves and changes keeps its id.
  change('sub', { name: 'Drinks' })
  change('a', { name: 'tea.txt', in: 'deep', content: 'Tea is brown.' })
  change('c', undefined)
  change('d', { name: 'd.txt', in: 'root', content: 'Salt.' })
  asked.length = 0
  await sync(made.id)
  expect(read.sort()).toEqual(['d.txt', 'tea.txt'])
  expect(await tree(folderId)).toEqual(['Drinks/', 'Drinks/Deep/', 'Drinks/Deep/tea.txt', 'Drinks/b.txt', 'd.txt'])
  const foldersIn = async (id: string) =>
    (await call('GET', `/knowledge-bases?parent_kb_id=${id}`)).body.data.org_knowledge_bases
  const [drinks] = await foldersIn(folderId)
  const [deep] = await foldersIn(drinks._id)
  expect((await rows(deep._id)).map(({ id, title, version }) => [id, title, version])).toEqual([[a!.id, 'tea.txt', 2]])
  expect(deltas().flatMap(({ url }) => url.searchParams.get('token') ?? [])).toHaveLength(2)

  // A link that the service knows no longer: everything is listed again, nothing is read again.
  items.delete('b')
  read.length = 0
  asked.length = 0
  change('b', undefined, { isForgotten: true })
  await sync(made.id)
  expect(deltas().map(({ url }) => url.searchParams.get('token') === null)).toContain(true)
  expect(await tree(folderId)).toEqual(['Drinks/', 'Drinks/Deep/', 'Drinks/Deep/tea.txt', 'd.txt'])
  expect(read).toEqual([])
})

test('a folder of a library, of a site or of a OneDrive is found; what is not there is refused at its field', async () => {
  const { link, whenMade, tree, connect, config } = await start(handbook())
  expect(await tree((await whenMade(link({ folder: '/Sub/' }))).knowledge_base_id)).toEqual([
    'Deep/',
    'Deep/c.txt',
    'b.txt',
  ])
  const { site, tenant: _, client_id: __, client_secret: ___, ...others } = config
  const none = { site: undefined, tenant: undefined, client_id: undefined, client_secret: undefined }
  for (const fields of [
    { library: 'handbook' },
    { library: 'Shared Documents' },
    { site: undefined, user: 'ada@example.com' },
  ])
    expect(await tree((await whenMade(link(fields))).knowledge_base_id)).toContain('a.txt')
  const personal = await whenMade(connect().then((connection) => link({ ...others, ...none, connection })))
  expect(personal).toMatchObject({ status: 'idle', connection: { provider: 'microsoft', account: 'ada@example.com' } })

  await everyRow(
    [
      ['no site', { site: undefined }, 'config.site'],
      ['another site', { site: `${site}/none` }, 'config.site'],
      ['another library', { library: 'Pictures' }, 'config.library'],
      ['a library of nothing', { site: undefined, user: 'ada@example.com', library: 'x' }, 'config.library'],
      ['both', { user: 'ada@example.com' }, 'config.user'],
      ['another person', { site: undefined, user: 'bob@example.com' }, 'config.user'],
      ['another folder', { folder: 'None' }, 'config.folder'],
      ['a way out', { folder: '../x' }, 'config.folder'],
      ['no secret', { client_secret: undefined }, 'config.client_secret'],
      ['another secret', { client_secret: 'x' }, 'config.client_secret'],
      ['no tenant', { tenant: 'a/b' }, 'config.tenant'],
      ['a login beside it', { connection: 'x' }, 'config.tenant'],
      ['neither', { ...none, site }, 'config.connection'],
      ['a private address', { login_endpoint: 'http://10.0.0.1/' }, 'config.client_secret'],
    ],
    async (_, fields, path) => {
      expect(await link(fields)).toMatchObject({ status: 400, body: { details: [{ path }] } })
    },
  )
})

test('bytes come from the address that the service names, without the token; a link there that ended is a problem', async () => {
  const { link, whenMade, sync, asked, intercept, problems, tree, change } = await start(handbook())
  const made = await whenMade(link())
  const downloads = asked.filter(({ url }) => url.pathname.startsWith('/download/'))
  expect(downloads).toHaveLength(3)
  expect(downloads.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined])
  change('a', { name: 'a.txt', in: 'root', content: 'Tea is brown.' })
  intercept(({ url }) => (url.pathname.startsWith('/download/') ? { status: 401 } : undefined))
  expect(await sync(made.id)).toMatchObject({ status: 'idle' })
  expect(await problems(made.id)).toContainEqual({ path: 'a.txt', reason: 'the provider answered 401' })
  expect(await tree(made.knowledge_base_id)).toContain('a.txt')
})

test('limits are waited for, tokens are renewed, and lists that are broken take nothing away', async () => {
  const { link, whenMade, sync, intercept, login, connect, tree, config } = await start(handbook())
  const { tenant: _, client_id: __, client_secret: ___, ...others } = config
  const refusals: ScriptedAnswer[] = [
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 503, headers: { 'retry-after': '0' } },
  ]
  const connection = await connect()
  intercept(({ url }) => (url.pathname.endsWith('/delta') ? refusals.shift() : undefined))
  const none = { tenant: undefined, client_id: undefined, client_secret: undefined }
  const made = await whenMade(link({ ...others, ...none, connection }))
  expect(made).toMatchObject({ status: 'idle' })
  expect(refusals).toEqual([])
  login.valid.clear()
  expect(await sync(made.id)).toMatchObject({ status: 'idle' })
  expect(login.granted.at(-1)).toMatchObject({ grant_type: 'refresh_token' })

  const all = await tree(made.knowledge_base_id)
  await everyRow(
    [
      ['a broken connection', { status: 0 }, 'cannot be reached'],
      ['no JSON', { body: '<html>' }, 'no JSON'],
      ['an item without an id', { body: { value: [{ name: 'x' }] } }, 'Microsoft Graph API'],
      ['no end', { body: { value: [] } }, 'Microsoft Graph API'],
      ['a page elsewhere', { body: { value: [], '@odata.nextLink': 'https://elsewhere.example/' } }, 'elsewhere'],
      ['no right any more', { status: 403 }, 'does not permit'],
      ['a long wait', { status: 429, headers: { 'retry-after': '3600' } }, 'come back later'],
    ],
    async (_, answer: ScriptedAnswer, says) => {
      intercept(({ url }) => (url.pathname.endsWith('/delta') ? answer : undefined))
      const failed = await sync(made.id)
      expect(failed.status).toBe('failed')
      expect(failed.error_message).toContain(says)
      expect(await tree(made.knowledge_base_id)).toEqual(all)
    },
  )
  login.revoke()
  intercept(() => undefined)
  expect(await sync(made.id)).toMatchObject({ status: 'failed', connection: { is_lost: true } })
})

test('a server killed in the middle of a sync goes on at its next start, with each file once', async () => {
  const items = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`f${n}`, { name: `${n}.txt`, in: 'root', content: `${n}` }]),
  )
  const { config } = await scriptedGraph(items)
  const titles = await killedInTheMiddle(await temporaryFolder(), { kind: 'sharepoint', config })
  expect(titles).toEqual(Array.from({ length: 60 }, (_, n) => `${n}.txt`).sort())
})
