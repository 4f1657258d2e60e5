import { describe, expect, test } from 'vitest'
import { manualClock } from './support/clock.ts'
import { browser, join, OWN_PAGE, PASSWORD, send, tokenOf } from './support/people.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const OTHER_PASSWORD = 'ninety clay pots in a row'

/** Another workspace of the test organization, or of another one, with a key of its owner. */
const createOther = (app: TestApp) => app.services.access.createOrganization('Elsewhere')

describe('the link of the first owner', () => {
  const make = (app: TestApp) =>
    app.services.accounts.invitations.createOwnerLink(app.owner.organizationId, app.owner.workspaceId)
  const use = (app: TestApp, url: string, email = 'ada@example.com') =>
    browser(app).call('POST', '/invitations/accept', { token: tokenOf(url), email, name: 'Ada', password: PASSWORD })

  test('makes an account with all rights, once', async () => {
    const app = await startTestApp()
    const { url } = await make(app)
    expect(url).toMatch(new RegExp(`^${app.url}/join#[\\w-]{43}$`))
    const looked = await browser(app).call('POST', '/invitations/look', { token: tokenOf(url) })
    expect(looked.body.data).toMatchObject({ organization: 'Test', workspace: 'Main', role: 'owner', email: null })
    const used = await use(app, url)
    expect(used.body.data).toMatchObject({
      state: 'signed_in',
      identity: {
        organization: { id: app.owner.organizationId },
        key: { name: 'Ada', role: 'owner' },
        member: { email: 'ada@example.com', name: 'Ada', groups: [] },
      },
    })
    expect(await use(app, url, 'eve@example.com')).toMatchObject({
      status: 404,
      body: { error_code: 'LINK_NOT_VALID' },
    })
    expect((await browser(app).call('POST', '/invitations/look', { token: tokenOf(url) })).status).toBe(404)
  })

  test('ends after an hour, and with the next one that is made', async () => {
    const clock = manualClock()
    const app = await startTestApp({}, { clock })
    const first = await make(app)
    const second = await make(app)
    expect((await use(app, first.url)).status).toBe(404)
    clock.pass(HOUR)
    expect((await use(app, second.url)).status).toBe(404)
    const third = await make(app)
    clock.pass(HOUR - 1)
    expect((await use(app, third.url)).status).toBe(200)
  })

  test('makes one account when two use it at the same time', async () => {
    const app = await startTestApp()
    const { url } = await make(app)
    const used = await Promise.all([use(app, url, 'ada@example.com'), use(app, url, 'eve@example.com')])
    expect(used.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await app.services.db.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  test('makes an owner of somebody who is a member already', async () => {
    const app = await startTestApp()
    const ada = await join(app, { email: 'ada@example.com', role: 'member' })
    const { url } = await make(app)
    const joined = await ada.call('POST', '/account/invitations', { token: tokenOf(url) })
    expect(joined.body.data.identity).toMatchObject({ key: { role: 'owner' }, member: { id: ada.memberId } })
    expect(await app.services.db.selectFrom('member').selectAll().execute()).toHaveLength(1)
  })
})

test('neither passwords, tokens nor sessions are stored as they are', async () => {
  const app = await startTestApp()
  const { url } = (await app.call('POST', '/invitations', {})).body.data
  const ada = await join(app, { email: 'ada@example.com' })
  const { db } = app.services
  const rows = [
    await db.selectFrom('account').selectAll().execute(),
    await db.selectFrom('invitation').selectAll().execute(),
    await db.selectFrom('web_session').selectAll().execute(),
    await db.selectFrom('api_key').selectAll().execute(),
  ]
  const stored = JSON.stringify(rows)
  for (const secret of [PASSWORD, tokenOf(url), ada.state.cookie.split('=')[1]!]) expect(stored).not.toContain(secret)
  expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
})

test('somebody signs in with e-mail and password, whatever the case of the e-mail', async () => {
  const app = await startTestApp()
  await join(app, { email: 'ada@example.com', name: 'Ada' })
  const own = browser(app)
  const reply = await own.call('POST', '/session/password', { email: ' Ada@Example.com', password: PASSWORD })
  expect(reply.body.data).toMatchObject({ state: 'signed_in', identity: { member: { name: 'Ada' } } })
  expect(reply.cookies).toEqual([
    expect.stringMatching(/^docent-session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/),
  ])
  expect((await own.call('GET', '/me')).body.data.member.email).toBe('ada@example.com')
  expect((await own.call('DELETE', '/session')).body.data.state).toBe('signed_out')
})

test('a key of a program is nobody as a person', async () => {
  const app = await startTestApp()
  expect((await app.call('GET', '/me')).body.data.member).toBeNull()
  for (const [method, path] of [
    ['GET', '/account'],
    ['GET', '/account/sessions'],
    ['GET', '/account/api-keys'],
  ])
    expect(await app.call(method!, path!)).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
})

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
  const app = await startTestApp()
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
    const app = await startTestApp()
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
  const app = await startTestApp()
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

test('sessions are listed with address and browser, and end one by one or all others', async () => {
  const app = await startTestApp()
  const first = await join(app, { email: 'mia@example.com', role: 'member' })
  const second = browser(app, { ...OWN_PAGE, 'user-agent': 'Mozilla/5.0 Firefox/150.0' })
  await second.call('POST', '/session/password', { email: first.email, password: PASSWORD })
  const other = await join(app, { email: 'eve@example.com', role: 'member' })
  const { sessions } = (await second.call('GET', '/account/sessions')).body.data
  expect(sessions).toHaveLength(2)
  const own = sessions.find((session: any) => session.is_current)
  expect(own).toMatchObject({ user_agent: 'Mozilla/5.0 Firefox/150.0', address: '127.0.0.1' })
  const theirs = (await other.call('GET', '/account/sessions')).body.data.sessions[0]
  expect((await second.call('DELETE', `/account/sessions/${theirs.id}`)).status).toBe(404)
  expect((await other.call('GET', '/me')).status).toBe(200)
  expect((await first.call('DELETE', `/account/sessions/${own.id}`)).status).toBe(200)
  expect((await second.call('GET', '/me')).status).toBe(401)
  const third = browser(app)
  await third.call('POST', '/session/password', { email: first.email, password: PASSWORD })
  await third.call('DELETE', '/account/sessions')
  expect((await first.call('GET', '/me')).status).toBe(401)
  expect((await third.call('GET', '/me')).status).toBe(200)
})

test('a change of the password ends all sessions but the one that makes it, which gets another token', async () => {
  const app = await startTestApp()
  const first = await join(app, { email: 'mia@example.com', role: 'member' })
  const second = browser(app)
  await second.call('POST', '/session/password', { email: first.email, password: PASSWORD })
  const before = second.state.cookie
  const change = (password: string, new_password: string) =>
    second.call('PUT', '/account/password', { password, new_password })
  expect(await change(OTHER_PASSWORD, OTHER_PASSWORD)).toMatchObject({
    status: 403,
    body: { error_code: 'WRONG_PASSWORD' },
  })
  expect(await change(PASSWORD, 'password123')).toMatchObject({ status: 400, body: { error_code: 'WEAK_PASSWORD' } })
  expect((await change(PASSWORD, OTHER_PASSWORD)).status).toBe(200)
  expect((await first.call('GET', '/me')).status).toBe(401)
  expect((await send(app, 'GET', '/me', { ...OWN_PAGE, cookie: before })).status).toBe(401)
  expect((await second.call('GET', '/me')).status).toBe(200)
  const signIn = async (password: string) =>
    (await browser(app).call('POST', '/session/password', { email: first.email, password })).status
  expect(await signIn(PASSWORD)).toBe(401)
  expect(await signIn(OTHER_PASSWORD)).toBe(200)
})

describe('a link for a forgotten password', () => {
  const link = async (app: TestApp, memberId: string, key?: string) =>
    app.call('POST', `/members/${memberId}/password-link`, undefined, key ? { key } : {})
  const use = (app: TestApp, url: string, password = OTHER_PASSWORD) =>
    browser(app).call('POST', '/password-links/use', { token: tokenOf(url), password })

  test('sets another password once, and ends all sessions', async () => {
    const clock = manualClock()
    const app = await startTestApp({}, { clock })
    const mia = await join(app, { email: 'mia@example.com', role: 'member' })
    const old = (await link(app, mia.memberId)).body.data
    const { url } = (await link(app, mia.memberId)).body.data
    expect(url).toMatch(new RegExp(`^${app.url}/password#[\\w-]{43}$`))
    expect((await use(app, old.url)).status).toBe(404)
    expect(await use(app, url, 'mia@example.com')).toMatchObject({ status: 400, body: { error_code: 'WEAK_PASSWORD' } })
    const used = await use(app, url)
    expect(used).toMatchObject({ status: 200, cookies: [], body: { data: { email: 'mia@example.com' } } })
    expect(await use(app, url)).toMatchObject({ status: 404, body: { error_code: 'LINK_NOT_VALID' } })
    expect((await mia.call('GET', '/me')).status).toBe(401)
    const late = (await link(app, mia.memberId)).body.data
    clock.pass(HOUR)
    expect((await use(app, late.url)).status).toBe(404)
  })

  test('is not for an admin who would get into another workspace with it', async () => {
    const app = await startTestApp()
    const other = await createOther(app)
    const mia = await join(app, { email: 'mia@example.com', role: 'member' })
    const early = (await link(app, mia.memberId)).body.data
    const { body } = await app.call('POST', '/invitations', {}, { key: other.apiKey })
    await mia.call('POST', '/account/invitations', { token: tokenOf(body.data.url) })
    // Nor one that was made before.
    expect((await use(app, early.url)).status).toBe(404)
    expect(await link(app, mia.memberId)).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
    const made = await app.services.accounts.passwordLinks.createByOperator('mia@example.com')
    expect((await use(app, made!.url)).status).toBe(200)
  })
})

test('personal keys may what their member may, and no other key makes them', async () => {
  const app = await startTestApp()
  const mia = await join(app, { email: 'mia@example.com', role: 'member' })
  const made = await mia.call('POST', '/account/api-keys', {
    name: 'Script',
    scopes: { operations: ['me.get', 'account.*'] },
  })
  expect(made.body.data).toMatchObject({
    name: 'Script',
    role: 'member',
    permissions: ['create_knowledgebase', 'manage_agents'],
  })
  const { key, id } = made.body.data
  expect((await app.call('GET', '/me', undefined, { key })).body.data.member.id).toBe(mia.memberId)
  expect((await app.call('GET', '/knowledge-bases', undefined, { key })).status).toBe(403)
  for (const [method, path, body] of [
    ['POST', '/account/api-keys', { name: 'Another' }],
    ['GET', '/account/sessions', undefined],
    ['PUT', '/account/password', { password: PASSWORD, new_password: OTHER_PASSWORD }],
  ] as const)
    expect((await app.call(method, path, body, { key })).status).toBe(403)
  const eve = await join(app, { email: 'eve@example.com', role: 'member' })
  expect((await eve.call('GET', '/account/api-keys')).body.data.api_keys).toEqual([])
  expect((await eve.call('DELETE', `/account/api-keys/${id}`)).status).toBe(404)
  // Admins see it among the keys of the workspace, without those that stand for members.
  const keys = (await app.call('GET', `/workspaces/${app.owner.workspaceId}/api-keys`)).body.data.api_keys
  expect(keys.map((one: any) => one.name)).toEqual(['Script', 'Owner'])
  const rotated = await mia.call('POST', `/account/api-keys/${id}/rotate`, { overlap_seconds: 0 })
  expect(rotated.body.data).toMatchObject({ id, name: 'Script', scopes: made.body.data.scopes })
  const { key: second } = rotated.body.data
  expect((await app.call('GET', '/me', undefined, { key: second })).body.data.member.id).toBe(mia.memberId)
  expect((await mia.call('DELETE', `/account/api-keys/${id}`)).status).toBe(200)
  for (const ended of [key, second]) expect((await app.call('GET', '/me', undefined, { key: ended })).status).toBe(401)
})

test('the key that stands for a member can neither be found nor revoked as a key', async () => {
  const app = await startTestApp()
  const mia = await join(app, { email: 'mia@example.com', role: 'member' })
  const at = `/workspaces/${app.owner.workspaceId}/api-keys/${mia.keyId}`
  expect((await app.call('DELETE', at)).status).toBe(404)
  expect((await mia.call('GET', '/me')).status).toBe(200)
})

test('an account that is deleted leaves nothing that works', async () => {
  const clock = manualClock()
  const app = await startTestApp({}, { clock })
  const mia = await join(app, { email: 'mia@example.com', role: 'member' })
  const second = browser(app)
  await second.call('POST', '/session/password', { email: mia.email, password: PASSWORD })
  const { key } = (await mia.call('POST', '/account/api-keys', { name: 'Script' })).body.data
  await mia.call('PATCH', '/account', { name: 'Mia Wallace' })
  expect((await mia.call('POST', '/account/deletion', { password: OTHER_PASSWORD })).status).toBe(403)
  expect((await mia.call('POST', '/account/deletion', { password: PASSWORD })).body.data.state).toBe('signed_out')
  expect((await second.call('GET', '/me')).status).toBe(401)
  expect((await app.call('GET', '/me', undefined, { key })).status).toBe(401)
  const again = await browser(app).call('POST', '/session/password', { email: mia.email, password: PASSWORD })
  expect(again.status).toBe(401)
  const { db } = app.services
  for (const table of ['account', 'member', 'web_session', 'password_link'] as const)
    expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
  clock.pass(DAY)
})

test('an account has a language of the UI or that of the browser, and no other', async () => {
  const app = await startTestApp()
  const ada = await join(app, { email: 'ada@example.com', name: 'Ada' })
  const change = (changes: object) => ada.call('PATCH', '/account', changes)
  expect((await ada.call('GET', '/account')).body.data).toMatchObject({ name: 'Ada', language: null })
  expect((await change({ language: 'de' })).body.data).toMatchObject({ name: 'Ada', language: 'de' })
  expect((await change({ name: 'Ada B.' })).body.data).toMatchObject({ name: 'Ada B.', language: 'de' })
  expect(await change({ language: 'tlh' })).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
  expect(await change({})).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
  expect((await change({ language: null })).body.data).toMatchObject({ language: null })
})
