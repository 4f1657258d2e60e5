// Microsoft here is a scripted server of the documented API (Graph v1.0), not Microsoft's own.
import { expect, test } from 'vitest'
import type { ScriptedAnswer } from '../../support/http/scripted-api.ts'
import { scriptedGraph } from '../../support/sources/graph-server.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { readersOf } from '../../support/sources/readers-of-sources.ts'
import { startTestApp } from '../../support/test-app.ts'

type Given = Parameters<typeof scriptedGraph>

async function start(...given: Given) {
  const graph = await scriptedGraph(...given)
  const app = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 'sharepoint', config: { ...graph.config, ...changes } })
  return { ...app, ...graph, ...linked, ...(await readersOf(app)), link }
}

const CREW = '11111111-2222-3333-4444-555555555555'
const granted = (to: object, more: object = {}) => ({ id: 'p', roles: ['read'], grantedToV2: to, ...more })
const user = (email: string) => granted({ user: { id: email, displayName: email, email } })
const siteUser = (loginName: string) => granted({ siteUser: { id: '7', displayName: loginName, loginName } })
const linkOf = (scope: string, more: object = {}, fields: object = {}) => ({
  id: 'l',
  roles: ['read'],
  link: { scope, type: 'view', webUrl: 'https://example/y', ...more },
  ...fields,
})
const file = (name: string, ...permissions: object[]) => ({
  name,
  in: 'root',
  content: `The ${name.split('.')[0]} walrus of the zoo eats hay.`,
  permissions,
})

test('who may read a file at Microsoft may read it here: in lists, searches and answers; changes count with the next sync', async () => {
  const app = await start({
    all: file('all.txt', linkOf('anonymous')),
    ada: file('ada.txt', user('Ada@Example.com'), user('carol@example.com')),
    bob: file('bob.txt', user('carol@example.com'), user('bob@example.org')),
  })
  const { ada, bob, owner, titles, found, indexed, ask, newAgent, whenMade, link, sync, change, read, items } = app
  const made = await whenMade(link())
  expect(made).toMatchObject({ status: 'idle', error_message: null, config: { obey_access: true } })
  const folderId = made.knowledge_base_id
  const all = ['ada.txt', 'all.txt', 'bob.txt']
  expect([await titles(ada, folderId), await titles(bob, folderId), await titles(owner, folderId)]).toEqual([
    ['ada.txt', 'all.txt'],
    ['all.txt', 'bob.txt'],
    all,
  ])
  await indexed(folderId, 'walrus', all)
  expect(await found(ada, folderId, 'walrus')).toEqual(['ada.txt', 'all.txt'])
  expect(await found(bob, folderId, 'walrus')).toEqual(['all.txt', 'bob.txt'])
  const agent = await newAgent(folderId)
  const cited = (as: typeof ada, name: string) => ask(as, agent, `What does the ${name} walrus eat?`)
  expect(await cited(ada, 'ada')).toContain('ada.txt')
  expect(await cited(bob, 'ada')).not.toContain('ada.txt')
  expect(await cited(bob, 'bob')).toContain('bob.txt')

  // Neither the content nor the list of changes tells of it.
  read.length = 0
  items.set('ada', file('ada.txt', user('bob@example.org')))
  items.get('ada')!.content = 'The ada walrus of the zoo eats hay.'
  await sync(made.id)
  expect(read).toEqual([])
  expect([await titles(ada, folderId), await titles(bob, folderId)]).toEqual([['all.txt'], all])
  expect(await found(ada, folderId, 'walrus')).toEqual(['all.txt'])
  expect(await cited(ada, 'ada')).not.toContain('ada.txt')
  expect(await cited(bob, 'ada')).toContain('ada.txt')

  // A file that moves takes its list along.
  change('sub', { name: 'Sub', in: 'root', isFolder: true })
  change('ada', { in: 'sub', permissions: [user('ada@example.com')] })
  await sync(made.id)
  expect([await titles(ada, folderId), await titles(bob, folderId)]).toEqual([
    ['ada.txt', 'all.txt'],
    ['all.txt', 'bob.txt'],
  ])
  await app.call('PATCH', `/integrations/${made.id}`, { config: { obey_access: false } })
  await sync(made.id)
  expect(await titles(ada, folderId)).toEqual(all)
})

