// Slack here is a scripted server of its documented Web API, not Slack's own.
import { expect, test } from 'vitest'
import type { ScriptedAnswer } from '../../support/http/scripted-api.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { readersOf } from '../../support/sources/readers-of-sources.ts'
import { scriptedSlack } from '../../support/sources/slack-server.ts'
import { startTestApp } from '../../support/test-app.ts'

type Given = Parameters<typeof scriptedSlack>

const DAY_S = 86_400
const YESTERDAY = (Math.floor(Date.now() / 1000 / DAY_S) - 1) * DAY_S
const DAY = new Date(YESTERDAY * 1000).toISOString().slice(0, 10)

async function start(...given: Given) {
  const slack = await scriptedSlack(...given)
  const app = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 'slack', config: { ...slack.config, ...changes } })
  return { ...app, ...slack, ...linked, ...(await readersOf(app)), link }
}

const channel = (name: string, fields: { isPrivate?: boolean; members?: string[] } = {}) => ({
  name,
  ...fields,
  messages: [
    {
      ts: `${YESTERDAY + 3600}.000100`,
      user: 'UA',
      text: `The ${name} walrus of the zoo eats hay.`,
      files: [{ id: `F-${name}`, name: `${name}.txt`, content: `The ${name} walrus is old.` }],
    },
  ],
})
const person = (id: string, email?: string, more: object = {}) => ({ id, name: id, profile: { email }, ...more })
const ADA = person('UA', 'Ada@Example.com')
const BOB = person('UB', 'bob@example.org')
const of = (name: string) => [`#${name} ${DAY}`, `${name}.txt`]

test('public channels are open to the workspace, private ones to their members: in lists, searches and answers; changes count with the next sync', async () => {
  const others = ['UX', 'UY', 'UZ'].map((id) => person(id, `${id}@example.com`))
  const app = await start(
    {
      C1: channel('open'),
      C2: channel('crew', { isPrivate: true, members: ['UX', 'UY', 'UZ', 'UA'] }),
      C3: channel('board', { isPrivate: true, members: ['UB'] }),
    },
    [...others, ADA, BOB, person('UQ', 'left@example.com', { deleted: true })],
  )
  const { ada, bob, owner, titles, found, indexed, ask, newAgent, whenMade, link, sync, channels, people, asked } = app
  const made = await whenMade(link())
  expect(made).toMatchObject({ status: 'idle', error_message: null, config: { obey_access: true } })
  const folderId = made.knowledge_base_id
  const seen = async () => [await titles(ada, folderId), await titles(bob, folderId)]
  const all = [...of('board'), ...of('crew'), ...of('open')].sort()
  expect(await seen()).toEqual([[...of('crew'), ...of('open')].sort(), [...of('board'), ...of('open')].sort()])
  await indexed(folderId, 'walrus', all)
  expect(await found(ada, folderId, 'walrus')).toEqual([...of('crew'), ...of('open')].sort())
  const agent = await newAgent(folderId)
  const question = 'What does the board walrus of the zoo eat?'
  expect(await ask(bob, agent, question)).toContain(`#board ${DAY}`)
  expect(await ask(ada, agent, question)).not.toContain(`#board ${DAY}`)
  expect(asked.some(({ url }) => /conversations\.members/.test(url.pathname) && /C1/.test(url.search))).toBe(false)

  // Somebody joins, somebody leaves the workspace; no message changed.
  channels.get('C3')!.members = ['UA', 'UB']
  people.splice(people.indexOf(BOB), 1, { ...BOB, deleted: true })
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await seen()).toEqual([all, []])
  expect(await found(bob, folderId, 'walrus')).toEqual([])
  expect(await ask(ada, agent, question)).toContain(`#board ${DAY}`)
  expect(await titles(owner, folderId)).toEqual(all)
  await app.call('PATCH', `/integrations/${made.id}`, { config: { obey_access: false } })
  await sync(made.id)
  expect((await seen())[1]).toEqual(all)
})

test('guests see the public channels that they are members of, people of other workspaces those that are shared', async () => {
  const { whenMade, link, titles, ada, bob, strangers, owner } = await start(
    { C1: channel('open', { members: ['UA'] }), C2: channel('fair', { members: ['UB', 'UW', 'UV'] }) },
    [person('UA', 'ada@example.com', { is_restricted: true, is_ultra_restricted: true })],
  )
  strangers.set('UB', person('UB', 'bob@example.org', { is_stranger: true }))
  strangers.set('UW', person('UW'))
  const made = await whenMade(link())
  expect(made).toMatchObject({ status: 'idle', error_message: null })
  const folderId = made.knowledge_base_id
  expect([await titles(ada, folderId), await titles(bob, folderId)]).toEqual([of('open'), of('fair')])
  expect(await titles(owner, folderId)).toHaveLength(4)
})

test('members who cannot be listed hide the channel, and the sync says so; limits are waited for', async () => {
  const { whenMade, link, sync, intercept, titles, found, indexed, ada, bob, owner, problems, channels } = await start(
    { C1: channel('open'), C2: channel('crew', { isPrivate: true, members: ['UA'] }) },
    [ADA, BOB],
  )
  const refusals: ScriptedAnswer[] = [
    { status: 429, headers: { 'retry-after': '1' }, body: { ok: false, error: 'ratelimited' } },
  ]
  intercept(({ url }) => (url.pathname.endsWith('conversations.members') ? refusals.shift() : undefined))
  const made = await whenMade(link())
  expect(refusals).toEqual([])
  const folderId = made.knowledge_base_id
  const all = [...of('crew'), ...of('open')].sort()
  expect(await titles(ada, folderId)).toEqual(all)
  await indexed(folderId, 'walrus', all)

  intercept(({ url }) =>
    url.pathname.endsWith('conversations.members')
      ? { body: { ok: false, error: 'missing_scope', needed: 'groups:read' } }
      : undefined,
  )
  const after = await sync(made.id)
  expect(after.status).toBe('idle')
  expect(after.error_message).toContain('1 item may be read by fewer people than at the source: "crew"')
  expect(await problems(made.id)).toEqual([{ path: 'crew', reason: expect.stringContaining('groups:read') }])
  expect([await titles(ada, folderId), await titles(owner, folderId)]).toEqual([of('open'), all])
  expect(await found(ada, folderId, 'walrus')).toEqual(of('open'))

  // A channel whose messages cannot be read stays, with its members of now.
  channels.get('C2')!.members = ['UB']
  intercept(({ url }) =>
    url.pathname.endsWith('conversations.history')
      ? { body: { ok: false, error: 'missing_scope', needed: 'groups:history' } }
      : undefined,
  )
  expect((await sync(made.id)).error_message).toContain('groups:history')
  expect([await titles(ada, folderId), await titles(bob, folderId)]).toEqual([of('open'), all])
  intercept(() => undefined)
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await titles(bob, folderId)).toEqual(all)
})

test('a token that is told no addresses is refused before anything is brought', async () => {
  const { link, whenMade, sync, people, titles, ada, bob } = await start({ C1: channel('open') }, [person('UA')])
  expect(await link()).toMatchObject({ status: 400, body: { details: [{ path: 'config.obey_access' }] } })
  expect((await link()).body.message).toContain('users:read.email')
  people.push(BOB)
  const made = await whenMade(link())
  const folderId = made.knowledge_base_id
  expect([await titles(ada, folderId), await titles(bob, folderId)]).toEqual([[], of('open')])
  people.pop()
  expect((await sync(made.id)).error_message).toContain('users:read.email')
  expect(await titles(bob, folderId)).toEqual([])
})
