import { describe, expect, test } from 'vitest'
import {
  browser,
  createOther,
  join,
  OTHER_PASSWORD,
  OWN_PAGE,
  PASSWORD,
  send,
  tokenOf,
} from '../support/access/people.ts'
import { manualClock } from '../support/clock.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const HOUR = 3_600_000

describe('what a member may do', () => {
  test('a member makes folders and agents, and manages neither members, keys nor the workspace', async () => {
    const app = await startTestApp()
    const mia = await join(app, { email: 'mia@example.com', role: 'member' })
    const workspace = `/workspaces/${app.owner.workspaceId}`
    expect((await mia.call('POST', '/knowledge-bases', { knowledge_base_name: 'Mine' })).status).toBe(200)
    expect((await mia.call('POST', '/agents', { name: 'Mine' })).status).toBe(200)
    for (const [method, path, body] of [
      ['GET', '/members'],
      ['POST', '/members', { email: 'eve@example.com', name: 'Eve' }],
      ['GET', '/groups'],
      ['GET', '/invitations'],
      ['POST', '/invitations', {}],
      ['PATCH', `/members/${mia.memberId}`, { role: 'owner' }],
      ['POST', `/members/${mia.memberId}/password-link`],
      ['GET', `${workspace}/api-keys`],
      ['POST', `${workspace}/api-keys`, { name: 'Mine' }],
      ['GET', `${workspace}/virtual-users`],
      ['GET', `${workspace}/audit-log`],
      ['GET', `${workspace}/usage`],
      ['GET', `${workspace}/webhook-secret`],
      ['GET', '/doctor'],
    ] as const)
      expect((await mia.call(method, path, body)).status, `${method} ${path}`).toBe(403)
    expect((await mia.call('GET', `/members/${mia.memberId}`)).body.data).toMatchObject({ name: 'mia', role: 'member' })
  })

  test('an admin manages those below, and makes nobody an owner', async () => {
    const app = await startTestApp()
    const owner = await join(app, { email: 'olga@example.com', role: 'owner' })
    const admin = await join(app, { email: 'adam@example.com', role: 'admin' })
    const mia = await join(app, { email: 'mia@example.com', role: 'member' })
    const at = (id: string) => `/members/${id}`
    expect((await admin.call('POST', '/invitations', { role: 'owner' })).status).toBe(403)
    expect((await admin.call('PATCH', at(mia.memberId), { role: 'owner' })).status).toBe(403)
    expect((await admin.call('PATCH', at(admin.memberId), { role: 'owner' })).status).toBe(403)
    expect((await admin.call('PATCH', at(owner.memberId), { role: 'member' })).status).toBe(403)
    expect((await admin.call('DELETE', at(owner.memberId))).status).toBe(403)
    expect((await admin.call('POST', `${at(owner.memberId)}/password-link`)).status).toBe(403)
    expect((await admin.call('PATCH', at(mia.memberId), { role: 'admin' })).status).toBe(200)
    expect((await mia.call('GET', '/members')).status).toBe(200)
    expect((await admin.call('PATCH', at(mia.memberId), { role: 'member' })).status).toBe(200)
    expect((await mia.call('GET', '/members')).status).toBe(403)
  })

  test('there is always an owner among the members', async () => {
    const app = await startTestApp()
    const first = await join(app, { email: 'olga@example.com' })
    const at = `/members/${first.memberId}`
    const refused = { status: 409, body: { error_code: 'LAST_OWNER' } }
    expect(await first.call('PATCH', at, { role: 'member' })).toMatchObject(refused)
    expect(await app.call('DELETE', at)).toMatchObject(refused)
    expect(await first.call('POST', '/account/deletion', { password: PASSWORD })).toMatchObject(refused)
    const second = await join(app, { email: 'otto@example.com' })
    // Both go at the same time: one is refused.
    const gone = await Promise.all([first.call('DELETE', at), second.call('DELETE', `/members/${second.memberId}`)])
    expect(gone.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('a key that is narrowed cannot manage members', async () => {
    const app = await startTestApp()
    const path = `/workspaces/${app.owner.workspaceId}/api-keys`
    const scopes = { operations: ['members.*', 'invitations.*', 'groups.*'] }
    const { key } = (await app.call('POST', path, { name: 'Narrow', role: 'owner', scopes })).body.data
    const mia = await join(app, { email: 'mia@example.com', role: 'member' })
    expect((await app.call('GET', '/members', undefined, { key })).status).toBe(200)
    for (const [method, at, body] of [
      ['POST', '/invitations', {}],
      ['POST', '/groups', { name: 'Sales' }],
      ['PATCH', `/members/${mia.memberId}`, { role: 'owner' }],
      ['POST', `/members/${mia.memberId}/password-link`, undefined],
      ['DELETE', `/members/${mia.memberId}`, undefined],
    ] as const)
      expect((await app.call(method, at, body, { key })).status, `${method} ${at}`).toBe(403)
  })

  test('members of another workspace or organization are out of reach', async () => {
    const app = await startTestApp()
    const other = await createOther(app)
    const mia = await join(app, { email: 'mia@example.com', role: 'member' })
    const { id: group } = (await app.call('POST', '/groups', { name: 'Sales' })).body.data
    const { id: invitation } = (await app.call('POST', '/invitations', {})).body.data
    const key = other.apiKey
    for (const [method, at, body] of [
      ['GET', `/members/${mia.memberId}`],
      ['PATCH', `/members/${mia.memberId}`, { role: 'admin' }],
      ['DELETE', `/members/${mia.memberId}`],
      ['POST', `/members/${mia.memberId}/password-link`],
      ['GET', `/groups/${group}`],
      ['PATCH', `/groups/${group}`, { name: 'Taken' }],
      ['DELETE', `/groups/${group}`],
      ['DELETE', `/invitations/${invitation}`],
    ] as const)
      expect((await app.call(method, at, body, { key })).status, `${method} ${at}`).toBe(404)
    for (const list of ['members', 'groups', 'invitations'])
      expect((await app.call('GET', `/${list}`, undefined, { key })).body.data[list]).toEqual([])
    expect((await app.call('POST', '/invitations', { group_ids: [group] }, { key })).status).toBe(400)
    const theirs = { email: 'zoe@example.com', name: 'Zoe', group_ids: [group] }
    expect((await app.call('POST', '/members', theirs, { key })).status).toBe(400)
    expect((await mia.call('PUT', '/account/workspace', { workspace_id: other.workspaceId })).status).toBe(403)
  })
})

describe('an admin makes somebody a member', () => {
  test('at once, without a password, which a link of theirs sets', async () => {
    const app = await startTestApp()
    const { id: group } = (await app.call('POST', '/groups', { name: 'Sales' })).body.data
    const fields = { email: 'Zoe@example.com', name: 'Zoe', role: 'admin', group_ids: [group] }
    const made = await app.call('POST', '/members', fields)
    expect(made).toMatchObject({
      status: 200,
      body: { data: { email: 'zoe@example.com', name: 'Zoe', role: 'admin', groups: [{ id: group, name: 'Sales' }] } },
    })
    const { id } = made.body.data
    expect((await app.call('GET', `/members/${id}`)).body).toEqual(made.body)
    expect((await app.call('GET', `/groups/${group}`)).body.data).toMatchObject({ name: 'Sales', members: 1 })
    const { url } = (await app.call('POST', `/members/${id}/password-link`)).body.data
    await browser(app).call('POST', '/password-links/use', { token: tokenOf(url), password: PASSWORD })
    const signedIn = await browser(app).call('POST', '/session/password', {
      email: 'zoe@example.com',
      password: PASSWORD,
    })
    expect(signedIn.body.data).toMatchObject({ identity: { member: { id } } })
    const { entries } = (await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log?action=member.joined`))
      .body.data
    expect(entries).toMatchObject([{ target: { id } }])
  })

  test('unless they are one, belong to another organization, or the role is above the maker’s', async () => {
    const app = await startTestApp()
    const mia = await join(app, { email: 'mia@example.com', role: 'admin' })
    const other = await createOther(app)
    const key = other.apiKey
    const add = (fields: object, as: { key?: string } = {}) =>
      app.call('POST', '/members', { name: 'Somebody', ...fields }, as)
    expect(await add({ email: 'mia@example.com' })).toMatchObject({
      status: 409,
      body: { error_code: 'MEMBER_EXISTS' },
    })
    expect(await add({ email: 'mia@example.com' }, { key })).toMatchObject({
      status: 409,
      body: { error_code: 'MEMBER_ELSEWHERE' },
    })
    expect((await mia.call('POST', '/members', { email: 'zoe@example.com', name: 'Zoe', role: 'owner' })).status).toBe(
      403,
    )
    expect((await add({ email: 'zoe', role: 'boss' })).status).toBe(400)
    expect((await app.call('GET', '/members')).body.data.members).toMatchObject([{ name: 'mia' }])
  })
})

test('a change of the role counts at once, for sessions and personal keys', async () => {
  const app = await startTestApp()
  const mia = await join(app, { email: 'mia@example.com', role: 'admin' })
  const { key } = (await mia.call('POST', '/account/api-keys', { name: 'Script' })).body.data
  expect((await app.call('GET', '/members', undefined, { key })).status).toBe(200)
  await app.call('PATCH', `/members/${mia.memberId}`, { role: 'member' })
  expect((await app.call('GET', '/members', undefined, { key })).status).toBe(403)
  expect((await mia.call('GET', '/members')).status).toBe(403)
  expect((await mia.call('GET', '/me')).body.data.key.role).toBe('member')
})

test('who is removed is out at once, with sessions, personal keys and invitations', async () => {
  const app = await startTestApp({}, { alone: true })
  const mia = await join(app, { email: 'mia@example.com', role: 'admin' })
  const { key } = (await mia.call('POST', '/account/api-keys', { name: 'Script' })).body.data
  const { url } = (await mia.call('POST', '/invitations', {})).body.data
  await app.call('DELETE', `/members/${mia.memberId}`)
  expect((await mia.call('GET', '/me')).status).toBe(401)
  expect((await app.call('GET', '/me', undefined, { key })).status).toBe(401)
  const used = await browser(app).call('POST', '/invitations/look', { token: tokenOf(url) })
  expect(used).toMatchObject({ status: 404, body: { error_code: 'LINK_NOT_VALID' } })
  const again = await browser(app).call('POST', '/session/password', { email: mia.email, password: PASSWORD })
  expect(again).toMatchObject({ status: 403, body: { error_code: 'NO_WORKSPACE' }, cookies: [] })
  // Entries of the audit log keep naming them.
  const log = (await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log`)).body.data.entries
  expect(
    log.find((entry: any) => entry.action === 'invitation.created' && entry.actor.type === 'member').actor,
  ).toEqual({
    type: 'member',
    api_key_id: mia.keyId,
    api_key_name: 'mia',
    member_id: mia.memberId,
  })
})

test('an invitation ends when whoever made it may not make it any more', async () => {
  const app = await startTestApp()
  const admin = await join(app, { email: 'adam@example.com', role: 'admin' })
  const { url } = (await admin.call('POST', '/invitations', { role: 'admin' })).body.data
  await app.call('PATCH', `/members/${admin.memberId}`, { role: 'member' })
  const accept = { token: tokenOf(url), email: 'eve@example.com', name: 'Eve', password: PASSWORD }
  expect((await browser(app).call('POST', '/invitations/accept', accept)).status).toBe(404)
  const keys = `/workspaces/${app.owner.workspaceId}/api-keys`
  const { key, id } = (await app.call('POST', keys, { name: 'Inviter', role: 'admin' })).body.data
  const made = await app.call('POST', '/invitations', {}, { key })
  await app.call('DELETE', `${keys}/${id}`)
  const token = tokenOf(made.body.data.url)
  expect((await browser(app).call('POST', '/invitations/accept', { ...accept, token })).status).toBe(404)
})

describe('an invitation', () => {
  test('brings role and groups, can be for one e-mail, revoked, and expires', async () => {
    const clock = manualClock()
    const app = await startTestApp({}, { clock })
    const { id: group } = (await app.call('POST', '/groups', { name: 'Sales' })).body.data
    const make = async (fields: object) => (await app.call('POST', '/invitations', fields)).body.data
    const accept = (url: string, email: string) =>
      browser(app).call('POST', '/invitations/accept', { token: tokenOf(url), email, name: 'Mia', password: PASSWORD })

    const bound = await make({ email: 'Mia@example.com', role: 'admin', group_ids: [group] })
    expect((await app.call('GET', '/invitations')).body.data.invitations).toEqual([
      expect.objectContaining({ id: bound.id, email: 'mia@example.com', role: 'admin', group_ids: [group] }),
    ])
    expect((await accept(bound.url, 'eve@example.com')).status).toBe(403)
    const joined = await accept(bound.url, 'mia@example.com')
    expect(joined.body.data.identity).toMatchObject({
      key: { role: 'admin' },
      member: { groups: [{ id: group, name: 'Sales' }] },
    })
    expect((await app.call('GET', '/invitations')).body.data.total).toBe(0)

    const revoked = await make({})
    expect((await app.call('DELETE', `/invitations/${revoked.id}`)).status).toBe(200)
    expect((await app.call('DELETE', `/invitations/${revoked.id}`)).status).toBe(404)
    expect((await accept(revoked.url, 'eve@example.com')).status).toBe(404)

    const old = await make({ expires_in_hours: 1 })
    clock.pass(HOUR)
    expect((await accept(old.url, 'eve@example.com')).status).toBe(404)
    expect((await app.call('GET', '/invitations')).body.data.total).toBe(0)
    expect((await app.call('POST', '/invitations', { group_ids: ['0'.repeat(24)] })).status).toBe(400)
  })

  test('brings an account into a second organization, between which it changes', async () => {
    const app = await startTestApp({}, { alone: true })
    const other = await createOther(app)
    const mia = await join(app, { email: 'mia@example.com', role: 'member' })
    const { body } = await app.call('POST', '/invitations', { role: 'admin' }, { key: other.apiKey })
    // With the password, from a browser that is not signed in; a wrong one takes nothing.
    const second = browser(app)
    const accept = { token: tokenOf(body.data.url), email: 'mia@example.com', name: 'Somebody else' }
    const wrong = await second.call('POST', '/invitations/accept', { ...accept, password: OTHER_PASSWORD })
    expect(wrong).toMatchObject({ status: 401, body: { message: 'The e-mail or the password is not right' } })
    const joined = await second.call('POST', '/invitations/accept', { ...accept, password: PASSWORD })
    expect(joined.body.data.identity).toMatchObject({
      workspace: { id: other.workspaceId },
      member: { name: 'mia', account_id: mia.accountId },
    })
    const { memberships } = (await mia.call('GET', '/account')).body.data
    expect(memberships.map((one: any) => [one.workspace.id, one.role, one.is_current])).toEqual([
      [other.workspaceId, 'admin', false],
      [app.owner.workspaceId, 'member', true],
    ])
    const before = mia.state.cookie
    const there = await mia.call('PUT', '/account/workspace', { workspace_id: other.workspaceId })
    expect(there.body.data.identity.organization.name).toBe('Elsewhere')
    // The session of before does not stay behind.
    expect((await send(app, 'GET', '/me', { ...OWN_PAGE, cookie: before })).status).toBe(401)
    expect((await mia.call('GET', '/members')).body.data.members).toMatchObject([{ name: 'mia' }])
    expect((await app.call('GET', '/members')).body.data.members[0]).toMatchObject({ role: 'member' })
  })
})

test('groups have names of their own and members, and go without them', async () => {
  const app = await startTestApp({}, { alone: true })
  const make = (name: string) => app.call('POST', '/groups', { name })
  const { id: sales } = (await make('Sales')).body.data
  const { id: support } = (await make('Support')).body.data
  expect(await make('SALES')).toMatchObject({ status: 409, body: { error_code: 'GROUP_NAME_CONFLICT' } })
  expect((await app.call('PATCH', `/groups/${support}`, { name: 'sales' })).status).toBe(409)
  expect((await app.call('PATCH', `/groups/${support}`, { name: 'Help' })).status).toBe(200)
  const mia = await join(app, { email: 'mia@example.com', role: 'member' })
  const at = `/members/${mia.memberId}`
  expect((await app.call('PATCH', at, { group_ids: [sales, support] })).status).toBe(200)
  expect((await app.call('PATCH', at, { group_ids: ['f'.repeat(24)] })).status).toBe(400)
  expect((await app.call('GET', '/members')).body.data.members[0].groups).toEqual([
    { id: support, name: 'Help' },
    { id: sales, name: 'Sales' },
  ])
  expect((await app.call('GET', '/groups')).body.data.groups).toEqual([
    expect.objectContaining({ name: 'Help', members: 1 }),
    expect.objectContaining({ name: 'Sales', members: 1 }),
  ])
  await app.call('DELETE', `/groups/${sales}`)
  expect((await mia.call('GET', '/me')).body.data.member.groups).toEqual([{ id: support, name: 'Help' }])
})
