import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { logIn, type OpenIdProvider, providerSettings, startOpenIdProvider } from '../support/access/openid-provider.ts'
import { browser, join } from '../support/access/people.ts'
import { everyRow } from '../support/every-row.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const HOME = 'https://docent.example.com'
let acme: OpenIdProvider
let basic: OpenIdProvider

beforeAll(async () => {
  const people = {
    mia: { email: 'mia@example.com', email_verified: true, name: 'Mia', groups: ['Sales'], roles: ['boss'] },
    ada: { email: 'ada@example.com', email_verified: true, name: 'Ada' },
  }
  acme = await startOpenIdProvider({ id: 'acme', redirectUri: `${HOME}/sign-in/acme`, people })
  basic = await startOpenIdProvider({ id: 'basic', redirectUri: `${HOME}/sign-in/basic`, people })
})

afterAll(async () => {
  await acme?.close()
  await basic?.close()
})

/** A server with one provider by its environment. */
async function start(settings: Record<string, string> = {}) {
  const app = await startTestApp({
    DOCENT_PUBLIC_URL: HOME,
    LOG_LEVEL: 'silent',
    ...providerSettings([{ of: basic, fields: { domains: ['example.com'] } }]),
    DOCENT_OUTBOUND_ALLOW: [acme.allow, basic.allow].join(','),
    ...settings,
  })
  const path = `/workspaces/${app.owner.workspaceId}/sign-in-providers`
  return { ...app, path }
}

const fields = (more: object = {}) => ({ ...acme.provider, domains: ['example.com'], ...more })
const withoutId = ({ id: _, ...rest }: any) => rest

/** A browser at whose provider somebody logs in. */
function person(app: Pick<TestApp, 'url'>) {
  const own = browser(app)
  return {
    ...own,
    async signIn(name: string, { provider, redirectUri } = acme, body: object = {}) {
      const begun = await own.call('POST', `/session/providers/${provider.id}`, body)
      if (begun.status !== 200) return begun
      const query = await logIn(begun.body.data.url, name, redirectUri)
      return own.call('POST', `/session/providers/${provider.id}/finish`, { query })
    },
  }
}

const REFUSED = { status: 403, body: { error_code: 'SIGN_IN_REFUSED' } }
const buttons = async (app: TestApp) => (await browser(app).call('GET', '/session/options')).body.data.providers