test('groups, links, claims of many and what has ended are read as Microsoft has them', async () => {
  const everybodyButGuests = siteUser('c:0-.f|rolemanager|spo-grid-all-users/0a1b2c3d')
  const { whenMade, link, titles, ada, bob, call, asked } = await start(
    {
      group: file('group.txt', granted({ group: { id: CREW, displayName: 'Crew' } })),
      claim: file('claim.txt', siteUser(`c:0o.c|federateddirectoryclaimprovider|${CREW}`)),
      site: file(
        'site.txt',
        granted({ siteGroup: { id: '5', displayName: 'Team Visitors', loginName: 'Team Visitors' } }),
      ),
      many: file('many.txt', siteUser('c:0(.s|true')),
      org: file('org.txt', everybodyButGuests),
      orgLink: file('org-link.txt', linkOf('organization')),
      named: file('named.txt', linkOf('users', {}, { grantedToIdentitiesV2: [user('bob@example.org').grantedToV2] })),
      login: file('login.txt', siteUser('i:0#.f|membership|ada@example.com')),
      guest: file('guest.txt', siteUser('i:0#.f|membership|urn:spo:guest#bob@example.org')),
      asked: file('asked.txt', granted({ user: { id: 'u-ada', displayName: 'Ada' } })),
      invited: file('invited.txt', { id: 'i', roles: ['read'], invitation: { email: 'bob@example.org' } }),
      ended: file('ended.txt', linkOf('anonymous', {}, { expirationDateTime: '2020-01-01T00:00:00Z' })),
      endless: file('endless.txt', linkOf('anonymous', {}, { expirationDateTime: '0001-01-01T00:00:00Z' })),
      nothing: file(
        'nothing.txt',
        linkOf('existingAccess'),
        linkOf('anonymous', { type: 'createOnly' }),
        linkOf('anonymous', { preventsDownload: true }),
        linkOf('anonymous', {}, { hasPassword: true }),
        { ...user('ada@example.com'), roles: [] },
        siteUser('i:0#.f|membership|ada_example.com#ext#@contoso.onmicrosoft.com'),
      ),
    },
    {
      groups: {
        [CREW]: [
          { '@odata.type': '#microsoft.graph.group', id: 'g', mail: 'bob@example.org' },
          { '@odata.type': '#microsoft.graph.user', id: 'u1', mail: null, userPrincipalName: 'carol@example.com' },
          {
            '@odata.type': '#microsoft.graph.user',
            id: 'u2',
            mail: 'ada@example.com',
            userPrincipalName: 'a@x.example',
          },
        ],
      },
      people: { 'u-ada': { mail: 'ada@example.com', userPrincipalName: 'al@example.com' } },
      domains: ['example.org', 'contoso.onmicrosoft.com'],
    },
  )
  const made = await whenMade(link())
  expect(made).toMatchObject({ status: 'idle', error_message: null })
  const folderId = made.knowledge_base_id
  const everybodys = ['endless.txt', 'many.txt']
  expect(await titles(ada, folderId)).toEqual(
    [...everybodys, 'asked.txt', 'claim.txt', 'group.txt', 'login.txt'].sort(),
  )
  expect(await titles(bob, folderId)).toEqual(
    [...everybodys, 'guest.txt', 'invited.txt', 'named.txt', 'org-link.txt', 'org.txt'].sort(),
  )
  const group = (await call('POST', '/groups', { name: 'team visitors' })).body.data.id
  await call('PATCH', `/members/${bob.memberId}`, { group_ids: [group] })
  expect(await titles(bob, folderId)).toContain('site.txt')
  // A group is asked for once in a sync, page by page.
  expect(asked.filter(({ url }) => url.pathname.endsWith('/transitiveMembers'))).toHaveLength(3)
  expect(asked.filter(({ url }) => url.pathname.endsWith('/organization'))).toHaveLength(1)
})

