import { expect, test } from 'vitest'
import { type Granted, grantAgent, restrictAgent } from '../support/access/grants.ts'
import { join } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

/** Ada's agent, in which Bob has a chat; Dan beside them, and Cleo, an admin. */
async function start() {
  const app = await startTestChat({ script: ({ body }) => answer(toolsOf(body).join() || 'alone') })
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const dan = await join(app, { email: 'dan@example.com', role: 'member' })
  const cleo = await join(app, { email: 'cleo@example.com', role: 'admin' })
  const id: string = (await ada.call('POST', '/agents', { name: 'Payroll' })).body.data.id
  const at = `/agents/${id}`
  const chat: string = (await bob.call('POST', `${at}/chats`, {})).body.data.chat.id
  const question = { query: 'Hello?' }
  const ask = async (as: Person): Promise<number> => {
    const path = as === bob ? `${at}/chats/${chat}` : `${at}/chats/${(await begin(as)).body.data?.chat.id ?? chat}`
    return (await as.call('POST', `${path}/query`, question)).status
  }
  const begin = (as: Person) => as.call('POST', `${at}/chats`, {})
  const limit = (as: Person, to: Granted) => restrictAgent(as, at, to)
  const groups = `/groups`
  return { app, ada, bob, dan, cleo, id, at, chat, ask, limit, groups }
}

type Person = Awaited<ReturnType<typeof join>>

const toolsOf = (body: any): string[] => (body.tools ?? []).map(({ function: f }: any) => f.name)
const names = async (as: Person): Promise<string[]> =>
  (await as.call('GET', '/agents')).body.data.agents.map(({ name }: { name: string }) => name)