test('is added, signs people in at once, is changed and removed; its secret is never shown', async () => {
  const app = await start()
  const made = await app.call('POST', app.path, fields({ groups_claim: 'groups' }))
  expect(made).toMatchObject({
    status: 200,
    body: { data: { id: 'acme', has_secret: true, redirect_uri: `${HOME}/sign-in/acme`, is_by_environment: false } },
  })
  const secret = acme.provider.client_secret!
  expect(JSON.stringify(made.body)).not.toContain(secret)
  expect(JSON.stringify(await app.services.db.selectFrom('sign_in_provider').selectAll().execute())).not.toContain(
    secret,
  )
  expect(await buttons(app)).toEqual([
    { id: 'basic', name: 'Basic' },
    { id: 'acme', name: 'Acme' },
  ])
  const { body } = await app.call('GET', app.path)
  expect(body.data.redirect_base).toBe(`${HOME}/sign-in/`)
  expect(body.data.sign_in_providers).toMatchObject([
    { id: 'basic', is_by_environment: true, can_change: false, has_secret: true },
    { id: 'acme', is_by_environment: false, can_change: true, groups_claim: 'groups' },
  ])
  expect(JSON.stringify(body)).not.toContain(secret)
  await app.call('POST', `/groups`, { name: 'Sales' })
  const mia = await person(app).signIn('mia')
  expect(mia).toMatchObject({ status: 200 })
  expect(mia.body.data.identity.member).toMatchObject({ email: 'mia@example.com', groups: [{ name: 'Sales' }] })
  expect(mia.body.data.identity.key.role).toBe('member')

  const changed = withoutId(fields({ name: 'Acme 2', domains: ['other.example'] }))
  delete changed.client_secret
  expect(await app.call('PUT', `${app.path}/acme`, changed)).toMatchObject({
    status: 200,
    body: { data: { name: 'Acme 2', has_secret: true, groups_claim: null } },
  })
  expect(await person(app).signIn('ada')).toMatchObject(REFUSED)
  expect((await buttons(app))[1]).toEqual({ id: 'acme', name: 'Acme 2' })
  expect((await app.call('DELETE', `${app.path}/acme`)).status).toBe(200)
  expect(await buttons(app)).toHaveLength(1)
  expect((await person(app).signIn('ada')).status).toBe(404)
  const { body: log } = await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log`)
  for (const action of ['created', 'updated', 'deleted'])
    expect(JSON.stringify(log)).toContain(`sign_in_provider.${action}`)
  expect(JSON.stringify(log)).not.toContain(secret)
})

test('lets in members alone, where it makes no accounts', async () => {
  const app = await start()
  await app.call('POST', app.path, fields({ makes_accounts: false }))
  expect(await person(app).signIn('mia')).toMatchObject(REFUSED)
  expect(await app.services.db.selectFrom('account').selectAll().execute()).toEqual([])
  await join(app, { email: 'mia@example.com', role: 'member' })
  expect(await person(app).signIn('mia')).toMatchObject({ status: 200 })
})

test('wrong settings are refused with the field, and leave nothing', async () => {
  const app = await start()
  await everyRow<[string, object]>(
    [
      ['issuer', { issuer: 'http://id.example.com' }],
      ['issuer', { issuer: 'http://10.0.0.1' }],
      ['issuer', { issuer: 'id.example.com' }],
      ['issuer', { issuer: 'https://id.example.com/?x=1' }],
      ['issuer', { issuer: 'javascript:alert(1)' }],
      ['id', { id: 'Big' }],
      ['id', { id: '../x' }],
      ['domains.0', { domains: ['*'] }],
      ['scope', { scope: 'email' }],
      ['role_claim', { roles: { boss: 'owner' } }],
      ['groups_claim', { groups: { a: 'b' } }],
      ['client_secret', { client_secret: undefined, client_auth: 'client_secret_post' }],
      ['name', { name: '' }],
    ],
    async (path, wrong) => {
      const reply = await app.call('POST', app.path, fields(wrong))
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } })
    },
  )
  expect(await app.services.db.selectFrom('sign_in_provider').selectAll().execute()).toEqual([])
  expect(await app.call('POST', app.path, fields({ id: 'basic' }))).toMatchObject({
    status: 409,
    body: { error_code: 'PROVIDER_ID_CONFLICT' },
  })
  for (const [method, body] of [['PUT', withoutId(fields())], ['DELETE']] as const)
    expect(await app.call(method, `${app.path}/basic`, body)).toMatchObject({
      status: 409,
      body: { error_code: 'PROVIDER_BY_ENVIRONMENT' },
    })
  // A stored secret is not sent to another address than the one that it was entered for.
  await app.call('POST', app.path, fields())
  const moved = withoutId(fields({ issuer: basic.issuer }))
  delete moved.client_secret
  expect(await app.call('PUT', `${app.path}/acme`, moved)).toMatchObject({
    status: 400,
    body: { details: [{ path: 'client_secret' }] },
  })
})

test('the test says what is wrong with a provider', async () => {
  const app = await start()
  const answers: Record<string, [number, unknown]> = {}
  const fake = createServer(({ url }, reply) => {
    const [status, body] = answers[url!] ?? [404, {}]
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void fake.close())
  const issuer = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`
  const allowed = await start({ DOCENT_OUTBOUND_ALLOW: `${acme.allow},${new URL(issuer).host}` })
  const tried = async (body: object, at = allowed) => {
    const { status, body: reply } = await at.call('POST', `${at.path}/test`, { client_id: 'docent', ...body })
    expect(status).toBe(200)
    const wrong = reply.data.findings.filter((finding: any) => !finding.is_ok)
    expect(reply.data.is_ok).toBe(wrong.length === 0)
    return wrong.map(({ check, message }: any) => `${check}: ${message}`).join()
  }
  const { client_secret } = acme.provider
  expect(await tried({ issuer: acme.issuer, client_secret })).toBe('')
  expect(await tried({ issuer: acme.issuer, client_secret: 'another' })).toMatch(
    /^client: It does not know this client/,
  )
  expect(await tried({ issuer: acme.issuer, client_id: 'nobody', client_secret })).toMatch(/^client: /)
  expect(await tried({ issuer: acme.issuer, client_secret, scope: 'openid fish' })).toBe(
    'features: It does not offer the scope fish',
  )
  expect(await tried({ issuer })).toMatch(/^discovery: .* answered 404/)
  const known = '/.well-known/openid-configuration'
  answers[known] = [200, { issuer: 'https://other.example.com' }]
  expect(await tried({ issuer })).toBe(
    'issuer: The provider calls itself "https://other.example.com": enter exactly that as issuer, or another address',
  )
  answers[known] = [200, { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` }]
  expect(await tried({ issuer })).toBe('endpoints: Its description lacks jwks_uri')
  answers[known] = [200, { ...(answers[known][1] as object), jwks_uri: `${issuer}/k` }]
  expect(await tried({ issuer })).toMatch(/^keys: .*answered 404/)
  // An address that the outbound guard does not allow, and one where nobody listens.
  expect(await tried({ issuer }, app)).toMatch(/^discovery: .*could not be asked/)
  fake.close()
  fake.closeAllConnections()
  expect(await tried({ issuer })).toMatch(/^discovery: .*could not be asked/)
  expect((await app.call('POST', `${app.path}/test`, { client_id: 'x', issuer: 'http://example.com' })).status).toBe(
    400,
  )
  // A stored secret is tried by its id, with the issuer that it was entered for.
  await allowed.call('POST', allowed.path, fields())
  expect(await tried({ id: 'acme', issuer: acme.issuer })).toBe('')
})

describe('an admin', () => {
  test('gives no role above their own, and changes no provider of an owner', async () => {
    const app = await start()
    const admin = await join(app, { email: 'admin@example.net', role: 'admin' })
    const owners = { role_claim: 'roles', roles: { boss: 'owner' } }
    expect(await admin.call('POST', app.path, fields(owners))).toMatchObject({ status: 403 })
    expect(await admin.call('POST', app.path, fields({ default_role: 'owner' }))).toMatchObject({ status: 403 })
    expect((await app.call('POST', app.path, fields(owners))).status).toBe(200)
    expect((await admin.call('GET', app.path)).body.data.sign_in_providers[1]).toMatchObject({ can_change: false })
    expect(await admin.call('PUT', `${app.path}/acme`, withoutId(fields()))).toMatchObject({ status: 403 })
    expect(await admin.call('DELETE', `${app.path}/acme`)).toMatchObject({ status: 403 })
    const member = await join(app, { email: 'mo@example.net', role: 'member' })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/test'],
      ['DELETE', '/acme'],
    ] as const)
      expect(await member.call(method, app.path + path, method === 'POST' ? fields() : undefined)).toMatchObject({
        status: 403,
      })
  })

  test('signs in as no owner by a provider of their own', async () => {
    const app = await start()
    const mia = await join(app, { email: 'mia@example.com' })
    const admin = await join(app, { email: 'admin@example.net', role: 'admin' })
    expect((await admin.call('POST', app.path, fields())).status).toBe(200)
    expect(await person(app).signIn('mia')).toMatchObject(REFUSED)
    expect((await mia.call('GET', '/me')).status).toBe(200)
    // As one who was signed in by it as a member, and is an owner since.
    expect(await person(app).signIn('ada')).toMatchObject({ status: 200 })
    const members = (await app.call('GET', `/members`)).body.data.members
    const ada = members.find(({ email }: any) => email === 'ada@example.com')
    await app.call('PATCH', `/members/${ada.id}`, { role: 'owner' })
    expect(await person(app).signIn('ada')).toMatchObject(REFUSED)
  })
})

test('a provider of another organization takes nobody over, and is shown with its name', async () => {
  const app = await start()
  const mia = await join(app, { email: 'mia@example.com', role: 'member' })
  const other = await app.services.access.createOrganization('Evil Ltd')
  const path = `/workspaces/${other.workspaceId}/sign-in-providers`
  const made = await app.call('POST', path, fields(), { key: other.apiKey })
  expect(made.status).toBe(200)
  expect(await buttons(app)).toContainEqual({ id: 'acme', name: 'Acme (Evil Ltd)' })
  expect(await person(app).signIn('mia')).toMatchObject(REFUSED)
  expect((await mia.call('GET', '/me')).status).toBe(200)
  expect((await mia.call('GET', '/account')).body.data).toMatchObject({ has_password: true })
  for (const [method, body] of [['PUT', withoutId(fields())], ['DELETE']] as const)
    expect((await app.call(method, `${app.path}/acme`, body)).status).toBe(404)
  expect((await app.call('GET', app.path)).body.data.sign_in_providers).toHaveLength(1)
  // A stored secret of theirs is not tried for others.
  const tried = await app.call('POST', `${app.path}/test`, { id: 'acme', issuer: acme.issuer, client_id: 'docent' })
  expect(tried.body.data.is_ok).toBe(false)
  // Somebody of nobody else becomes a member there, and there alone.
  const ada = await person(app).signIn('ada')
  expect(ada.body.data.identity.workspace.id).toBe(other.workspaceId)
})