test('a list that cannot be read hides the file, and the sync says so; limits are waited for', async () => {
  const { whenMade, link, sync, intercept, titles, found, indexed, ada, owner, problems, change, asked } = await start(
    {
      a: file('a.txt', user('ada@example.com')),
      b: file('b.txt', linkOf('anonymous')),
      c: file('c.txt', granted({ group: { id: CREW, displayName: 'Crew' } }), user('ada@example.com')),
    },
    { groups: {} },
  )
  const refusals: ScriptedAnswer[] = [
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 503, headers: { 'retry-after': '0' } },
  ]
  intercept(({ url }) => (url.pathname.endsWith('/a/permissions') ? refusals.shift() : undefined))
  const made = await whenMade(link())
  expect(refusals).toEqual([])
  const folderId = made.knowledge_base_id
  const all = ['a.txt', 'b.txt', 'c.txt']
  expect(await titles(ada, folderId)).toEqual(all)
  expect(made.error_message).toContain('1 item may be read by fewer people than at the source: "c.txt"')
  expect(made.error_message).toContain('the members of the group "Crew" cannot be listed')
  await indexed(folderId, 'walrus', all)

  const isRefused = ({ url }: (typeof asked)[number]) => /\/(?:a|b)\/permissions$/.test(url.pathname)
  intercept((request) => (isRefused(request) ? { status: 403 } : undefined))
  const after = await sync(made.id)
  expect(after.status).toBe('idle')
  expect((await problems(made.id)).map(({ path }: any) => path)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(after.error_message).toContain('the provider does not permit it to be read')
  expect([await titles(ada, folderId), await titles(owner, folderId)]).toEqual([['c.txt'], all])
  expect(await found(ada, folderId, 'walrus')).toEqual(['c.txt'])

  // A file that changed and cannot be read stays as it was, with its readers of now.
  change('c', { content: 'Another walrus.', permissions: [user('bob@example.org')] })
  intercept(({ url }) => (url.pathname.startsWith('/download/') ? { status: 404 } : undefined))
  await sync(made.id)
  expect(await titles(ada, folderId)).toEqual(['a.txt', 'b.txt'])
})

test('lists of 20 files are asked for in one request; what is refused there is asked for alone', async () => {
  const names = Array.from({ length: 25 }, (_, at) => `${at}.txt`)
  const app = await start({
    ...Object.fromEntries(names.map((name, at) => [`f${at}`, file(name, user('ada@example.com'))])),
    sub: { name: 'Sub', in: 'root', isFolder: true },
    deep: { ...file('deep.txt', linkOf('anonymous')), in: 'sub' },
  })
  const { whenMade, link, sync, titles, ada, bob, asked, intercept } = app
  const listsAsked = () => {
    const paths = asked.splice(0).map(({ url }) => url.pathname)
    const alone = paths.filter((path) => path.endsWith('/permissions')).map((path) => path.split('/').at(-2))
    return { batches: paths.filter((path) => path.endsWith('/$batch')).length, alone }
  }
  const made = await whenMade(link())
  expect(listsAsked()).toEqual({ batches: 2, alone: ['root', 'deep'] })
  const seen = async () => [await titles(ada, made.knowledge_base_id), await titles(bob, made.knowledge_base_id)]
  const readable = [[...names, 'deep.txt'].toSorted(), ['deep.txt']]
  expect(await seen()).toEqual(readable)

  // A token that ends in the middle is renewed by the request alone.
  const refusals: ScriptedAnswer[] = [{ status: 401 }]
  intercept(({ url }) => (url.pathname.endsWith('/f3/permissions') ? refusals.shift() : undefined))
  await sync(made.id)
  expect(listsAsked()).toEqual({ batches: 2, alone: expect.arrayContaining(['f3', 'deep']) })

  // Neither a service nor a proxy that takes no batches hides anything.
  intercept(({ url }) => (url.pathname.endsWith('/$batch') ? { status: 404 } : undefined))
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(listsAsked().alone).toHaveLength(26)
  expect(await seen()).toEqual(readable)
})

test('where Microsoft does not say who may read what, that is told before anything is brought', async () => {
  const { link, intercept } = await start({ a: file('a.txt') })
  intercept(({ url }) => (url.pathname.endsWith('/permissions') ? { status: 403 } : undefined))
  expect(await link()).toMatchObject({ status: 400, body: { details: [{ path: 'config.obey_access' }] } })
  expect((await link({ obey_access: false })).status).toBe(200)
})
