// Notion here is a scripted server of its documented API (version 2025-09-03, OAuth 2.0), not Notion's own.
import { expect, test } from 'vitest'
import { logInOver, scriptedLogin } from '../../support/access/scripted-login.ts'
import { temporaryFolder } from '../../support/database/database.ts'
import { everyRow } from '../../support/every-row.ts'
import { type ScriptedAnswer, type ScriptedRequest, scriptedApi } from '../../support/http/scripted-api.ts'
import { killedInTheMiddle } from '../../support/sources/killed-sync.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const TOKEN = 'ntn_secret'
const EDITED = '2026-01-01T10:00:00.000Z'

interface Item {
  title: string
  object?: 'page' | 'data_source'
  parent?: Record<string, unknown>
  edited?: string
  blocks?: any[]
  properties?: Record<string, any>
}

const rich = (plain_text: string, more: object = {}) => [{ type: 'text', plain_text, ...more }]
const block = (id: string, type: string, fields: object, has_children = false) => {
  return { object: 'block', id, type, has_children, [type]: fields }
}
const paragraph = (text: string) => block(`p-${text}`, 'paragraph', { rich_text: rich(text) })
const inPage = (page_id: string) => ({ type: 'page_id', page_id })

/** Notion with items by their ids; lists have pages of two. */
async function notionOf(given: Record<string, Item>) {
  const items = new Map(Object.entries(given))
  const nested = new Map<string, { parent: object; blocks: any[] }>()
  const login = scriptedLogin({ tokenBody: 'json', isBasic: true, extra: { workspace_name: 'Lighthouse' } })
  const read: string[] = []

  function itemOf(id: string, { object = 'page', title, parent, edited = EDITED, properties }: Item) {
    const shared = { object, id, last_edited_time: edited, in_trash: false, url: `https://www.notion.so/${id}` }
    const at = parent ?? { type: 'workspace', workspace: true }
    if (object === 'data_source') {
      const database = { type: 'database_id', database_id: `${id}-database` }
      return { ...shared, parent: database, database_parent: at, title: rich(title), properties: {} }
    }
    return {
      ...shared,
      parent: at,
      properties: { ...properties, Name: { id: 't', type: 'title', title: rich(title) } },
    }
  }
  function listOf(all: unknown[], cursor: string | null | undefined): ScriptedAnswer {
    const from = Number(cursor ?? 0)
    const has_more = from + 2 < all.length
    const next_cursor = has_more ? String(from + 2) : null
    return { body: { object: 'list', results: all.slice(from, from + 2), has_more, next_cursor } }
  }
  function answer(request: ScriptedRequest): ScriptedAnswer | undefined {
    const { url, headers, method, body } = request
    if (headers.authorization !== `Bearer ${TOKEN}` && !login.isLoggedIn(request))
      return { status: 401, body: { object: 'error', status: 401, code: 'unauthorized' } }
    if (headers['notion-version'] !== '2025-09-03') return { status: 400 }
    const [, , kind, id, what] = url.pathname.split('/')
    if (kind === 'search' && method === 'POST') {
      const all = [...items].map(([id, item]) => itemOf(id, item))
      return listOf(all, JSON.parse(body).start_cursor)
    }
    if (kind !== 'blocks' || id === undefined) return undefined
    const parent = nested.get(id)?.parent
    if (what !== 'children') return parent && { body: { object: 'block', id, parent } }
    const cursor = url.searchParams.get('start_cursor')
    if (items.has(id) && cursor === null) read.push(id)
    return listOf(items.get(id)?.blocks ?? nested.get(id)?.blocks ?? [], cursor)
  }
  const api = await scriptedApi((request) => login.answer(request) ?? answer(request))
  const config = { token: TOKEN, endpoint: `${api.url}/v1`, requests_per_second: 100 }
  return { ...api, items, nested, login, read, config }
}

async function start(items: Record<string, Item>) {
  const notion = await notionOf(items)
  const app = await startTestApp(notion.login.settings('notion', notion.url))
  const linked = linkedFoldersOf(app)
  const link = (config: object = notion.config) => linked.create({ kind: 'notion', config })
  async function textOf(folderId: string, title: string) {
    const file = (await linked.rows(folderId)).find((row) => row.title === title)!
    return (await fetch(`${app.url}/v1/knowledge-bases/${folderId}/data-sources/${file.id}/content`, {
      headers: { 'x-api-key': app.owner.apiKey },
    }).then((reply) => reply.text())) as string
  }
  return { ...app, ...notion, ...linked, ...logInOver(app, 'notion'), link, textOf }
}

