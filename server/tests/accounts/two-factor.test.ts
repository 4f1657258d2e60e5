import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { browser, join, OWN_PAGE, PASSWORD, send, tokenOf } from '../support/access/people.ts'
import { manualClock } from '../support/clock.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

const EMAIL = 'ada@example.com'
const STEP = 30_000
const WRONG_CODE = { status: 403, body: { error_code: 'WRONG_CODE' } }

/** Sets up a person whose second factor is on, with the code that their app shows at the time of the clock. */
async function withApp(app: TestApp, clock: ReturnType<typeof manualClock>, email = EMAIL) {
  const ada = await join(app, { email })
  const begun = await ada.call('POST', '/account/two-factor', { password: PASSWORD })
  expect(begun).toMatchObject({ status: 200, body: { data: { uri: expect.stringMatching(/^otpauth:\/\/totp\//) } } })
  const totp = new TOTP({ secret: Secret.fromBase32(begun.body.data.secret) })
  const code = (steps = 0) => totp.generate({ timestamp: clock().getTime() + steps * STEP })
  const confirmed = await ada.call('POST', '/account/two-factor/confirmation', { code: code() })
  expect(confirmed.status).toBe(200)
  clock.pass(STEP)
  return {
    ...ada,
    code,
    secret: begun.body.data.secret as string,
    recovery: confirmed.body.data.recovery_codes as string[],
  }
}

async function start() {
  const clock = manualClock()
  return { clock, app: await startTestApp({}, { clock }) }
}

const password = (email = EMAIL) => ({ email, password: PASSWORD })

/** Browser whose password was right. */
async function asked(app: TestApp, email = EMAIL) {
  const own = browser(app)
  const reply = await own.call('POST', '/session/password', password(email))
  expect(reply).toMatchObject({ status: 200, body: { data: { state: 'second_factor', identity: null } } })
  return { ...own, enter: (code: string) => own.call('POST', '/session/second-factor', { code }) }
}

describe('a second factor', () => {
  test('is asked for after the password, before there is a session', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const own = await asked(app)
    expect(own.state.cookie).toMatch(/^docent-second-factor/)
    expect((await own.call('GET', '/account')).status).toBe(401)
    const reply = await own.enter(ada.code())
    expect(reply).toMatchObject({ status: 200, body: { data: { state: 'signed_in' } } })
    expect(own.state.cookie).toMatch(/^docent-session/)
    expect((await own.call('GET', '/account')).body.data.two_factor).toMatchObject({ recovery_codes_left: 10 })
  })

  test('is off until a code was confirmed, and what was begun before ends', async () => {
    const { app, clock } = await start()
    const ada = await join(app, { email: EMAIL })
    const begin = (given = PASSWORD) => ada.call('POST', '/account/two-factor', { password: given })
    expect(await begin('wrong')).toMatchObject({ status: 403, body: { error_code: 'WRONG_PASSWORD' } })
    const first = (await begin()).body.data.secret
    const second = (await begin()).body.data.secret
    expect(await browser(app).call('POST', '/session/password', password())).toMatchObject({
      body: { data: { state: 'signed_in' } },
    })
    const confirm = (secret: string) => {
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock().getTime() })
      return ada.call('POST', '/account/two-factor/confirmation', { code })
    }
    expect(await confirm(first)).toMatchObject(WRONG_CODE)
    expect((await confirm(second)).body.data.recovery_codes).toHaveLength(10)
    expect(await begin()).toMatchObject({ status: 409, body: { error_code: 'TWO_FACTOR_ON' } })
    expect(await confirm(second)).toMatchObject({ status: 409 })
  })

  test('ends all other sessions when it is turned on: they were begun without it', async () => {
    const { app, clock } = await start()
    await join(app, { email: EMAIL })
    const other = browser(app)
    await other.call('POST', '/session/password', password())
    const here = browser(app)
    await here.call('POST', '/session/password', password())
    const { secret } = (await here.call('POST', '/account/two-factor', { password: PASSWORD })).body.data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock().getTime() })
    expect((await here.call('POST', '/account/two-factor/confirmation', { code })).status).toBe(200)
    expect((await other.call('GET', '/account')).status).toBe(401)
    expect((await here.call('GET', '/account')).status).toBe(200)
  })

  test('takes each code once, and those of a step before or after', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    clock.pass(10 * STEP)
    expect(await (await asked(app)).enter(ada.code(-2))).toMatchObject(WRONG_CODE)
    expect(await (await asked(app)).enter(ada.code(2))).toMatchObject(WRONG_CODE)
    expect((await (await asked(app)).enter(ada.code(-1))).status).toBe(200)
    expect(await (await asked(app)).enter(ada.code(-1))).toMatchObject(WRONG_CODE)
    expect((await (await asked(app)).enter(ada.code(1))).status).toBe(200)
    // Earlier ones than one that was used are refused as well.
    expect(await (await asked(app)).enter(ada.code(0))).toMatchObject(WRONG_CODE)
  })

  test('takes a code once of several that come at the same time', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const browsers = [await asked(app), await asked(app), await asked(app)]
    const replies = await Promise.all(browsers.map(({ enter }) => enter(ada.code())))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    const again = [await asked(app), await asked(app), await asked(app)]
    const recovered = await Promise.all(again.map(({ enter }) => enter(ada.recovery[0]!)))
    expect(recovered.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  test('takes each recovery code once, however it is typed, and other ones in their place', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const [first, second] = ada.recovery as [string, string]
    expect((await (await asked(app)).enter(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect(await (await asked(app)).enter(first)).toMatchObject(WRONG_CODE)
    const made = await ada.call('POST', '/account/two-factor/recovery-codes', { password: PASSWORD, code: ada.code() })
    expect(made.body.data.recovery_codes).toHaveLength(10)
    expect(await (await asked(app)).enter(second)).toMatchObject(WRONG_CODE)
    expect((await (await asked(app)).enter(made.body.data.recovery_codes[0])).status).toBe(200)
  })

  test('is turned off with the password and a code', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const remove = (body: object) => ada.call('POST', '/account/two-factor/removal', body)
    expect(await remove({ password: 'wrong', code: ada.code() })).toMatchObject({ status: 403 })
    expect(await remove({ password: PASSWORD, code: '000000' })).toMatchObject(WRONG_CODE)
    expect((await remove({ password: PASSWORD, code: ada.code() })).status).toBe(200)
    expect((await ada.call('GET', '/account')).body.data.two_factor).toBeNull()
    expect(await browser(app).call('POST', '/session/password', password())).toMatchObject({
      body: { data: { state: 'signed_in' } },
    })
    const entries = (await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log`)).body.data
    expect(JSON.stringify(entries)).toContain('member.two_factor_off')
  })

  test('that was lost is turned off by an admin, where nothing else of the account opens', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const path = `/members/${ada.memberId}/two-factor`
    const admin = await join(app, { email: 'kim@example.com', role: 'admin' })
    expect((await admin.call('DELETE', path)).status).toBe(403)
    const members = async () => (await app.call('GET', `/members`)).body.data.members
    expect(await members()).toContainEqual(expect.objectContaining({ email: EMAIL, has_second_factor: true }))
    expect((await app.call('DELETE', path)).status).toBe(200)
    expect(await members()).toContainEqual(expect.objectContaining({ email: EMAIL, has_second_factor: false }))
    expect(await app.call('DELETE', path)).toMatchObject({ status: 409, body: { error_code: 'TWO_FACTOR_OFF' } })
    expect((await browser(app).call('POST', '/session/password', password())).body.data.state).toBe('signed_in')
  })

  test('is stored so that the database alone tells neither secret nor codes', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const rows = JSON.stringify([
      await app.services.db.selectFrom('two_factor').selectAll().execute(),
      await app.services.db.selectFrom('recovery_code').selectAll().execute(),
    ])
    for (const secret of [ada.secret, ...ada.recovery, ...ada.recovery.map((code) => code.replaceAll('-', ''))])
      expect(rows).not.toContain(secret)
  })

  test('ends with the account', async () => {
    const { app, clock } = await start()
    await join(app, { email: 'owner@example.com' })
    const ada = await withApp(app, clock)
    expect((await ada.call('POST', '/account/deletion', { password: PASSWORD })).status).toBe(200)
    expect(await app.services.db.selectFrom('recovery_code').selectAll().execute()).toEqual([])
    expect(await app.services.db.selectFrom('two_factor').selectAll().execute()).toEqual([])
  })
})

describe('attacks on it', () => {
  test('guesses are few, from whatever address, and beyond them not even the right code is let in', async () => {
    const clock = manualClock()
    const app = await startTestApp({ DOCENT_TRUSTED_PROXIES: '127.0.0.1' }, { clock })
    const ada = await withApp(app, clock)
    const { state } = await asked(app)
    const guess = (n: number, code: string) => {
      const headers = { ...OWN_PAGE, cookie: state.cookie, 'x-forwarded-for': `192.0.${n >> 8}.${n & 255}` }
      return send(app, 'POST', '/session/second-factor', headers, { code })
    }
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) statuses.push((await guess(n, '000000')).status)
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(20)
    expect(statuses.at(-1)).toBe(429)
    expect((await guess(99, ada.code())).status).toBe(429)
  })

  test('a code is for the browser whose password was right, for five minutes, and only until the password changes', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const expired = { status: 403, body: { error_code: 'SIGN_IN_EXPIRED' } }
    expect(await browser(app).call('POST', '/session/second-factor', { code: ada.code() })).toMatchObject(expired)
    const planted = { ...OWN_PAGE, cookie: 'docent-second-factor=v1.AAAA' }
    expect(await send(app, 'POST', '/session/second-factor', planted, { code: ada.code() })).toMatchObject(expired)
    const late = await asked(app)
    clock.pass(5 * 60_000)
    expect(await late.enter(ada.code())).toMatchObject(expired)
    const own = await asked(app)
    const change = { password: PASSWORD, new_password: 'ninety clay pots in a row' }
    expect((await ada.call('PUT', '/account/password', change)).status).toBe(200)
    expect(await own.enter(ada.code())).toMatchObject(expired)
  })

  test("another person's sign-in that was planted in a browser takes no code of mine", async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    await withApp(app, clock, 'eve@example.com')
    const eve = await asked(app, 'eve@example.com')
    expect(await eve.enter(ada.code())).toMatchObject(WRONG_CODE)
  })

  test('pages of other sites cannot ask', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const { state } = await asked(app)
    const foreign = { cookie: state.cookie, 'sec-fetch-site': 'cross-site' }
    expect((await send(app, 'POST', '/session/second-factor', foreign, { code: ada.code() })).status).toBe(403)
  })

  test('a session that was planted in the browser ends with the sign-in', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const eve = await join(app, { email: 'eve@example.com' })
    const own = await asked(app)
    const cookie = `${own.state.cookie}; ${eve.state.cookie}`
    const reply = await send(app, 'POST', '/session/second-factor', { ...OWN_PAGE, cookie }, { code: ada.code() })
    expect(reply.status).toBe(200)
    expect((await eve.call('GET', '/account')).status).toBe(401)
  })

  test('an invitation that is used with the password of an account asks for it, too', async () => {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const other = await app.services.access.createOrganization('Elsewhere')
    const made = await send(app, 'POST', `/invitations`, { 'x-api-key': other.apiKey }, {})
    const own = browser(app)
    const person = { token: tokenOf(made.body.data.url), email: EMAIL, name: 'Ada', password: PASSWORD }
    const reply = await own.call('POST', '/invitations/accept', person)
    expect(reply.body.data).toMatchObject({ state: 'second_factor', identity: null })
    expect((await own.call('GET', '/account')).status).toBe(401)
    const signedIn = await own.call('POST', '/session/second-factor', { code: ada.code() })
    expect(signedIn.body.data.identity.workspace.id).toBe(other.workspaceId)
  })
})

describe('a workspace that demands a second factor', () => {
  const NEEDED = { status: 403, body: { error_code: 'SECOND_FACTOR_NEEDED' } }

  async function demanding() {
    const { app, clock } = await start()
    const ada = await withApp(app, clock)
    const bob = await join(app, { email: 'bob@example.com', role: 'member' })
    const { key } = (await bob.call('POST', '/account/api-keys', { name: 'Laptop' })).body.data
    const path = `/workspaces/${app.owner.workspaceId}/second-factor`
    expect((await bob.call('GET', '/agents')).status).toBe(200)
    const told = await ada.call('PUT', path, { is_demanded: true })
    expect(told.body.data).toMatchObject({
      is_demanded: true,
      members_without: [{ id: bob.memberId, name: 'bob' }],
      members_without_total: 1,
    })
    return { app, clock, ada, bob, key, path }
  }

  test('closes it to members without one, and to their personal keys, until they have set one up', async () => {
    const { app, clock, ada, bob, key } = await demanding()
    expect((await ada.call('GET', '/agents')).status).toBe(200)
    const agentId = (await app.call('POST', '/agents', { name: 'Guide' })).body.data.id
    for (const [method, path, body] of [
      ['GET', '/agents'],
      ['GET', '/knowledge-bases'],
      ['POST', `/agents/${agentId}/chats`, {}],
      ['GET', `/members`],
    ] as const) {
      expect([path, await bob.call(method, path, body)]).toMatchObject([path, NEEDED])
      expect([path, await app.call(method, path, body, { key })]).toMatchObject([path, NEEDED])
    }
    expect((await bob.call('GET', '/me')).body.data.needs_second_factor).toBe(true)
    expect((await ada.call('GET', '/me')).body.data.needs_second_factor).toBe(false)
    expect((await bob.call('GET', '/account')).status).toBe(200)
    // Keys of programs continue.
    expect((await app.call('GET', '/agents')).status).toBe(200)

    const begun = await bob.call('POST', '/account/two-factor', { password: PASSWORD })
    expect(await bob.call('GET', '/agents')).toMatchObject(NEEDED)
    const code = new TOTP({ secret: Secret.fromBase32(begun.body.data.secret) }).generate({
      timestamp: clock().getTime(),
    })
    expect((await bob.call('POST', '/account/two-factor/confirmation', { code })).status).toBe(200)
    expect((await bob.call('GET', '/agents')).status).toBe(200)
    expect((await app.call('GET', '/agents', undefined, { key })).status).toBe(200)
    expect((await bob.call('GET', '/me')).body.data.needs_second_factor).toBe(false)
  })

  test('closes it again to somebody who turns theirs off, and is open to all once it demands none', async () => {
    const { app, clock, ada, bob, path } = await demanding()
    const cleo = await withApp(app, clock, 'cleo@example.com')
    expect((await cleo.call('GET', '/agents')).status).toBe(200)
    const off = await cleo.call('POST', '/account/two-factor/removal', { password: PASSWORD, code: cleo.code() })
    expect(off.status).toBe(200)
    expect(await cleo.call('GET', '/agents')).toMatchObject(NEEDED)
    expect((await ada.call('PUT', path, { is_demanded: false })).body.data.is_demanded).toBe(false)
    expect((await cleo.call('GET', '/agents')).status).toBe(200)
    expect((await bob.call('GET', '/agents')).status).toBe(200)
    const log = await app.call(
      'GET',
      `/workspaces/${app.owner.workspaceId}/audit-log?action=workspace.second_factor_changed`,
    )
    expect(log.body.data.entries).toMatchObject([
      { details: { is_demanded: false } },
      { details: { is_demanded: true } },
    ])
  })

  test('is not asked of other workspaces, and is up to admins who have one themselves', async () => {
    const { app } = await start()
    const path = `/workspaces/${app.owner.workspaceId}/second-factor`
    const dan = await join(app, { email: 'dan@example.com', role: 'admin' })
    const eve = await join(app, { email: 'eve@example.com', role: 'member' })
    const refused = await dan.call('PUT', path, { is_demanded: true })
    expect(refused).toMatchObject({ ...NEEDED, body: { message: expect.stringContaining('of your own first') } })
    expect((await eve.call('GET', path)).status).toBe(403)
    expect((await app.call('PUT', path, { is_demanded: 'yes' })).status).toBe(400)
    expect((await app.call('GET', path)).body.data.is_demanded).toBe(false)
    // A key of a program may demand it.
    expect((await app.call('PUT', path, { is_demanded: true })).status).toBe(200)
    expect(await dan.call('GET', '/agents')).toMatchObject(NEEDED)
    expect((await app.call('PUT', `/workspaces/${'0'.repeat(24)}/second-factor`, { is_demanded: false })).status).toBe(
      403,
    )
  })
})
