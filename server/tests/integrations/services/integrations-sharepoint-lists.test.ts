// Microsoft here is a scripted server of the documented API (Graph v1.0), not Microsoft's own.
import { expect, onTestFinished, test, vi } from 'vitest'
import { scriptedGraph } from '../../support/sources/graph-server.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { readersOf } from '../../support/sources/readers-of-sources.ts'
import { startTestApp } from '../../support/test-app.ts'

const CREW = '11111111-2222-3333-4444-555555555555'
const MEMBER = '#microsoft.graph.user'
const user = (email: string) => ({ id: 'p', roles: ['read'], grantedToV2: { user: { id: email, email } } })
const ADA = user('ada@example.com')
const BOB = user('bob@example.org')
const group = { id: 'g', roles: ['read'], grantedToV2: { group: { id: CREW, displayName: 'Crew' } } }
const file = (name: string, folder: string, ...permissions: object[]) => ({
  name,
  in: folder,
  content: name,
  permissions,
})

async function start(roles?: string[]) {
  const graph = await scriptedGraph(
    {
      sub: { name: 'Sub', in: 'root', isFolder: true, permissions: [ADA] },
      one: file('one.txt', 'sub', ADA),
      two: file('two.txt', 'sub', ADA),
      top: file('top.txt', 'root', BOB),
      crew: file('crew.txt', 'root', group),
    },
    { groups: { [CREW]: [{ '@odata.type': MEMBER, id: 'u', mail: 'ada@example.com' }] } },
    { ...(roles && { roles }) },
  )
  const app = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  const linked = linkedFoldersOf(app)
  const made = await linked.whenMade(linked.create({ kind: 'sharepoint', config: graph.config }))
  const people = await readersOf(app)
  const seenBy = (who: typeof people.ada) => people.titles(who, made.knowledge_base_id)
  const sync = () => linked.sync(made.id)
  return { ...app, ...graph, ...people, seenBy, sync }
}

test('an app with full rights asks for the lists of what changed alone, and for those below a folder that did', async () => {
  const { askedLists, seenBy, sync, share, change, directory, ada, bob } = await start(['Sites.FullControl.All'])
  expect(askedLists().filter((id) => id !== 'root')).toEqual(['crew', 'one', 'top', 'two'])
  expect([await seenBy(ada), await seenBy(bob)]).toEqual([['crew.txt', 'one.txt', 'two.txt'], ['top.txt']])

  await sync()
  expect(askedLists()).toEqual(['root'])
  share('top', [ADA])
  await sync()
  expect(askedLists()).toEqual(['root', 'top'])
  expect([await seenBy(ada), await seenBy(bob)]).toEqual([['crew.txt', 'one.txt', 'top.txt', 'two.txt'], []])

  // Files that inherit from a folder are not among the changes; nothing was known of the folder before.
  share('sub', [BOB])
  for (const id of ['one', 'two']) share(id, [BOB], { isTold: false })
  await sync()
  expect(askedLists()).toEqual(['one', 'root', 'sub', 'two'])
  expect([await seenBy(ada), await seenBy(bob)]).toEqual([
    ['crew.txt', 'top.txt'],
    ['one.txt', 'two.txt'],
  ])
  change('one', { content: 'One, anew.' })
  await sync()
  expect(askedLists()).toEqual(['one', 'root', 'sub'])
  share('sub', [ADA, BOB])
  for (const id of ['one', 'two']) share(id, [ADA, BOB], { isTold: false })
  await sync()
  expect(askedLists()).toEqual(['one', 'root', 'sub', 'two'])
  expect(await seenBy(ada)).toEqual(['crew.txt', 'one.txt', 'top.txt', 'two.txt'])

  // Members of groups are asked for in each sync.
  directory.groups![CREW] = [{ '@odata.type': MEMBER, id: 'v', mail: 'bob@example.org' }]
  await sync()
  expect(askedLists()).toEqual(['root'])
  expect([await seenBy(ada), await seenBy(bob)]).toEqual([
    ['one.txt', 'top.txt', 'two.txt'],
    ['crew.txt', 'one.txt', 'two.txt'],
  ])
})

test('a list that could not be read is asked for again, and all of them after a day', async () => {
  const { askedLists, seenBy, sync, share, intercept, ada } = await start(['Sites.FullControl.All'])
  share('top', [ADA])
  intercept(({ url }) => (url.pathname.endsWith('/items/top/permissions') ? { status: 403 } : undefined))
  await sync()
  expect(await seenBy(ada)).not.toContain('top.txt')
  intercept(() => undefined)
  askedLists()
  await sync()
  expect(askedLists()).toEqual(['root', 'top'])
  expect(await seenBy(ada)).toContain('top.txt')

  // Changes that Microsoft does not tell count by then.
  share('one', [BOB], { isTold: false })
  await sync()
  expect(askedLists()).toEqual(['root'])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  await sync()
  expect(askedLists().filter((id) => id !== 'root')).toEqual(['crew', 'one', 'top', 'two'])
  expect(await seenBy(ada)).not.toContain('one.txt')
})

test('other apps are not told of all that changed, and ask for each list in each sync', async () => {
  const { askedLists, seenBy, sync, share, ada } = await start(['Sites.Read.All'])
  askedLists()
  share('top', [ADA])
  await sync()
  expect(askedLists()).toEqual(['crew', 'one', 'top', 'two'])
  expect(await seenBy(ada)).toContain('top.txt')
})
