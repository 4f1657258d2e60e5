// Confluence here is a scripted server of the documented API (REST v2 and v1), not Atlassian's own.
import { expect, test } from 'vitest'
import type { ScriptedAnswer } from '../../support/http/scripted-api.ts'
import { scriptedConfluence } from '../../support/sources/confluence-server.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { readersOf } from '../../support/sources/readers-of-sources.ts'
import { startTestApp } from '../../support/test-app.ts'

type Pages = Parameters<typeof scriptedConfluence>[0]
type People = NonNullable<Parameters<typeof scriptedConfluence>[1]>

async function start(pages: Pages, people: People) {
  const confluence = await scriptedConfluence(pages, people)
  const app = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 'confluence', config: { ...confluence.config, ...changes } })
  return { ...app, ...confluence, ...linked, ...(await readersOf(app)), link }
}

const page = (title: string, parentId: string, more: Partial<Pages[string]> = {}) => ({
  title,
  parentId,
  html: `<p>The ${title} walrus of the zoo eats hay.</p>`,
  ...more,
})
const HOME = { title: 'Home', html: '<p>The Home walrus of the zoo eats hay.</p>' }

/** A space that everybody named here may see. */
const crew = (): People => ({
  users: {
    'a-ada': { email: 'Ada@Example.com', name: 'Ada' },
    'a-bob': { email: 'bob@example.org', name: 'Bob' },
    'a-cy': { email: 'cy@example.com', name: 'Cy' },
    'a-dee': { email: '', name: 'Dee' },
  },
  groups: {
    'g-all': { name: 'confluence-users', members: ['a-cy', 'a-ada', 'a-bob'] },
    'g-crew': { name: 'Crew', members: ['a-cy', 'a-bob'] },
  },
  permissions: [
    { type: 'group', id: 'g-crew', key: 'create' },
    { type: 'user', id: 'a-cy' },
    { type: 'group', id: 'g-all' },
  ],
})

test('who may read a page there may read it here, with what lies below it: in lists, searches and answers; changes count with the next sync', async () => {
  const app = await start(
    {
      '1': HOME,
      '2': page('Plans', '1', {
        restricted: { users: ['a-cy', 'a-ada'] },
        attachments: { att1: { title: 'plans.txt', content: 'The secret walrus.' } },
      }),
      '3': page('Budget', '2'),
      '4': page('Salaries', '2', { restricted: { users: ['a-cy'], groups: ['g-crew'] } }),
      '5': page('Tools', 'f2', { parentType: 'folder', restricted: { groups: ['g-crew'] } }),
    },
    crew(),
  )
  const { ada, bob, owner, titles, found, indexed, ask, newAgent, whenMade, link, sync, pages, people, read, asked } =
    app
  const made = await whenMade(link())
  expect(made).toMatchObject({ status: 'idle', error_message: null, config: { obey_access: true } })
  const folderId = made.knowledge_base_id
  const seen = async () => [await titles(ada, folderId), await titles(bob, folderId)]
  const all = ['Budget.md', 'Home.md', 'Plans.md', 'Salaries.md', 'Tools.md', 'plans.txt']
  const plans = ['Budget.md', 'Home.md', 'Plans.md', 'plans.txt']
  // Bob may read the list of Salaries, but not the page above it.
  expect(await seen()).toEqual([plans, ['Home.md', 'Tools.md']])
  expect(await titles(owner, folderId)).toEqual(all)
  await indexed(folderId, 'walrus', all)
  expect(await found(ada, folderId, 'walrus')).toEqual(plans)
  expect(await found(bob, folderId, 'walrus')).toEqual(['Home.md', 'Tools.md'])
  const agent = await newAgent(folderId)
  const question = 'What does the Budget walrus of the zoo eat?'
  expect(await ask(ada, agent, question)).toContain('Budget.md')
  expect(await ask(bob, agent, question)).not.toContain('Budget.md')
  const members = asked.filter(({ url }) => url.pathname.endsWith('/membersByGroupId'))
  // Each group once, page by page; before that, whoever links it sees whether the space tells its readers.
  expect(members.map(({ url }) => url.pathname.split('/').at(-2)).sort()).toEqual([
    ...Array(4).fill('g-all'),
    ...Array(2).fill('g-crew'),
  ])

  // No page has another version.
  read.length = 0
  pages.get('2')!.restricted = { users: ['a-bob'] }
  people.groups['g-crew']!.members = ['a-ada']
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(read).toEqual([])
  expect(await seen()).toEqual([['Home.md', 'Tools.md'], plans])
  expect(await ask(bob, agent, question)).toContain('Budget.md')
  expect(await ask(ada, agent, question)).not.toContain('Budget.md')
  // Somebody who may not see the space any more sees none of it.
  people.groups['g-all']!.members = ['a-ada']
  await sync(made.id)
  expect(await seen()).toEqual([['Home.md', 'Tools.md'], []])
  expect(await found(bob, folderId, 'walrus')).toEqual([])
  await app.call('PATCH', `/integrations/${made.id}`, { config: { obey_access: false } })
  await sync(made.id)
  expect((await seen())[1]).toEqual(all)
})

