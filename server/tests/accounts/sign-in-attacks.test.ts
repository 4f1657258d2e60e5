import { describe, expect, test } from 'vitest'
import { browser, join, OWN_PAGE, PASSWORD, send, tokenOf } from '../support/access/people.ts'
import { manualClock } from '../support/clock.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const WRONG = 'eleven glazes on a shelf'
const attempt = (app: TestApp, email: string, password = WRONG) =>
  send(app, 'POST', '/session/password', OWN_PAGE, { email, password })
/** Settings for requests through a proxy, which names the address of the client. */
const PROXY = { DOCENT_TRUSTED_PROXIES: '127.0.0.1' }
const attemptFrom = (app: TestApp, address: string, email: string, password = WRONG) =>
  send(app, 'POST', '/session/password', { ...OWN_PAGE, 'x-forwarded-for': address }, { email, password })

/** Answer without what differs from request to request. */
const told = ({ status, headers, cookies, body }: Awaited<ReturnType<typeof send>>) => {
  const { date, 'x-request-id': _id, ...others } = headers
  return { status, headers: others, cookies, body }
}

describe('who has an account', () => {
  test('is not told by the answer to a sign-in', async () => {
    const app = await startTestApp()
    await join(app, { email: 'ada@example.com' })
    const known = await attempt(app, 'ada@example.com')
    expect(known).toMatchObject({ status: 401, cookies: [], body: { error_code: 'UNAUTHORIZED' } })
    expect(told(await attempt(app, 'eve@example.com'))).toEqual(told(known))
  })

  test('is not told by the work that a sign-in takes: each hashes one password', async () => {
    const app = await startTestApp()
    await join(app, { email: 'ada@example.com' })
    // Without a password, as after single sign-on.
    await join(app, { email: 'sso@example.com' })
    await app.services.db
      .updateTable('account')
      .set({ password_hash: null })
      .where('email', '=', 'sso@example.com')
      .execute()
    const spent = async (email: string) => {
      const times: number[] = []
      for (let i = 0; i < 8; i++) {
        const before = process.cpuUsage()
        expect((await attempt(app, email)).status).toBe(401)
        const { user, system } = process.cpuUsage(before)
        times.push(user + system)
      }
      return times.sort((a, b) => a - b)[3]!
    }
    const known = await spent('ada@example.com')
    // Without the hash a sign-in takes a tenth of the processor time: a third tells the two apart, on any machine.
    for (const email of ['eve@example.com', 'sso@example.com']) expect(await spent(email)).toBeGreaterThan(known / 3)
  })

  test('is not told by the limits', async () => {
    const app = await startTestApp(PROXY)
    await join(app, { email: 'ada@example.com' })
    const until429 = async (email: string) => {
      for (let count = 1; ; count++) {
        const reply = await attemptFrom(app, '192.0.2.1', email)
        if (reply.status === 429) return { count, message: reply.body.message.replace(/\d+ s/, 'N s') }
      }
    }
    expect(await until429('ada@example.com')).toEqual(await until429('eve@example.com'))
  })

  test('is not told by an invitation: a weak password is refused before anybody looks', async () => {
    const app = await startTestApp()
    await join(app, { email: 'ada@example.com' })
    const { url } = (await app.call('POST', `/invitations`, {})).body.data
    const accept = (email: string, password: string) =>
      send(app, 'POST', '/invitations/accept', OWN_PAGE, { token: tokenOf(url), email, name: 'Eve', password })
    const known = await accept('ada@example.com', 'password1')
    expect(known).toMatchObject({ status: 400, body: { error_code: 'WEAK_PASSWORD' } })
    expect(told(await accept('eve@example.com', 'password1'))).toEqual(told(known))
    expect(await accept('ada@example.com', WRONG)).toMatchObject({ status: 401, cookies: [] })
  })
})

