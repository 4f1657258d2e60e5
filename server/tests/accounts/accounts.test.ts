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
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

const HOUR = 3_600_000
const DAY = 24 * HOUR

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
    const app = await startTestApp({}, { alone: true })
    const { url } = await make(app)
    const used = await Promise.all([use(app, url, 'ada@example.com'), use(app, url, 'eve@example.com')])
    expect(used.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await app.services.db.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  test('makes an owner of somebody who is a member already', async () => {
    const app = await startTestApp({}, { alone: true })
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
    const app = await startTestApp({}, { alone: true })
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
  const app = await startTestApp({}, { alone: true })
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
  const app = await startTestApp({}, { alone: true })
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
