import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { logIn, type OpenIdProvider, providerSettings, startOpenIdProvider } from '../support/access/openid-provider.ts'
import { browser, join, OWN_PAGE, PASSWORD, send } from '../support/access/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const HOME = 'https://docent.example.com'
let acme: OpenIdProvider
let strict: OpenIdProvider

beforeAll(async () => {
  const people = {
    mia: { email: 'mia@example.com', email_verified: true, name: 'Mia', groups: ['Sales', 'docent'], roles: ['boss'] },
    unverified: { email: 'ada@example.com', email_verified: false, name: 'Eve' },
    stranger: { email: 'eve@example.net', email_verified: true, name: 'Eve' },
    below: { email: 'eve@evil.example.com', email_verified: true, name: 'Eve' },
    nameless: { name: 'Nobody' },
  }
  acme = await startOpenIdProvider({ id: 'acme', redirectUri: `${HOME}/sign-in/acme`, people })
  strict = await startOpenIdProvider({
    id: 'strict',
    redirectUri: `${HOME}/sign-in/strict`,
    people: { kim: { email: 'Kim@Example.com', email_verified: true, name: 'Kim', groups: ['Sales'] }, ...people },
    isStrict: true,
  })
})

afterAll(async () => {
  await acme?.close()
  await strict?.close()
})

const start = (fields: Record<string, unknown> = {}) =>
  startTestApp({
    DOCENT_PUBLIC_URL: HOME,
    LOG_LEVEL: 'silent',
    ...providerSettings([
      { of: acme, fields: { domains: ['example.com'], ...fields } },
      { of: strict, fields: { domains: ['example.com'], groups_claim: 'groups' } },
    ]),
  })

/** A browser that keeps all cookies. */
function person(app: TestApp) {
  const jar = new Map<string, string>()
  async function call(method: string, path: string, body?: unknown) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await send(app, method, path, { ...OWN_PAGE, ...(cookie && { cookie }) }, body)
    for (const set of reply.cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (value) jar.set(name!, value)
      else jar.delete(name!)
    }
    return reply
  }
  const begin = async (provider = acme, body: unknown = {}): Promise<string> => {
    const reply = await call('POST', `/session/providers/${provider.provider.id}`, body)
    expect(reply.status).toBe(200)
    return reply.body.data.url
  }
  const finish = (query: string, provider = acme) =>
    call('POST', `/session/providers/${provider.provider.id}/finish`, { query })
  return {
    jar,
    call,
    begin,
    finish,
    async signIn(name: string, provider = acme, body: unknown = {}) {
      return finish(await logIn(await begin(provider, body), name, provider.redirectUri), provider)
    },
  }
}

const REFUSED = { status: 403, body: { error_code: 'SIGN_IN_REFUSED' } }
const accounts = (app: TestApp) => app.services.db.selectFrom('account').selectAll().orderBy('email').execute()