test('people who show no address, members who cannot be listed and roles are said, and give nothing', async () => {
  const { people, whenMade, link, sync, titles, ada, bob, intercept, call, problems } = await start(
    { '1': HOME, '2': page('Plans', '1', { restricted: { users: ['a-dee'], groups: ['g-crew'] } }) },
    {
      ...crew(),
      permissions: [
        { type: 'user', id: 'a-bob' },
        { type: 'group', id: 'g-crew' },
        { type: 'role', id: 'r' },
      ],
    },
  )
  const isOfCrew = (path: string) => path.endsWith('/g-crew/membersByGroupId')
  intercept(({ url }) => (isOfCrew(url.pathname) ? { status: 403 } : undefined))
  const made = await whenMade(link())
  const folderId = made.knowledge_base_id
  const reasons = (await problems(made.id)).map(({ reason }: any) => reason).join('; ')
  expect(reasons).toContain('Dee shows no address')
  expect(reasons).toContain('the members of the group "Crew" cannot be listed')
  expect(reasons).toContain('whom roles in the space let read it is not known')
  expect([await titles(ada, folderId), await titles(bob, folderId)]).toEqual([[], ['Home.md']])
  const group = (await call('POST', '/groups', { name: 'crew' })).body.data.id
  await call('PATCH', `/members/${ada.memberId}`, { group_ids: [group] })
  expect(await titles(ada, folderId)).toEqual(['Home.md', 'Plans.md'])

  intercept(() => undefined)
  people.groups['g-crew']!.members = ['a-dee', 'a-bob']
  await sync(made.id)
  expect(JSON.stringify(await problems(made.id))).toContain('1 of the 2 members of the group')
  expect([await titles(ada, folderId), await titles(bob, folderId)]).toEqual([[], ['Home.md', 'Plans.md']])
})