test('an agent that only some may use is not there for other members, nor are their chats with it', async () => {
  const { app, ada, bob, dan, cleo, id, at, chat, ask, limit } = await start()
  expect((await dan.call('GET', `${at}/grants`)).body.data).toMatchObject({ is_restricted: false, can_change: false })
  const told = await limit(ada, { member_ids: [dan.memberId] })
  expect(told.body.data).toMatchObject({
    is_restricted: true,
    grants: [{ kind: 'member', name: 'dan', level: 'use' }],
    owner: { name: 'ada' },
    can_change: true,
  })
  expect(await Promise.all([ada, dan, cleo].map(ask))).toEqual([200, 200, 200])
  const requests: [method: string, path: string, body?: unknown][] = [
    ['GET', at],
    ['GET', `${at}/grants`],
    ['GET', `${at}/jobs`],
    ['GET', `${at}/shortcuts`],
    ['GET', `${at}/chats`],
    ['POST', `${at}/chats`, {}],
    ['GET', `${at}/chats/${chat}`],
    ['GET', `${at}/chats/${chat}/messages`],
    ['POST', `${at}/chats/${chat}/query`, { query: 'Still there?' }],
    ['POST', `${at}/chats/${chat}/query`, { query: 'Still there?', is_stream: true }],
    ['POST', `${at}/chats/${chat}/async_query`, { query: 'And now?', webhook_url: 'https://example.com/hook' }],
    ['PATCH', at, { name: 'Mine' }],
    ['DELETE', `${at}/chats/${chat}`],
  ]
  for (const [method, path, body] of requests) {
    const { status, body: said } = await bob.call(method, path, body)
    // A stream has begun with its status before it finds out.
    if (status === 200) expect(JSON.stringify(said)).not.toContain('alone')
    else expect([path, status, said.error_code]).toEqual([path, 404, 'AGENT_NOT_FOUND'])
  }
  expect([await names(bob), await names(dan), await names(cleo)]).toEqual([
    ['Guide'],
    ['Payroll', 'Guide'],
    ['Payroll', 'Guide'],
  ])
  // Keys of owners and admins use all; one of the role member what everyone may; a personal one what its member may.
  expect((await app.call('GET', at)).status).toBe(200)
  const keys = `/workspaces/${app.owner.workspaceId}/api-keys`
  const { key: plain } = (await app.call('POST', keys, { name: 'Program', role: 'member' })).body.data
  expect((await app.call('GET', at, undefined, { key: plain })).status).toBe(404)
  const { key } = (await bob.call('POST', '/account/api-keys', { name: 'Laptop' })).body.data
  expect((await app.call('GET', at, undefined, { key })).status).toBe(404)
  const models = await fetch(`${app.url}/openai/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  expect(await models.text()).not.toContain(id)
  await grantAgent(ada, at, 'use', {})
  expect((await app.call('GET', at, undefined, { key: plain })).status).toBe(200)
  expect(await ask(bob)).toBe(200)
})

test('owner, editors, readers of its threads, members and groups may use it, from the next request to the last', async () => {
  const { app, ada, bob, dan, cleo, at, ask, limit, groups } = await start()
  await limit(ada, {})
  expect([await ask(bob), await ask(dan), await ask(ada), await ask(cleo)]).toEqual([404, 404, 200, 200])
  const steps: [allow: () => Promise<unknown>, forbid: () => Promise<unknown>][] = [
    [() => limit(cleo, { member_ids: [bob.memberId] }), () => limit(cleo, {})],
    [
      () => grantAgent(ada, at, 'edit', { member_ids: [bob.memberId] }),
      () => grantAgent(ada, at, 'edit', { member_ids: [] }),
    ],
    [() => grantAgent(ada, at, 'threads', { member_ids: [bob.memberId] }), () => grantAgent(ada, at, 'threads', {})],
  ]
  for (const [allow, forbid] of steps) {
    await allow()
    expect(await ask(bob)).toBe(200)
    await forbid()
    expect(await ask(bob)).toBe(404)
  }
  const group = (await app.call('POST', groups, { name: 'Payroll' })).body.data.id
  await limit(ada, { group_ids: [group] })
  const member = `/members/${bob.memberId}`
  await app.call('PATCH', member, { group_ids: [group] })
  expect(await ask(bob)).toBe(200)
  await app.call('PATCH', member, { group_ids: [] })
  expect(await ask(bob)).toBe(404)
  await app.call('PATCH', member, { group_ids: [group] })
  await app.call('DELETE', `${groups}/${group}`)
  expect(await ask(bob)).toBe(404)
  await app.call('PATCH', member, { role: 'admin' })
  expect(await ask(bob)).toBe(200)
})

test('those who decide are shown each member with the reason', async () => {
  const { app, ada, bob, dan, at, limit, groups } = await start()
  const shown = async (as: Person) =>
    Object.fromEntries(
      (await as.call('GET', `${at}/grants`)).body.data.people.map(({ name, level, because, group_name }: any) => [
        name,
        [level, because, group_name],
      ]),
    )
  expect(await shown(ada)).toMatchObject({
    ada: ['edit', 'owner', null],
    bob: ['use', 'no_grant', null],
    cleo: ['edit', 'role', null],
  })
  const group = (await app.call('POST', groups, { name: 'Payroll' })).body.data.id
  const member = `/members/${dan.memberId}`
  await app.call('PATCH', member, { group_ids: [group] })
  const eve = await join(app, { email: 'eve@example.com', role: 'member' })
  const fay = await join(app, { email: 'fay@example.com', role: 'member' })
  await grantAgent(ada, at, 'edit', { group_ids: [group] })
  await limit(ada, { member_ids: [bob.memberId] })
  await grantAgent(ada, at, 'threads', { member_ids: [eve.memberId] })
  expect(await shown(ada)).toMatchObject({
    bob: ['use', 'member', null],
    dan: ['edit', 'group', 'Payroll'],
    eve: ['use', 'threads', null],
    fay: ['none', 'nothing', null],
  })
  const told = (await ada.call('GET', `${at}/grants`)).body.data
  expect(told).toMatchObject({ people_total: 6, all_groups: [{ id: group, name: 'Payroll' }] })
  expect(told.people.filter((one: any) => one.sees_threads)).toMatchObject([{ name: 'eve' }])
  // Others are told who may use it, not who else there is.
  expect((await bob.call('GET', `${at}/grants`)).body.data).toMatchObject({
    people: [],
    people_total: 0,
    all_groups: [],
  })
  expect((await fay.call('GET', `${at}/grants`)).status).toBe(404)
})

test('who may use it is up to its owner, admins and keys; wrong choices say what to change', async () => {
  const { app, ada, bob, at, limit, groups } = await start()
  await grantAgent(ada, at, 'edit', { member_ids: [bob.memberId] })
  expect(await limit(bob, {})).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
  const group = (await app.call('POST', groups, { name: 'Gone' })).body.data.id
  await app.call('DELETE', `${groups}/${group}`)
  const { workspaceId } = app.owner
  const id = bob.memberId
  const rows: [grants: unknown, path: string][] = [
    [[{ kind: 'group', id: group, level: 'use' }], 'grants.0.id'],
    [[{ kind: 'workspace', id: group, level: 'use' }], 'grants.0.id'],
    [[{ kind: 'member', id, level: 'none' }], 'grants.0.level'],
    [[{ kind: 'admins', id: workspaceId, level: 'use' }], 'grants.0.level'],
    [[{ kind: 'member', id, level: 'read' }], 'grants.0.level'],
    [
      [
        { kind: 'workspace', id: workspaceId, level: 'none' },
        { kind: 'workspace', id: workspaceId, level: 'use' },
      ],
      'grants.1',
    ],
  ]
  for (const [grants, path] of rows) {
    const refused = await ada.call('PUT', `${at}/grants`, { grants })
    expect(refused).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } })
  }
  const told = (await ada.call('GET', `${at}/grants`)).body.data
  expect(told).toMatchObject({ is_restricted: false, grants: [{ kind: 'member', id, level: 'edit' }] })
  const sent = told.grants.map(({ name: _, ...grant }: any) => grant)
  const closed = [{ kind: 'workspace', id: workspaceId, level: 'none' }, ...sent]
  expect((await app.call('PUT', `${at}/grants`, { grants: closed })).body.data).toMatchObject({ is_restricted: true })
  const entries = (await app.call('GET', `/workspaces/${workspaceId}/audit-log?action=agent.access_changed`)).body.data
    .entries
  expect(entries[0]).toMatchObject({ target: { type: 'agent', name: 'Payroll' }, details: { grants: closed } })
})

test('grants to everyone hold for all members, and for keys of the role member', async () => {
  const { app, ada, bob, at } = await start()
  const { workspaceId } = app.owner
  const keys = `/workspaces/${workspaceId}/api-keys`
  const { key } = (await app.call('POST', keys, { name: 'Program', role: 'member' })).body.data
  const asKey = async () => (await app.call('GET', at, undefined, { key })).status
  const grant = (...levels: string[]) =>
    ada.call('PUT', `${at}/grants`, {
      grants: levels.map((level) => ({ kind: 'workspace', id: workspaceId, level })),
    })
  const rename = async () => (await bob.call('PATCH', at, { name: 'Ours' })).status
  expect((await grant('none')).status).toBe(200)
  expect([await rename(), await asKey()]).toEqual([404, 404])
  expect((await grant('use')).body.data).toMatchObject({ is_restricted: false, grants: [{ kind: 'workspace' }] })
  expect([await rename(), await asKey()]).toEqual([403, 200])
  await grant('none', 'edit')
  expect([await rename(), await asKey()]).toEqual([200, 200])
  await grant('threads')
  const chats = async () => (await bob.call('GET', `${at}/chats`)).body.data.chats?.length
  const before = await chats()
  await ada.call('POST', `${at}/chats`, {})
  expect(await chats()).toBe((before ?? 0) + 1)
})

test('an agent calls another only for those who may use the other', async () => {
  const { ada, bob, dan, id, limit } = await start()
  const boss = (await ada.call('POST', '/agents', { name: 'Boss', sub_agent_ids: [id] })).body.data.id
  const tools = async (as: Person): Promise<string> => {
    const chat = (await as.call('POST', `/agents/${boss}/chats`, {})).body.data.chat.id
    return (await as.call('POST', `/agents/${boss}/chats/${chat}/query`, { query: 'Who helps?' })).body.data.text
  }
  expect(await tools(bob)).toBe('call_agent')
  await limit(ada, { member_ids: [dan.memberId] })
  expect([await tools(bob), await tools(dan), await tools(ada)]).toEqual(['alone', 'call_agent', 'call_agent'])
  // Somebody who may change the boss, but not use the other, keeps what it calls, and adds no such agent elsewhere.
  await grantAgent(ada, `/agents/${boss}`, 'edit', { member_ids: [bob.memberId] })
  expect((await bob.call('PATCH', `/agents/${boss}`, { sub_agent_ids: [id], name: 'Chief' })).status).toBe(200)
  expect((await bob.call('POST', '/agents', { name: 'Own', sub_agent_ids: [id] })).status).toBe(404)
})