describe('signing in', () => {
  test('makes an account and a member at first, and finds them again', async () => {
    const app = await start()
    const mia = person(app)
    const options = await mia.call('GET', '/session/options')
    expect(options.body.data.providers).toEqual([
      { id: 'acme', name: 'Acme' },
      { id: 'strict', name: 'Strict' },
    ])
    const first = await mia.signIn('mia')
    expect(first).toMatchObject({ status: 200, body: { data: { state: 'signed_in' } } })
    const { identity } = first.body.data
    expect(identity.member).toMatchObject({ email: 'mia@example.com', name: 'Mia' })
    expect(identity.key.role).toBe('member')
    const again = await person(app).signIn('mia')
    expect(again.body.data.identity.member.id).toBe(identity.member.id)
    expect(await accounts(app)).toMatchObject([{ email: 'mia@example.com', password_hash: null }])
    // The attempt is gone from the browser, and the session is as strict as that of a password.
    expect([...mia.jar.keys()].filter((name) => name.includes('sign-in'))).toEqual([])
    expect(first.cookies.find((cookie) => cookie.includes('docent-session'))).toMatch(
      /^__Host-.*; Path=\/; HttpOnly; SameSite=Strict; .*Secure$/,
    )
  })

  test('works with a client that signs, ES256, and claims from userinfo; groups are those of the claim', async () => {
    const app = await start()
    const groups = `/groups`
    await app.call('POST', groups, { name: 'sales' })
    await app.call('POST', groups, { name: 'Other' })
    const reply = await person(app).signIn('kim', strict)
    expect(reply).toMatchObject({ status: 200 })
    expect(reply.body.data.identity.member).toMatchObject({ email: 'kim@example.com', groups: [{ name: 'sales' }] })
    strict.people.kim!.groups = ['other', 'unknown']
    onTestFinished(() => void Object.assign(strict.people.kim!, { groups: ['Sales'] }))
    const later = await person(app).signIn('kim', strict)
    expect(later.body.data.identity.member.groups).toMatchObject([{ name: 'Other' }])
  })

  test('works with a client that has no secret', async () => {
    const alone = await startOpenIdProvider({
      id: 'alone',
      redirectUri: `${HOME}/sign-in/alone`,
      people: acme.people,
      isPublic: true,
    })
    onTestFinished(alone.close)
    const app = await startTestApp({
      DOCENT_PUBLIC_URL: HOME,
      ...providerSettings([{ of: alone, fields: { domains: ['example.com'] } }]),
    })
    expect(await person(app).signIn('mia', alone)).toMatchObject({ status: 200 })
  })

  test('gives the role of the claim, higher and lower, but leaves a last owner', async () => {
    const app = await start({ role_claim: 'roles', roles: { boss: 'owner', help: 'admin' } })
    const roleNow = async () => (await person(app).signIn('mia')).body.data.identity.key.role
    onTestFinished(() => void Object.assign(acme.people.mia!, { roles: ['boss'] }))
    expect(await roleNow()).toBe('owner')
    acme.people.mia!.roles = ['help']
    expect(await roleNow()).toBe('owner')
    await join(app, { email: 'ada@example.com' })
    expect(await roleNow()).toBe('admin')
    acme.people.mia!.roles = []
    expect(await roleNow()).toBe('member')
  })

  test('of somebody without the claim that lets in ends the membership, its sessions and keys', async () => {
    const app = await start({ required_claim: { name: 'groups', value: 'docent' } })
    const mia = person(app)
    await mia.signIn('mia')
    const made = await mia.call('POST', '/account/api-keys', { name: 'Script' })
    const { key } = made.body.data
    acme.people.mia!.groups = ['Sales']
    onTestFinished(() => void Object.assign(acme.people.mia!, { groups: ['Sales', 'docent'] }))
    const reply = await person(app).signIn('mia')
    expect(reply).toMatchObject(REFUSED)
    expect(reply.body.message).toContain('gives you no access')
    expect((await mia.call('GET', '/session')).body.data.state).toBe('signed_out')
    expect((await app.call('GET', '/me', undefined, { key })).status).toBe(401)
    const log = await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log`)
    expect(log.body.data.entries.map(({ action }: { action: string }) => action)).toContain('member.removed')
  })
})

describe('an account that is there', () => {
  test('is taken by a verified e-mail of a domain that is let in, and every other way into it ends', async () => {
    const app = await start()
    const before = await join(app, { email: 'mia@example.com' })
    const key = (await before.call('POST', '/account/api-keys', { name: 'Script' })).body.data.key
    const reply = await person(app).signIn('mia')
    expect(reply.body.data.identity.member.account_id).toBe(before.accountId)
    expect((await before.call('GET', '/session')).body.data.state).toBe('signed_out')
    expect((await app.call('GET', '/me', undefined, { key })).status).toBe(401)
    const password = { email: 'mia@example.com', password: PASSWORD }
    expect((await browser(app).call('POST', '/session/password', password)).status).toBe(401)
  })

  test('is linked by the person who is signed in, whatever the e-mail, listed and unlinked', async () => {
    const app = await start()
    const ada = person(app)
    await join(app, { email: 'ada@example.com' })
    await ada.call('POST', '/session/password', { email: 'ada@example.com', password: PASSWORD })
    expect(await ada.signIn('stranger', acme, { link: true })).toMatchObject({ status: 200 })
    const { data } = (await ada.call('GET', '/account')).body
    expect(data).toMatchObject({ email: 'ada@example.com', has_password: true })
    expect(data.identities).toMatchObject([{ provider: { id: 'acme', name: 'Acme' } }])
    const reply = await person(app).signIn('stranger')
    expect(reply.body.data.identity.member.email).toBe('ada@example.com')
    const path = `/account/identities/${data.identities[0].id}`
    const bob = await join(app, { email: 'bob@example.com' })
    expect((await bob.call('DELETE', path)).status).toBe(404)
    expect((await ada.call('DELETE', path)).status).toBe(200)
    expect(await person(app).signIn('stranger')).toMatchObject(REFUSED)
  })

  test('is not linked to a provider account of somebody else, nor without its session', async () => {
    const app = await start()
    await person(app).signIn('mia')
    const ada = person(app)
    expect(await ada.call('POST', '/session/providers/acme', { link: true })).toMatchObject(REFUSED)
    await join(app, { email: 'ada@example.com' })
    await ada.call('POST', '/session/password', { email: 'ada@example.com', password: PASSWORD })
    expect(await ada.signIn('mia', acme, { link: true })).toMatchObject(REFUSED)
    const query = await logIn(await ada.begin(acme, { link: true }), 'stranger', acme.redirectUri)
    await ada.call('DELETE', '/session')
    expect(await ada.finish(query)).toMatchObject(REFUSED)
  })

  test('keeps its only way in', async () => {
    const app = await start()
    const mia = person(app)
    await mia.signIn('mia')
    const { identities } = (await mia.call('GET', '/account')).body.data
    const reply = await mia.call('DELETE', `/account/identities/${identities[0].id}`)
    expect(reply).toMatchObject({ status: 409, body: { error_code: 'LAST_WAY_IN' } })
  })
})

describe('an attack', () => {
  test.each([
    ['unverified', 'confirm the e-mail'],
    ['stranger', 'are not let in'],
    ['below', 'are not let in'],
    ['nameless', 'did not say your e-mail'],
  ])('as %s is refused in words, and leaves no account', async (name, words) => {
    const app = await start()
    const eve = person(app)
    const reply = await eve.signIn(name)
    expect(reply).toMatchObject(REFUSED)
    expect(reply.body.message).toContain(words)
    expect((await eve.call('GET', '/session')).body.data.state).toBe('signed_out')
    expect(await accounts(app)).toEqual([])
  })

  test('with a code that was used is refused', async () => {
    const app = await start()
    const mia = person(app)
    const url = await mia.begin()
    const attempt = new Map(mia.jar)
    const query = await logIn(url, 'mia', acme.redirectUri)
    expect(await mia.finish(query)).toMatchObject({ status: 200 })
    const eve = person(app)
    for (const [name, value] of attempt) eve.jar.set(name, value)
    expect(await eve.finish(query)).toMatchObject(REFUSED)
  })

  test('with an answer that another browser got is refused, with or without an attempt of its own', async () => {
    const app = await start()
    const query = await logIn(await person(app).begin(), 'mia', acme.redirectUri)
    const victim = person(app)
    expect(await victim.finish(query)).toMatchObject(REFUSED)
    await victim.begin()
    expect(await victim.finish(query)).toMatchObject(REFUSED)
    expect((await victim.call('GET', '/session')).body.data.state).toBe('signed_out')
  })

  test('with an attempt that this server did not seal is refused', async () => {
    const app = await start()
    const eve = person(app)
    const query = await logIn(await eve.begin(), 'mia', acme.redirectUri)
    for (const [name, value] of eve.jar) eve.jar.set(name, `${value.slice(0, -4)}AAAA`)
    expect(await eve.finish(query)).toMatchObject(REFUSED)
  })

  test('with a nonce of its own is refused', async () => {
    const app = await start()
    const eve = person(app)
    const url = new URL(await eve.begin())
    url.searchParams.set('nonce', 'another')
    expect(await eve.finish(await logIn(url.href, 'mia', acme.redirectUri))).toMatchObject(REFUSED)
  })

  test('without the verifier of its challenge is refused', async () => {
    const app = await start()
    const eve = person(app)
    const url = new URL(await eve.begin())
    url.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
    expect(await eve.finish(await logIn(url.href, 'mia', acme.redirectUri))).toMatchObject(REFUSED)
  })

  test('with the answer of another provider is refused, wherever it is handed in', async () => {
    const app = await start()
    const eve = person(app)
    const ofStrict = await logIn(await eve.begin(strict), 'mia', strict.redirectUri)
    expect(await eve.finish(ofStrict, acme)).toMatchObject(REFUSED)
    // The state is right, and the issuer in the answer says where it comes from.
    const state = new URL(await eve.begin(acme)).searchParams.get('state')!
    const mixed = new URLSearchParams(ofStrict)
    mixed.set('state', state)
    expect(await eve.finish(`?${mixed}`, acme)).toMatchObject(REFUSED)
    const silent = new URLSearchParams(mixed)
    silent.delete('iss')
    await eve.begin(acme)
    expect(await eve.finish(`?${silent}`, acme)).toMatchObject(REFUSED)
  })

  test('from another page is refused, and nothing tells the server where to send the browser', async () => {
    const app = await start()
    for (const path of ['/session/providers/acme', '/session/providers/acme/finish'])
      expect((await send(app, 'POST', path, { 'sec-fetch-site': 'cross-site' }, {})).status).toBe(403)
    const reply = await person(app).call('POST', '/session/providers/acme', { return_to: 'https://evil.example' })
    expect(reply.status).toBe(400)
    const url = new URL(await person(app).begin())
    expect(url.origin).toBe(acme.issuer)
    expect(url.searchParams.get('redirect_uri')).toBe(`${HOME}/sign-in/acme`)
  })

  test('by guesses is limited by address', async () => {
    const app = await start()
    const statuses: number[] = []
    for (let i = 0; i < 61; i++) statuses.push((await person(app).finish('?code=1')).status)
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([403]))
    expect(statuses[60]).toBe(429)
  })
})

test('what a person refuses at the provider, and a provider that is away, are explained in words', async () => {
  const app = await start()
  const mia = person(app)
  const state = new URL(await mia.begin()).searchParams.get('state')
  const query = `?error=access_denied&state=${state}&iss=${encodeURIComponent(acme.issuer)}`
  const reply = await mia.finish(query)
  expect(reply).toMatchObject(REFUSED)
  expect(reply.body.message).toContain('Acme did not let you in')
  expect((await mia.call('POST', '/session/providers/none', {})).status).toBe(404)
  const hidden = await startTestApp({
    DOCENT_PUBLIC_URL: HOME,
    LOG_LEVEL: 'silent',
    ...providerSettings([{ of: acme }]),
    DOCENT_OUTBOUND_ALLOW: '',
  })
  expect((await person(hidden).call('POST', '/session/providers/acme', {})).status).toBe(503)
})

test('deleting the account ends its link, and the log holds no codes', async () => {
  const lines: string[] = []
  const app = await startTestApp(
    {
      DOCENT_PUBLIC_URL: HOME,
      LOG_LEVEL: 'debug',
      ...providerSettings([{ of: acme, fields: { domains: ['example.com'] } }]),
    },
    { logTo: (line) => lines.push(line) },
  )
  await join(app, { email: 'bob@example.com' })
  const ada = person(app)
  await join(app, { email: 'ada@example.com' })
  await ada.call('POST', '/session/password', { email: 'ada@example.com', password: PASSWORD })
  const query = await logIn(await ada.begin(acme, { link: true }), 'stranger', acme.redirectUri)
  await ada.finish(query)
  expect((await ada.call('POST', '/account/deletion', { password: PASSWORD })).status).toBe(200)
  expect(await app.services.db.selectFrom('account_identity').selectAll().execute()).toEqual([])
  const code = new URLSearchParams(query).get('code')!
  expect(lines.join('')).not.toContain(code)
})