describe('guessing', () => {
  test('10,000 guesses from one address: at most 60 are looked at, and after them not even the right one', async () => {
    const app = await startTestApp()
    const ada = await join(app, { email: 'ada@example.com' })
    const statuses = new Map<number, number>()
    for (let i = 0; i < 10_000; i += 100) {
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, j) =>
          attempt(app, i === 9_900 && j === 99 ? ada.email : `${i + j}@example.com`, PASSWORD),
        ),
      )
      for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(statuses.get(200)).toBeUndefined()
    // Tokens given back while they run, however long that takes on a loaded machine.
    expect(statuses.get(401)).toBeLessThan(1_000)
    // Sessions that are open continue.
    expect((await ada.call('GET', '/me')).status).toBe(200)
  })

  test('one account from one address: ten at once, then one a minute, and the right password waits as well', async () => {
    const app = await startTestApp(PROXY)
    await join(app, { email: 'ada@example.com' })
    const replies = []
    for (let i = 0; i < 12; i++) replies.push((await attemptFrom(app, '192.0.2.1', 'ada@example.com')).status)
    expect(replies.slice(0, 10)).toEqual(Array(10).fill(401))
    const right = await attemptFrom(app, '192.0.2.1', 'ada@example.com', PASSWORD)
    expect(right).toMatchObject({ status: 429, cookies: [], body: { error_code: 'RATE_LIMITED' } })
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
    // The owner signs in from elsewhere: one address keeps nobody out.
    expect((await attemptFrom(app, '192.0.2.2', 'ada@example.com', PASSWORD)).status).toBe(200)
    // An IPv6 network counts as one.
    for (let i = 0; i < 10; i++) await attemptFrom(app, `2001:db8::${i + 1}`, 'ada@example.com')
    expect((await attemptFrom(app, '2001:db8::ffff', 'ada@example.com')).status).toBe(429)
  })

  test('one account from many addresses: a hundred at once', async () => {
    const app = await startTestApp(PROXY)
    await join(app, { email: 'ada@example.com' })
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, i) => attemptFrom(app, `192.0.2.${i % 250}`, 'ada@example.com')),
    )
    const looked = replies.filter(({ status }) => status === 401).length
    expect(looked).toBeGreaterThanOrEqual(99)
    expect(looked).toBeLessThan(200)
  })

  test('the password is limited in the account page, too', async () => {
    const app = await startTestApp()
    const ada = await join(app, { email: 'ada@example.com' })
    const statuses = []
    for (let i = 0; i < 12; i++)
      statuses.push((await ada.call('PUT', '/account/password', { password: WRONG, new_password: WRONG })).status)
    expect(statuses).toContain(429)
    expect((await ada.call('POST', '/account/deletion', { password: PASSWORD })).status).toBe(429)
  })

  test('tokens of links that are not valid count as keys that fail', async () => {
    const app = await startTestApp({ DOCENT_FAILED_ATTEMPTS: '3' })
    for (const path of ['/invitations/look', '/invitations/accept', '/password-links/use']) {
      const body = { token: 'x'.repeat(43), ...(path !== '/invitations/look' && { password: PASSWORD }) }
      const person = path === '/invitations/accept' ? { email: 'eve@example.com', name: 'Eve' } : {}
      expect((await send(app, 'POST', path, OWN_PAGE, { ...body, ...person })).status).toBe(404)
    }
    expect((await send(app, 'POST', '/invitations/look', OWN_PAGE, { token: 'y' })).status).toBe(429)
  })
})

test('fixation: a token that was planted before never stands for whoever signs in', async () => {
  const app = await startTestApp()
  const ada = await join(app, { email: 'ada@example.com' })
  // A session of the attacker's own, put into the browser of the victim.
  const eve = await join(app, { email: 'eve@example.com', role: 'member' })
  const planted = eve.state.cookie
  const reply = await send(
    app,
    'POST',
    '/session/password',
    { ...OWN_PAGE, cookie: planted },
    { email: ada.email, password: PASSWORD },
  )
  expect(reply.status).toBe(200)
  const given = reply.cookies[0]!.split(';')[0]!
  expect(given).not.toBe(planted)
  expect((await send(app, 'GET', '/me', { ...OWN_PAGE, cookie: planted })).status).toBe(401)
  // A token that never was a session does not become one.
  const name = planted.split('=')[0]!
  const made = `${name}=${'A'.repeat(43)}`
  await send(app, 'POST', '/session/password', { ...OWN_PAGE, cookie: made }, { email: ada.email, password: PASSWORD })
  expect((await send(app, 'GET', '/me', { ...OWN_PAGE, cookie: made })).status).toBe(401)
})