const pages = (): Record<string, Item> => ({
  home: {
    title: 'Home',
    blocks: [
      block('h', 'heading_2', { rich_text: rich('Tea') }),
      block('l1', 'bulleted_list_item', { rich_text: rich('Green', { annotations: { bold: true } }) }, true),
      block('l2', 'bulleted_list_item', { rich_text: rich('Black', { href: 'https://tea.example/' }) }),
      block('c', 'code', { rich_text: rich('pour()'), language: 'javascript' }),
      block('t', 'table', { table_width: 2 }, true),
      block('x', 'child_page', { title: 'Deep' }, true),
      block('u', 'unsupported', {}),
    ],
  },
  deep: { title: 'Deep', parent: inPage('home'), blocks: [paragraph('Milk is white.')] },
  column: { title: 'In a column', parent: { type: 'block_id', block_id: 'col' }, blocks: [paragraph('Salt.')] },
  tasks: { title: 'Tasks', object: 'data_source', parent: inPage('home') },
  row: {
    title: 'Boil water',
    parent: { type: 'data_source_id', data_source_id: 'tasks', database_id: 'tasks-database' },
    properties: {
      State: { type: 'status', status: { name: 'Open' } },
      Due: { type: 'date', date: { start: '2026-02-01', end: null } },
      Tags: { type: 'multi_select', multi_select: [{ name: 'hot' }, { name: 'wet' }] },
    },
    blocks: [paragraph('In a kettle.')],
  },
  away: { title: 'Of a page that is not shared', parent: inPage('hidden'), blocks: [] },
})

test('pages and databases become files and folders; what moved keeps its id, what is gone goes', async () => {
  const { link, whenMade, sync, tree, rows, items, nested, read, textOf, asked, call } = await start(pages())
  nested.set('col', { parent: { type: 'block_id', block_id: 'list' }, blocks: [] })
  nested.set('list', { parent: inPage('home'), blocks: [] })
  nested.set('l1', { parent: inPage('home'), blocks: [paragraph('From Japan.')] })
  const cells = (...texts: string[]) => ({ cells: texts.map((text) => rich(text)) })
  nested.set('t', {
    parent: inPage('home'),
    blocks: [block('r1', 'table_row', cells('Tea', 'Minutes')), block('r2', 'table_row', cells('Green', '2'))],
  })
  const made = await whenMade(link())
  expect(made).toMatchObject({ status: 'idle', error_message: null, config: { token: '••••••••' }, connection: null })
  const folderId = made.knowledge_base_id
  expect(await tree(folderId)).toEqual([
    'Home.md',
    'Home/',
    'Home/Deep.md',
    'Home/In a column.md',
    'Home/Tasks/',
    'Home/Tasks/Boil water.md',
    'Of a page that is not shared.md',
  ])
  const home = (await rows(folderId)).find(({ title }) => title === 'Home.md')!
  expect(home).toMatchObject({ source_type: 'notion_page', media_type: 'text/markdown' })
  expect(JSON.parse(home.metadata)).toEqual({ url: 'https://www.notion.so/home' })
  expect(await textOf(folderId, 'Home.md')).toBe(
    [
      '# Home\n\n## Tea\n\n- **Green**\n  From Japan.\n- [Black](https://tea.example/)\n\n```javascript\npour()\n```',
      '| Tea | Minutes |\n| --- | --- |\n| Green | 2 |\n\nDeep',
    ].join('\n\n'),
  )

  const { id: homeId } = home
  const { _id: below } = (await call('GET', `/knowledge-bases?parent_kb_id=${folderId}`)).body.data
    .org_knowledge_bases[0]
  const deep = (await rows(below)).find(({ title }) => title === 'Deep.md')!.id
  read.length = 0
  await sync(made.id)
  expect(read).toEqual([])

  items.set('home', { ...items.get('home')!, title: 'Start', edited: '2026-01-02T10:00:00.000Z' })
  items.set('deep', { ...items.get('deep')!, parent: { type: 'workspace', workspace: true } })
  items.delete('away')
  await sync(made.id)
  expect(read).toEqual(['home'])
  expect(await tree(folderId)).toEqual([
    'Deep.md',
    'Start.md',
    'Start/',
    'Start/In a column.md',
    'Start/Tasks/',
    'Start/Tasks/Boil water.md',
  ])
  // A page that was renamed, and one that moved, are the files that they were.
  const ids = Object.fromEntries((await rows(folderId)).map(({ id, title }) => [title, id]))
  expect(ids).toEqual({ 'Deep.md': deep, 'Start.md': homeId })
  const kept = (await call('GET', `/knowledge-bases?parent_kb_id=${folderId}`)).body.data.org_knowledge_bases
  expect(kept.map(({ _id, name }: any) => [_id, name])).toEqual([[below, 'Start']])
  expect(asked.every(({ url }) => url.pathname.startsWith('/v1/'))).toBe(true)
})