test('pages are asked for their restrictions many at a time; alone only those that the search does not give whole', async () => {
  const { whenMade, link, titles, ada, bob, asked } = await start(
    {
      '1': HOME,
      '2': page('Plans', '1', { restricted: { users: ['a-ada'] } }),
      '3': page('Fresh', '1', { restricted: { users: ['a-bob'] }, isNew: true }),
      '4': page('Board', '1', { restricted: { users: ['a-cy', 'a-dee', 'a-bob'] } }),
      '5': page('Tools', '1'),
    },
    crew(),
  )
  const made = await whenMade(link())
  expect(await titles(ada, made.knowledge_base_id)).toEqual(['Home.md', 'Plans.md', 'Tools.md'])
  expect(await titles(bob, made.knowledge_base_id)).toEqual(['Board.md', 'Fresh.md', 'Home.md', 'Tools.md'])
  const alone = asked.flatMap(({ url }) => /\/content\/(\w+)\/restriction\//.exec(url.pathname)?.[1] ?? [])
  expect([...new Set(alone)].sort()).toEqual(['3', '4'])
})

test('roles let people, groups and, where they name it, everybody read a space; other classes count by their names', async () => {
  const roles = { reader: ['read/space'], guest: ['create/comment'] }
  const { people, whenMade, link, sync, titles, ada, bob, call, problems, intercept } = await start(
    { '1': HOME },
    {
      ...crew(),
      permissions: [{ type: 'role', id: 'reader' }],
      roles,
      assignments: [
        { type: 'USER', id: 'a-ada', role: 'reader' },
        { type: 'USER', id: 'a-bob', role: 'guest' },
        { type: 'GROUP', id: 'g-crew', role: 'guest' },
        { type: 'ACCESS_CLASS', id: 'all-licensed-users', role: 'reader' },
      ],
    },
  )
  const made = await whenMade(link())
  const folderId = made.knowledge_base_id
  const seen = async () => [await titles(ada, folderId), await titles(bob, folderId)]
  expect(await seen()).toEqual([['Home.md'], []])
  expect(JSON.stringify(await problems(made.id))).toContain('who \\"all-licensed-users\\" are')
  const group = (await call('POST', '/groups', { name: 'all-licensed-users' })).body.data.id
  await call('PATCH', `/members/${bob.memberId}`, { group_ids: [group] })
  expect(await seen()).toEqual([['Home.md'], ['Home.md']])

  people.assignments = [{ type: 'GROUP', id: 'g-crew', role: 'reader' }]
  await sync(made.id)
  expect(await seen()).toEqual([[], ['Home.md']])
  people.assignments = [{ type: 'ACCESS_CLASS', id: 'anonymous-users', role: 'reader' }]
  expect(await sync(made.id)).toMatchObject({ error_message: null })
  expect(await seen()).toEqual([['Home.md'], ['Home.md']])
  intercept(({ url }) => (url.pathname.endsWith('/role-assignments') ? { status: 403 } : undefined))
  await sync(made.id)
  expect(await seen()).toEqual([[], []])
})

test('restrictions that cannot be read hide a page and what lies below it, and the sync says so; limits are waited for', async () => {
  const { whenMade, link, sync, intercept, titles, found, indexed, ada, owner, problems } = await start(
    { '1': HOME, '2': page('Plans', '1'), '3': page('Budget', '2'), '4': page('Tools', '1') },
    crew(),
  )
  const refusals: ScriptedAnswer[] = [
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 503, headers: { 'retry-after': '0' } },
  ]
  // A site that refuses the search is asked for each page.
  const isSearch = (url: URL) => url.pathname.endsWith('/content/search')
  intercept(({ url }) =>
    isSearch(url) ? { status: 403 } : url.pathname.includes('/restriction/') ? refusals.shift() : undefined,
  )
  const made = await whenMade(link())
  expect(refusals).toEqual([])
  const folderId = made.knowledge_base_id
  const all = ['Budget.md', 'Home.md', 'Plans.md', 'Tools.md']
  expect(await titles(ada, folderId)).toEqual(all)
  await indexed(folderId, 'walrus', all)

  intercept(({ url }) =>
    isSearch(url) || url.pathname.includes('/content/2/restriction/') ? { status: 404 } : undefined,
  )
  const after = await sync(made.id)
  expect(after.status).toBe('idle')
  expect(after.error_message).toContain('2 items may be read by fewer people than at the source')
  expect((await problems(made.id)).map(({ path }: any) => path).sort()).toEqual([
    'Handbook/Plans.md',
    'Handbook/Plans/Budget.md',
  ])
  expect([await titles(ada, folderId), await titles(owner, folderId)]).toEqual([['Home.md', 'Tools.md'], all])
  expect(await found(ada, folderId, 'walrus')).toEqual(['Home.md', 'Tools.md'])

  intercept(({ url }) => (url.pathname.endsWith('/spaces/space/permissions') ? { status: 403 } : undefined))
  await sync(made.id)
  expect(await titles(ada, folderId)).toEqual([])
  expect(await link()).toMatchObject({ status: 400, body: { details: [{ path: 'config.obey_access' }] } })
})