describe('pages of somebody else', () => {
  test.each([
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['of a sibling host', { origin: 'http://other.localhost', 'sec-fetch-site': 'same-site' }],
    ['with the header that only our pages may send', { 'sec-fetch-site': 'cross-site', ...OWN_PAGE }],
    ['in an old browser', { origin: 'https://evil.example' }],
  ])('%s can neither sign in, use links, nor act for who is signed in', async (_name, headers) => {
    const app = await startTestApp()
    const ada = await join(app, { email: 'ada@example.com' })
    const { url } = (await app.call('POST', `/invitations`, {})).body.data
    const token = tokenOf(url)
    const withCookie = { ...headers, cookie: ada.state.cookie }
    for (const [method, path, body] of [
      ['POST', '/session/password', { email: ada.email, password: PASSWORD }],
      ['POST', '/invitations/look', { token }],
      ['POST', '/invitations/accept', { token, email: 'eve@example.com', name: 'Eve', password: PASSWORD }],
      ['POST', '/password-links/use', { token, password: PASSWORD }],
      ['POST', '/account/invitations', { token }],
      ['PUT', '/account/password', { password: PASSWORD, new_password: WRONG }],
      ['PUT', '/account/workspace', { workspace_id: app.owner.workspaceId }],
      ['POST', '/account/api-keys', { name: 'Planted' }],
      ['POST', '/account/deletion', { password: PASSWORD }],
      ['DELETE', '/account/sessions', undefined],
      ['POST', `/invitations`, { role: 'owner' }],
    ] as const) {
      const reply = await send(app, method, path, withCookie, body)
      expect(reply, `${method} ${path}`).toMatchObject({ status: 403, cookies: [], body: { error_code: 'FORBIDDEN' } })
    }
    expect((await ada.call('GET', '/me')).status).toBe(200)
    expect(await app.services.db.selectFrom('member').selectAll().execute()).toHaveLength(1)
  })
})

test('passwords that are easy to guess, or hold what is known of the person, are refused with the reason', async () => {
  const app = await startTestApp()
  const path = `/invitations`
  const { url } = (await app.call('POST', path, {})).body.data
  const accept = (password: string) =>
    browser(app).call('POST', '/invitations/accept', {
      token: tokenOf(url),
      email: 'lovelace@analytical.example',
      name: 'Augusta Lovelace',
      password,
    })
  for (const password of ['short', 'Passw0rd!', 'qwertyuiop', 'lovelace1815', 'analytical99', 'Augusta2026!'])
    expect(await accept(password), password).toMatchObject({
      status: 400,
      body: {
        error_code: 'WEAK_PASSWORD',
        message: expect.stringMatching(/^This password is too easy to guess\. .+\.$/),
      },
    })
  // A long one is judged by its beginning, and does not keep the server busy.
  expect((await accept('a'.repeat(200))).status).toBe(400)
  expect((await accept('a'.repeat(201))).body.error_code).toBe('VALIDATION_ERROR')
  expect((await accept(PASSWORD)).status).toBe(200)
})

test('a session of an account ends when nobody uses it', async () => {
  const clock = manualClock()
  const app = await startTestApp({ DOCENT_SESSION_TTL: '3600' }, { clock })
  const ada = await join(app, { email: 'ada@example.com' })
  clock.pass(3_600_000)
  expect((await ada.call('GET', '/me')).status).toBe(401)
})
