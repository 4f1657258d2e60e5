// Confluence here is a scripted server of the documented API (REST v2, OAuth 2.0 (3LO)), not Atlassian's own.
import { expect, test } from 'vitest'
import { logInOver } from '../../support/access/scripted-login.ts'
import { temporaryFolder } from '../../support/database/database.ts'
import { everyRow } from '../../support/every-row.ts'
import type { ScriptedAnswer } from '../../support/http/scripted-api.ts'
import { scriptedConfluence } from '../../support/sources/confluence-server.ts'
import { killedInTheMiddle } from '../../support/sources/killed-sync.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { startTestApp } from '../../support/test-app.ts'

type Pages = Parameters<typeof scriptedConfluence>[0]

async function start(pages: Pages) {
  const confluence = await scriptedConfluence(pages)
  const app = await startTestApp(confluence.login.settings('atlassian', confluence.url))
  const linked = linkedFoldersOf(app)
  let count = 0
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({
      kind: 'confluence',
      knowledge_base_name: `Linked ${++count}`,
      config: { ...confluence.config, ...changes },
    })
  async function textOf(folderId: string, title: string) {
    const file = (await linked.rows(folderId)).find((row) => row.title === title)!
    const path = `/v1/knowledge-bases/${folderId}/data-sources/${file.id}/content`
    return (await fetch(app.url + path, { headers: { 'x-api-key': app.owner.apiKey } })).text()
  }
  const foldersIn = async (id: string) =>
    (await app.call('GET', `/knowledge-bases?parent_kb_id=${id}`)).body.data.org_knowledge_bases as any[]
  return { ...app, ...confluence, ...linked, ...logInOver(app, 'atlassian'), link, textOf, foldersIn }
}

const handbook = (): Pages => ({
  '1': { title: 'Home', html: '<p>Welcome.</p>' },
  '2': {
    title: 'Tea',
    parentId: '1',
    html: '<h2>Green</h2><table><tr><th>Tea</th><th>Minutes</th></tr><tr><td>Sencha</td><td>2</td></tr></table><p>See <a href="/wiki/x">more</a>.</p>',
    attachments: { att1: { title: 'brewing.txt', content: 'Two minutes.' } },
  },
  '3': { title: 'Sencha', parentId: '2', html: '<p>From Japan.</p>' },
  '4': { title: 'In a folder', parentId: 'f2', parentType: 'folder', html: '<p>Salt.</p>' },
  '5': { title: 'Thrown away', parentId: '1', html: '<p>x</p>', status: 'trashed' },
})

test('pages become files, those below them a folder; only other versions are read; what is renamed keeps its id', async () => {
  const { link, whenMade, sync, tree, rows, pages, read, textOf, foldersIn, asked } = await start(handbook())
  const made = await whenMade(link())
  expect(made).toMatchObject({
    status: 'idle',
    error_message: null,
    config: { api_token: '••••••••' },
    connection: null,
  })
  const folderId = made.knowledge_base_id
  expect(await tree(folderId)).toEqual([
    'Handbook/',
    'Handbook/Home.md',
    'Handbook/Outer/',
    'Handbook/Outer/Inner/',
    'Handbook/Outer/Inner/In a folder.md',
    'Handbook/Tea.md',
    'Handbook/Tea/',
    'Handbook/Tea/Sencha.md',
    'Handbook/Tea/brewing.txt',
  ])
  const [space] = await foldersIn(folderId)
  const tea = (await rows(space._id)).find(({ title }) => title === 'Tea.md')!
  expect(tea).toMatchObject({ source_type: 'confluence_page', media_type: 'text/markdown' })
  expect(JSON.parse(tea.metadata).url).toMatch(/\/wiki\/spaces\/HB\/pages\/2$/)
  const text = await textOf(space._id, 'Tea.md')
  expect(text).toMatch(/^# Tea\n\n## Green\n/)
  expect(text).toMatch(/\nSencha \| 2\n/)
  expect(text).toMatch(/See \[more\]\(http[^)]*\/wiki\/x\)/)

  read.length = 0
  await sync(made.id)
  expect(read).toEqual([])

  pages.set('2', { ...pages.get('2')!, title: 'Teas', version: 2 })
  pages.set('3', { ...pages.get('3')!, parentId: '1' })
  pages.delete('4')
  await sync(made.id)
  expect(read).toEqual(['2'])
  expect(await tree(folderId)).toEqual([
    'Handbook/',
    'Handbook/Home.md',
    'Handbook/Sencha.md',
    'Handbook/Teas.md',
    'Handbook/Teas/',
    'Handbook/Teas/brewing.txt',
  ])
  expect((await rows(space._id)).find(({ title }) => title === 'Teas.md')?.id).toBe(tea.id)
  expect(
    asked.filter(({ url }) => url.pathname.startsWith('/media/')).map(({ headers }) => headers.authorization),
  ).toEqual([undefined])
})

