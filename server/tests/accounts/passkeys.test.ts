import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { type SignFields, softAuthenticator } from '../support/access/authenticator.ts'
import {
  addPasskey,
  afterPassword,
  asked,
  type Browser,
  EMAIL,
  EXPIRED,
  HOME,
  MINUTES,
  REFUSED,
  refusal,
  SIGNED_IN,
  signIn,
  start,
  withPasskey,
} from '../support/access/passkeys.ts'
import { browser, join, OWN_PAGE, PASSWORD, send } from '../support/access/people.ts'

describe('a passkey', () => {
  test('signs in alone, without a name, after it checked PIN, finger or face', async () => {
    const { app } = await start()
    const ada = await withPasskey(app)
    const own = await asked(app)
    expect(own.options).toMatchObject({ rpId: 'docent.example.com', userVerification: 'required' })
    expect(own.options.allowCredentials ?? []).toEqual([])
    expect(await own.answer(ada.device.sign(ada.passkey, own.options))).toMatchObject(SIGNED_IN)
    const account = (await own.call('GET', '/account')).body.data
    expect(account).toMatchObject({ email: EMAIL, passkeys: [{ name: 'Laptop', last_used_at: expect.any(String) }] })
    const unverified = { isVerified: false }
    expect((await signIn(app, ada.device, ada.passkey, unverified)).reply).toMatchObject(REFUSED)
  })

  test('is asked for after the password, where a touch is enough', async () => {
    const { app } = await start()
    const ada = await withPasskey(app)
    const own = await afterPassword(app)
    expect(own.kinds).toEqual(['passkey'])
    expect((await own.call('GET', '/account')).status).toBe(401)
    expect(own.options.allowCredentials).toMatchObject([{ id: ada.passkey.id, transports: ['internal'] }])
    const answer = ada.device.sign(ada.passkey, own.options, { isVerified: false, userHandle: null })
    expect(await own.answer(answer)).toMatchObject(SIGNED_IN)
    expect((await own.call('GET', '/account')).status).toBe(200)
  })

  test('and an app are both second factors, of which one is enough', async () => {
    const { app, clock } = await start()
    const ada = await withPasskey(app)
    const { secret } = (await ada.call('POST', '/account/two-factor', { password: PASSWORD })).body.data
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock().getTime() })
    expect((await ada.call('POST', '/account/two-factor/confirmation', { code: code() })).status).toBe(200)
    clock.pass(30_000)
    const byPasskey = await afterPassword(app)
    expect(byPasskey.kinds).toEqual(['code', 'passkey'])
    expect(await byPasskey.answer(ada.device.sign(ada.passkey, byPasskey.options))).toMatchObject(SIGNED_IN)
    const byCode = await afterPassword(app)
    expect(await byCode.call('POST', '/session/second-factor', { code: code() })).toMatchObject(SIGNED_IN)
    expect(await byCode.call('POST', '/session/second-factor', {})).toMatchObject({ status: 400 })
    expect((await signIn(app, ada.device, ada.passkey)).reply).toMatchObject(SIGNED_IN)
  })

  test('takes no code in its place', async () => {
    const { app } = await start()
    await withPasskey(app)
    const own = await afterPassword(app)
    expect(await own.call('POST', '/session/second-factor', { code: '123456' })).toMatchObject(refusal('WRONG_CODE'))
  })

  test('is added with the password and, beside a second factor, with that one', async () => {
    const { app } = await start()
    const ada = await join(app, { email: EMAIL })
    const begin = (proof: object) => ada.call('POST', '/account/passkeys/options', proof)
    expect(await begin({})).toMatchObject(refusal('VALIDATION_ERROR', 400))
    expect(await begin({ password: 'wrong' })).toMatchObject(refusal('WRONG_PASSWORD'))
    const device = softAuthenticator(HOME)
    const first = await addPasskey(ada, device)
    expect(await begin({ password: PASSWORD })).toMatchObject(refusal('SECOND_PROOF_NEEDED'))
    expect(await begin({ password: PASSWORD, code: '123456' })).toMatchObject(refusal('SECOND_PROOF_NEEDED'))
    const proof = async () => {
      const { options } = (await ada.call('POST', '/account/passkeys/challenge')).body.data
      return { password: PASSWORD, passkey: device.sign(first, options, { isVerified: false }) }
    }
    expect(await begin({ ...(await proof()), password: 'wrong' })).toMatchObject(refusal('WRONG_PASSWORD'))
    const second = await addPasskey(ada, device, { proof: await proof(), name: 'Phone' })
    expect((await ada.call('GET', '/account')).body.data.passkeys).toMatchObject([
      { name: 'Laptop' },
      { name: 'Phone' },
    ])

    const path = `/account/passkeys/${second.passkeyId}`
    expect((await ada.call('PATCH', path, { name: 'Old phone' })).body.data).toMatchObject({ name: 'Old phone' })
    expect(await ada.call('POST', `${path}/removal`, { password: PASSWORD })).toMatchObject(
      refusal('SECOND_PROOF_NEEDED'),
    )
    expect((await ada.call('POST', `${path}/removal`, await proof())).status).toBe(200)
    expect(await ada.call('POST', `${path}/removal`, await proof())).toMatchObject(refusal('PASSKEY_NOT_FOUND', 404))
    expect((await signIn(app, device, second)).reply).toMatchObject(REFUSED)
    expect((await signIn(app, device, first)).reply).toMatchObject(SIGNED_IN)
    const log = JSON.stringify((await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log`)).body.data)
    for (const action of ['member.passkey_added', 'member.passkey_removed']) expect(log).toContain(action)
  })

  test('signs all other browsers out when it is the first second factor: they began by the password alone', async () => {
    const { app } = await start()
    const ada = await join(app, { email: EMAIL })
    const other = browser(app)
    await other.call('POST', '/session/password', { email: EMAIL, password: PASSWORD })
    await addPasskey(ada, softAuthenticator(HOME))
    expect((await other.call('GET', '/account')).status).toBe(401)
    expect((await ada.call('GET', '/account')).status).toBe(200)
  })

  test('is a way into an account without a password, and not removed if it is the only one', async () => {
    const { app } = await start()
    const ada = await join(app, { email: EMAIL })
    // As the account is that a sign-in provider made.
    await app.services.db.updateTable('account').set({ password_hash: null }).where('id', '=', ada.accountId).execute()
    const device = softAuthenticator(HOME)
    const passkey = await addPasskey(ada, device, { proof: {} })
    expect((await signIn(app, device, passkey)).reply).toMatchObject(SIGNED_IN)
    const remove = (id: string) => ada.call('POST', `/account/passkeys/${id}/removal`, {})
    expect(await remove(passkey.passkeyId)).toMatchObject(refusal('LAST_WAY_IN', 409))
    const second = await addPasskey(ada, device, { proof: {} })
    expect((await remove(passkey.passkeyId)).status).toBe(200)
    expect((await signIn(app, device, second)).reply).toMatchObject(SIGNED_IN)
  })

  test('that was lost is turned off by an admin with the other second factors', async () => {
    const { app } = await start()
    const ada = await withPasskey(app)
    const members = `/members`
    expect((await app.call('GET', members)).body.data.members).toMatchObject([{ has_second_factor: true }])
    expect((await app.call('DELETE', `${members}/${ada.memberId}/two-factor`)).status).toBe(200)
    expect((await app.call('GET', members)).body.data.members).toMatchObject([{ has_second_factor: false }])
    expect(await browser(app).call('POST', '/session/password', { email: EMAIL, password: PASSWORD })).toMatchObject(
      SIGNED_IN,
    )
    expect((await signIn(app, ada.device, ada.passkey)).reply).toMatchObject(REFUSED)
  })

  test('is a second factor for a workspace that demands one', async () => {
    const { app } = await start()
    const ada = await join(app, { email: EMAIL })
    const demand = `/workspaces/${app.owner.workspaceId}/second-factor`
    expect((await app.call('PUT', demand, { is_demanded: true })).status).toBe(200)
    expect(await ada.call('GET', '/agents')).toMatchObject(refusal('SECOND_FACTOR_NEEDED'))
    await addPasskey(ada, softAuthenticator(HOME))
    expect((await ada.call('GET', '/agents')).status).toBe(200)
    expect((await app.call('GET', demand)).body.data).toMatchObject({ members_without_total: 0 })
  })

  test('ends with the account', async () => {
    const { app } = await start()
    await join(app, { email: 'owner@example.com' })
    const ada = await withPasskey(app)
    expect((await ada.call('POST', '/account/deletion', { password: PASSWORD })).status).toBe(200)
    expect(await app.services.db.selectFrom('passkey').selectAll().execute()).toEqual([])
    expect((await signIn(app, ada.device, ada.passkey)).reply).toMatchObject(REFUSED)
  })

  test.each(['http://127.0.0.1:8000', 'http://docent.example.com', 'https://[::1]:8443', 'https://10.0.0.1'])(
    'is not offered at %s, where browsers make none',
    async (address) => {
      const { app } = await start({ DOCENT_PUBLIC_URL: address })
      const own = await join(app, { email: EMAIL })
      expect((await own.call('GET', '/session/options')).body.data.passkeys).toBe(false)
      const notSetUp = refusal('PASSKEYS_NOT_SET_UP', 409)
      expect(await own.call('POST', '/session/passkey/challenge', {})).toMatchObject(notSetUp)
      expect(await own.call('POST', '/account/passkeys/options', { password: PASSWORD })).toMatchObject(notSetUp)
    },
  )
})

describe('attacks on passkeys', () => {
  test('an answer counts once, also with the cookie that belonged to it', async () => {
    const { app } = await start()
    const ada = await withPasskey(app)
    // A counter of 0 says nothing: only the challenge tells a replay.
    const own = await asked(app)
    const cookie = own.state.cookie
    const answer = ada.device.sign(ada.passkey, own.options, { counter: 2 })
    await app.services.db.updateTable('passkey').set({ counter: 0 }).execute()
    const replay = () => send(app, 'POST', '/session/passkey', { ...OWN_PAGE, cookie }, { passkey: answer })
    const replies = await Promise.all([replay(), replay(), replay()])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    await app.services.db.updateTable('passkey').set({ counter: 0 }).execute()
    expect(await replay()).toMatchObject(EXPIRED)
    expect(await own.answer(answer)).toMatchObject(EXPIRED)
  })

  test('devices that do not count are protected from replays as well', async () => {
    const { app } = await start()
    const ada = await withPasskey(app)
    await app.services.db.updateTable('passkey').set({ counter: 0 }).execute()
    const own = await asked(app)
    const cookie = own.state.cookie
    const passkey = ada.device.sign(ada.passkey, own.options, { counter: 0 })
    const use = () => send(app, 'POST', '/session/passkey', { ...OWN_PAGE, cookie }, { passkey })
    expect((await use()).status).toBe(200)
    expect(await use()).toMatchObject(EXPIRED)
    expect((await signIn(app, ada.device, ada.passkey, { counter: 0 })).reply).toMatchObject(SIGNED_IN)
  })

  test('a challenge is for the browser that began, for five minutes, and for one purpose', async () => {
    const { app, clock } = await start()
    const ada = await withPasskey(app)
    const { device, passkey } = ada
    const other = await asked(app)
    expect(
      await browser(app).call('POST', '/session/passkey', { passkey: device.sign(passkey, other.options) }),
    ).toMatchObject(EXPIRED)
    const mine = await asked(app)
    const planted = { ...OWN_PAGE, cookie: mine.state.cookie.replace(/=.*/, '=v1.AAAA') }
    const forged = { passkey: device.sign(passkey, mine.options) }
    expect(await send(app, 'POST', '/session/passkey', planted, forged)).toMatchObject(EXPIRED)
    expect(await mine.answer(device.sign(passkey, other.options))).toMatchObject(REFUSED)
    const late = await asked(app)
    clock.pass(5 * MINUTES)
    expect(await late.answer(device.sign(passkey, late.options))).toMatchObject(EXPIRED)
    // One for a second factor, or for a change of the account, opens nothing alone.
    const second = await afterPassword(app)
    const answer = device.sign(passkey, second.options)
    expect(await second.call('POST', '/session/passkey', { passkey: answer })).toMatchObject(EXPIRED)
    const { options } = (await ada.call('POST', '/account/passkeys/challenge')).body.data
    expect(await ada.call('POST', '/session/passkey', { passkey: device.sign(passkey, options) })).toMatchObject(
      EXPIRED,
    )
  })

  test('what another site, or for another site, was signed is refused, and so is another key', async () => {
    const { app } = await start()
    const { device, passkey } = await withPasskey(app)
    const wrong: SignFields[] = [
      { origin: 'https://evil.example.com' },
      { origin: 'http://docent.example.com' },
      { origin: 'https://docent.example.com:8443' },
      { rpId: 'evil.example.com' },
      { rpId: 'example.com' },
    ]
    for (const fields of wrong) expect((await signIn(app, device, passkey, fields)).reply).toMatchObject(REFUSED)
    const begun = { challenge: 'AAAA', user: { id: passkey.userHandle } }
    const stranger = device.make(begun).made
    expect((await signIn(app, device, stranger)).reply).toMatchObject(REFUSED)
    const forged = { ...stranger, id: passkey.id }
    expect((await signIn(app, device, forged)).reply).toMatchObject(REFUSED)
    expect((await signIn(app, device, passkey)).reply).toMatchObject(SIGNED_IN)
  })

  test("a passkey of another account is no second factor, no proof, and does not stand for somebody else's", async () => {
    const { app } = await start()
    const ada = await withPasskey(app)
    const eve = await withPasskey(app, 'eve@example.com')
    const own = await afterPassword(app)
    expect(await own.answer(eve.device.sign(eve.passkey, own.options))).toMatchObject(REFUSED)
    const asAda = { userHandle: ada.passkey.userHandle }
    expect((await signIn(app, eve.device, eve.passkey, asAda)).reply).toMatchObject(REFUSED)
    expect((await signIn(app, eve.device, eve.passkey, { userHandle: null })).reply).toMatchObject(REFUSED)
    const { options } = (await ada.call('POST', '/account/passkeys/challenge')).body.data
    const proof = { password: PASSWORD, passkey: eve.device.sign(eve.passkey, options) }
    const path = `/account/passkeys/${ada.passkey.passkeyId}`
    expect(await ada.call('POST', `${path}/removal`, proof)).toMatchObject(REFUSED)
    expect(await eve.call('PATCH', path, { name: 'Mine' })).toMatchObject(refusal('PASSKEY_NOT_FOUND', 404))
    const challenge = (await eve.call('POST', '/account/passkeys/challenge')).body.data.options
    const hers = { password: PASSWORD, passkey: eve.device.sign(eve.passkey, challenge) }
    expect(await eve.call('POST', `${path}/removal`, hers)).toMatchObject(refusal('PASSKEY_NOT_FOUND', 404))
  })

  test('a counter that goes back tells of a copy, and is refused', async () => {
    const { app } = await start()
    const { device, passkey } = await withPasskey(app)
    expect((await signIn(app, device, passkey, { counter: 9 })).reply).toMatchObject(SIGNED_IN)
    for (const counter of [9, 8, 0])
      expect((await signIn(app, device, passkey, { counter })).reply).toMatchObject(REFUSED)
    const highest = 2 ** 32 - 1
    expect((await signIn(app, device, passkey, { counter: highest })).reply).toMatchObject(SIGNED_IN)
    expect((await signIn(app, device, passkey, { counter: 10 })).reply).toMatchObject(REFUSED)
  })

  test('of two answers with the same counter that come at the same time one is let in', async () => {
    const { app } = await start()
    const { device, passkey } = await withPasskey(app)
    const browsers = [await asked(app), await asked(app), await asked(app)]
    const replies = await Promise.all(
      browsers.map((own) => own.answer(device.sign(passkey, own.options, { counter: 5 }))),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  test('one that is made is refused unless it is for this account, site and challenge, once', async () => {
    const { app } = await start()
    const ada = await join(app, { email: EMAIL })
    const eve = await join(app, { email: 'eve@example.com' })
    const device = softAuthenticator(HOME)
    const begin = async (own: Browser) =>
      (await own.call('POST', '/account/passkeys/options', { password: PASSWORD })).body.data.options
    const add = (own: Browser, passkey: object) => own.call('POST', '/account/passkeys', { name: 'Key', passkey })
    const certificates = new Map<unknown, unknown>([['x5c', Buffer.from('certificate')]])
    for (const fields of [
      { origin: 'https://evil.example.com' },
      { rpId: 'evil.example.com' },
      { isVerified: false },
      { format: 'packed', statement: certificates },
      { format: 'android-key', statement: certificates },
    ])
      expect(await add(ada, device.make(await begin(ada), fields).answer)).toMatchObject(REFUSED)
    expect(await add(ada, device.make({ ...(await begin(ada)), challenge: 'AAAA' }).answer)).toMatchObject(REFUSED)
    const { answer } = device.make(await begin(eve))
    expect(await add(ada, answer)).toMatchObject(EXPIRED)
    // With what the other browser holds, it is still for the other account.
    const session = ada.state.cookie.split('; ').find((pair) => pair.includes('docent-session'))
    const challenge = eve.state.cookie.split('; ').find((pair) => pair.includes('docent-passkey'))
    const cookie = `${session}; ${challenge}`
    const body = { name: 'Key', passkey: answer }
    expect(await send(app, 'POST', '/account/passkeys', { ...OWN_PAGE, cookie }, body)).toMatchObject(EXPIRED)
    expect((await add(eve, answer)).status).toBe(200)
    expect(await app.services.db.selectFrom('passkey').select('account_id').execute()).toEqual([
      { account_id: eve.accountId },
    ])
  })

  test('pages of other sites cannot ask', async () => {
    const { app } = await start()
    const { device, passkey } = await withPasskey(app)
    const own = await asked(app)
    const foreign = { cookie: own.state.cookie, 'sec-fetch-site': 'cross-site' }
    const body = { passkey: device.sign(passkey, own.options) }
    expect((await send(app, 'POST', '/session/passkey', foreign, body)).status).toBe(403)
    expect((await send(app, 'POST', '/session/passkey/challenge', foreign, {})).status).toBe(403)
  })

  test('a session that was planted in the browser ends with the sign-in', async () => {
    const { app } = await start()
    const { device, passkey } = await withPasskey(app)
    const eve = await join(app, { email: 'eve@example.com' })
    const own = await asked(app)
    const cookie = `${own.state.cookie}; ${eve.state.cookie}`
    const body = { passkey: device.sign(passkey, own.options) }
    expect((await send(app, 'POST', '/session/passkey', { ...OWN_PAGE, cookie }, body)).status).toBe(200)
    expect((await eve.call('GET', '/account')).status).toBe(401)
  })

  test('attempts are limited, from whatever address', async () => {
    const { app } = await start({ DOCENT_TRUSTED_PROXIES: '127.0.0.1' })
    const { device, passkey } = await withPasskey(app)
    const statuses: number[] = []
    for (let n = 0; n < 120; n++) {
      const headers = { ...OWN_PAGE, 'x-forwarded-for': `192.0.${n >> 6}.${n & 63}` }
      const body = { passkey: device.sign(passkey, { challenge: 'AAAA' }) }
      statuses.push((await send(app, 'POST', '/session/passkey', headers, body)).status)
    }
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(100)
    expect(statuses.at(-1)).toBe(429)
  })
})