test('a page that was just edited is read once more, as times are whole minutes', async () => {
  const edited = new Date().toISOString().replace(/:\d\d\.\d+Z$/, ':00.000Z')
  const { link, whenMade, sync, items, read } = await start({ a: { title: 'A', edited, blocks: [paragraph('One.')] } })
  const made = await whenMade(link())
  items.set('a', { title: 'A', edited: '2026-01-01T10:00:00.000Z', blocks: [paragraph('One.')] })
  read.length = 0
  await sync(made.id)
  await sync(made.id)
  expect(read).toEqual(['a'])
})

test('a person logs in, rate limits are waited for, and a login that was revoked says to connect again', async () => {
  const { connect, link, whenMade, sync, config, intercept, login, tree, asked } = await start(pages())
  const { token: _, ...others } = config
  const refusals: ScriptedAnswer[] = [
    { status: 429, headers: { 'retry-after': '1' }, body: { code: 'rate_limited' } },
    { status: 503, headers: { 'retry-after': '0' } },
  ]
  const connection = await connect()
  intercept(({ url }) => (url.pathname === '/v1/search' ? refusals.shift() : undefined))
  const made = await whenMade(link({ ...others, connection }))
  expect(refusals).toEqual([])
  expect(made).toMatchObject({ status: 'idle', connection: { provider: 'notion', account: 'Lighthouse' } })
  expect(new URL(asked[0]!.url).searchParams.get('owner')).toBe('user')
  login.revoke()
  const failed = await sync(made.id)
  expect(failed).toMatchObject({ status: 'failed', connection: { is_lost: true } })
  expect(failed.error_message).toContain('the login at Notion was revoked or has expired: connect again')
  expect(await tree(made.knowledge_base_id)).toContain('Home.md')
})

test('a list with gaps or that is malformed takes nothing away; a page that cannot be read is a problem', async () => {
  const { link, whenMade, sync, intercept, tree, problems } = await start(pages())
  intercept(({ url }) => (url.pathname === '/v1/blocks/deep/children' ? { status: 403, body: {} } : undefined))
  const made = await whenMade(link())
  expect(await problems(made.id)).toEqual([
    { path: 'Home/Deep.md', reason: 'the provider does not permit it to be read' },
  ])
  const all = await tree(made.knowledge_base_id)
  const list = { results: [], has_more: false, next_cursor: null }
  await everyRow(
    [
      ['a broken connection', { status: 0 }, 'cannot be reached'],
      ['a list with gaps', { body: { ...list, request_status: { type: 'incomplete' } } }, 'could not list'],
      ['no JSON', { body: '<html>' }, 'no JSON'],
      ['a page without a time', { body: { ...list, results: [{ object: 'page', id: 'x' }] } }, 'Notion API'],
    ],
    async (_, answer: ScriptedAnswer, says) => {
      intercept(({ body }) => (body.includes('start_cursor') ? answer : undefined))
      const failed = await sync(made.id)
      expect(failed.status).toBe('failed')
      expect(failed.error_message).toContain(says)
      expect(await tree(made.knowledge_base_id)).toEqual(all)
    },
  )
})

test('settings that Notion does not take are refused, each at its field', async () => {
  const { link, config } = await start({})
  await everyRow(
    [
      ['no token', { ...config, token: undefined }, 'config.token'],
      ['another token', { ...config, token: 'x' }, 'config.token'],
      ['both', { ...config, connection: 'x' }, 'config.token'],
      ['a private address', { ...config, endpoint: 'http://10.0.0.1/' }, 'config.endpoint'],
    ],
    async (_, fields, path) => {
      expect(await link(fields)).toMatchObject({ status: 400, body: { details: [{ path }] } })
    },
  )
})

test('a server killed in the middle of a sync goes on at its next start, with each page once', async () => {
  const items = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`f${n}`, { title: String(n), blocks: [paragraph(`${n}`)] }]),
  )
  const { config } = await notionOf(items)
  const titles = await killedInTheMiddle(await temporaryFolder(), { kind: 'notion', config })
  expect(titles).toEqual(Array.from({ length: 60 }, (_, n) => `${n}.md`).sort())
})