test('a page whose export is refused comes as it is stored; one that cannot be read is a problem; files can be left out', async () => {
  const { link, whenMade, intercept, problems, tree, textOf, foldersIn, asked } = await start(handbook())
  intercept(({ url }) => {
    if (url.pathname.endsWith('/pages/3')) return { status: 403 }
    return url.searchParams.get('body-format') === 'export_view' && url.pathname.endsWith('/pages/1')
      ? { status: 400 }
      : undefined
  })
  const made = await whenMade(link({ pages_only: true, spaces: ['HB'] }))
  expect(await problems(made.id)).toEqual([
    { path: 'Handbook/Tea/Sencha.md', reason: 'the provider does not permit it to be read' },
  ])
  const [space] = await foldersIn(made.knowledge_base_id)
  expect(await textOf(space._id, 'Home.md')).toBe('# Home\n\nWelcome.\n')
  expect(await tree(made.knowledge_base_id)).not.toContain('Handbook/Tea/brewing.txt')
  expect(asked.some(({ url }) => url.pathname.endsWith('/attachments'))).toBe(false)
})

test('a person logs in at their site, limits are waited for, broken lists take nothing away, a lost login says so', async () => {
  const { link, whenMade, sync, connect, config, intercept, login, tree, asked } = await start(handbook())
  const { email: _, api_token: __, ...others } = config
  const none = { email: undefined, api_token: undefined }
  const refusals: ScriptedAnswer[] = [
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 503, headers: { 'retry-after': '0' } },
  ]
  const connection = await connect()
  expect(Object.fromEntries(asked[0]!.url.searchParams)).toMatchObject({
    audience: 'api.atlassian.com',
    prompt: 'consent',
  })
  intercept(({ url }) => (url.pathname.endsWith('/spaces') ? refusals.shift() : undefined))
  const made = await whenMade(link({ ...others, ...none, connection }))
  expect(made).toMatchObject({ status: 'idle', error_message: null, connection: { provider: 'atlassian' } })
  expect(refusals).toEqual([])
  expect(asked.at(-1)!.url.pathname).toMatch(/^\/ex\/confluence\/cloud\/|^\/media\//)
  const all = await tree(made.knowledge_base_id)
  expect(all).toContain('Handbook/Tea/brewing.txt')
  await everyRow(
    [
      ['a broken connection', { status: 0 }, 'cannot be reached'],
      ['no JSON', { body: '<html>' }, 'no JSON'],
      ['a page without a version', { body: { results: [{ id: '1', title: 'x' }] } }, 'Confluence API'],
      ['a list that does not go on', { body: { results: [], _links: { next: '/wiki/api/v2/x' } } }, 'Confluence API'],
      ['no right any more', { status: 403 }, 'does not permit'],
    ],
    async (_, answer: ScriptedAnswer, says) => {
      intercept(({ url }) => (/\/spaces\/\w+\/pages$/.test(url.pathname) ? answer : undefined))
      const failed = await sync(made.id)
      expect(failed.status).toBe('failed')
      expect(failed.error_message).toContain(says)
      expect(await tree(made.knowledge_base_id)).toEqual(all)
    },
  )
  intercept(() => undefined)
  login.valid.clear()
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  login.revoke()
  expect(await sync(made.id)).toMatchObject({ status: 'failed', connection: { is_lost: true } })
})

test('settings that lead to no space are refused, each at its field', async () => {
  const { link, connect } = await start(handbook())
  const connection = await connect()
  const none = { email: undefined, api_token: undefined }
  await everyRow(
    [
      ['no site', { site: undefined }, 'config.site'],
      ['another site', { ...none, connection, site: 'https://other.example' }, 'config.site'],
      ['another space', { spaces: ['NONE'] }, 'config.spaces'],
      ['no token', { api_token: undefined }, 'config.api_token'],
      ['another token', { api_token: 'x' }, 'config.api_token'],
      ['no address', { email: undefined }, 'config.email'],
      ['both', { connection }, 'config.api_token'],
      ['a private address', { site: 'http://10.0.0.1/' }, 'config.site'],
    ],
    async (_, fields, path) => {
      expect(await link(fields)).toMatchObject({ status: 400, body: { details: [{ path }] } })
    },
  )
})

test('a server killed in the middle of a sync goes on at its next start, with each page once', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`${n + 1}`, { title: `Page ${n}`, html: `<p>${n}</p>` }]),
  )
  const { config } = await scriptedConfluence(pages)
  const titles = await killedInTheMiddle(await temporaryFolder(), { kind: 'confluence', config })
  expect(titles).toEqual(Array.from({ length: 60 }, (_, n) => `Page ${n}.md`).sort())
})
