import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { manualClock } from '../support/clock.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

const OWN_PAGE = { 'x-docent-session': '1' }
const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Reply {
  status: number
  cookies: string[]
  body: any
}

/**
 * Sends a request as a browser does: only the headers given here, including those that fetch would not let us choose.
 */
function send(app: TestApp, method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const text = body === undefined ? undefined : JSON.stringify(body)
  const json = text === undefined ? {} : { 'content-type': 'application/json' }
  const request = httpRequest(`${app.url}/v1${path}`, { method, headers: { ...json, ...headers } }, async (reply) => {
    const chunks = await reply.toArray()
    const read = Buffer.concat(chunks).toString()
    resolve({ status: reply.statusCode!, cookies: reply.headers['set-cookie'] ?? [], body: JSON.parse(read || 'null') })
  })
  request.on('error', reject)
  request.end(text)
  return promise
}

/** Signs in, and gives the cookie as a browser sends it. */
async function signIn(app: TestApp, key = app.owner.apiKey, headers: Record<string, string> = OWN_PAGE) {
  const reply = await send(app, 'POST', '/session', headers, { api_key: key })
  expect(reply.status).toBe(200)
  return { reply, cookie: reply.cookies[0]!.split(';')[0]! }
}

const withSession = (cookie: string, headers: Record<string, string> = OWN_PAGE) => ({ cookie, ...headers })

test('a key is traded for a cookie that no script can read, and that stands for the key', async () => {
  const app = await startTestApp()
  const { reply, cookie } = await signIn(app)
  expect(reply.body.data).toMatchObject({
    state: 'signed_in',
    reason: null,
    identity: { organization: { id: app.owner.organizationId }, key: { role: 'owner' } },
    expires_at: expect.stringMatching(/Z$/),
  })
  const { port } = new URL(app.url)
  expect(reply.cookies).toEqual([
    expect.stringMatching(
      new RegExp(`^docent-session-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000$`),
    ),
  ])
  const me = await send(app, 'GET', '/me', withSession(cookie))
  expect(me.body).toEqual((await app.call('GET', '/me')).body)
  const made = await send(app, 'POST', '/knowledge-bases', withSession(cookie), { knowledge_base_name: 'Mine' })
  expect(made.status).toBe(200)
  expect((await send(app, 'GET', '/session', withSession(cookie))).body.data).toEqual(reply.body.data)
})

test('neither the token nor the key is stored', async () => {
  const app = await startTestApp({}, { alone: true })
  const { cookie } = await signIn(app)
  const rows = await app.services.db.selectFrom('web_session').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1])
  expect(JSON.stringify(rows)).not.toContain(app.owner.apiKey)
})

test('over https the cookie is secure and of this host alone', async () => {
  const app = await startTestApp({ DOCENT_PUBLIC_URL: 'https://docent.example.com' })
  const host = 'docent.example.com'
  const secure = expect.stringMatching(/^__Host-docent-session=\S+; Path=\/; .*; Secure$/)
  const { reply, cookie } = await signIn(app, undefined, { ...OWN_PAGE, host })
  expect(reply.cookies).toEqual([secure])
  expect((await send(app, 'GET', '/me', withSession(cookie, { ...OWN_PAGE, host }))).status).toBe(200)
  const byOrigin = await signIn(app, undefined, { ...OWN_PAGE, host, origin: 'https://docent.example.com' })
  expect(byOrigin.reply.cookies).toEqual([secure])
  // Somebody who goes past the proxy: a secure cookie would be thrown away.
  const past = await signIn(app, undefined, { ...OWN_PAGE, host: '10.0.0.5:3000', origin: 'http://10.0.0.5:3000' })
  expect(past.reply.cookies[0]).not.toContain('Secure')
})

test('a wrong key opens no session, and says so', async () => {
  const app = await startTestApp()
  const reply = await send(app, 'POST', '/session', OWN_PAGE, { api_key: 'dct_wrong' })
  expect(reply).toMatchObject({ status: 401, cookies: [], body: { error_code: 'UNAUTHORIZED' } })
  expect(await send(app, 'POST', '/session', OWN_PAGE, {})).toMatchObject({
    status: 400,
    body: { error_code: 'VALIDATION_ERROR', details: [{ path: 'api_key' }] },
  })
})

describe('a page of somebody else', () => {
  const elsewhere = { origin: 'https://evil.example' }
  test('who comes from elsewhere cannot use the session', async () => {
    const app = await startTestApp()
    const { cookie } = await signIn(app)
    await everyRow(
      [
        ['of another site', { ...elsewhere, 'sec-fetch-site': 'cross-site' }],
        ['of a sibling host', { origin: 'http://other.localhost', 'sec-fetch-site': 'same-site' }],
        [
          'of another site, with the header that only our pages may send',
          { 'sec-fetch-site': 'cross-site', ...OWN_PAGE },
        ],
        ['in an old browser', elsewhere],
        ['that is opened from a bookmark', { 'sec-fetch-site': 'none' }],
        ['with another value in the header', { 'x-docent-session': 'yes' }],
      ],
      async (_name, headers) => {
        for (const [method, path, body] of [
          ['GET', '/me'],
          ['GET', '/session'],
          ['POST', '/knowledge-bases', { knowledge_base_name: 'Planted' }],
          ['POST', '/session', { api_key: app.owner.apiKey }],
          ['DELETE', '/session'],
        ] as const) {
          const reply = await send(app, method, path, withSession(cookie, headers), body)
          expect(reply, `${method} ${path}`).toMatchObject({
            status: 403,
            cookies: [],
            body: { error_code: 'FORBIDDEN' },
          })
        }
        const folders = await app.call('GET', '/knowledge-bases')
        expect(folders.body.data.org_knowledge_bases).toEqual([])
        expect((await send(app, 'GET', '/me', withSession(cookie))).status).toBe(200)
      },
    )
  })

  test('gets no permission to send the header: there is no CORS', async () => {
    const app = await startTestApp()
    const reply = await fetch(`${app.url}/v1/me`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-docent-session',
      },
    })
    const granted = [...reply.headers].filter(([name]) => name.startsWith('access-control'))
    expect(granted).toEqual([])
  })

  test('a key in a header needs none of this', async () => {
    const app = await startTestApp()
    const headers = { ...elsewhere, 'sec-fetch-site': 'cross-site', 'x-api-key': app.owner.apiKey }
    expect((await send(app, 'GET', '/me', headers)).status).toBe(200)
  })
})

test('what browsers mark as of the same origin needs no header: images and downloads', async () => {
  const app = await startTestApp()
  const { cookie } = await signIn(app)
  expect((await send(app, 'GET', '/me', withSession(cookie, { 'sec-fetch-site': 'same-origin' }))).status).toBe(200)
})

test('a key in the header wins over the session', async () => {
  const app = await startTestApp()
  const { cookie } = await signIn(app)
  const member = await addKey(app, { role: 'member' })
  const me = await send(app, 'GET', '/me', { ...withSession(cookie), 'x-api-key': member })
  expect(me.body.data.key.role).toBe('member')
  expect((await send(app, 'GET', '/me', { ...withSession(cookie), 'x-api-key': 'wrong' })).status).toBe(401)
})

test('signing out ends the session at the server, and clears the cookie', async () => {
  const app = await startTestApp({}, { alone: true })
  const { cookie } = await signIn(app)
  await send(app, 'GET', '/me', withSession(cookie))
  const out = await send(app, 'DELETE', '/session', withSession(cookie))
  expect(out).toMatchObject({ status: 200, body: { data: { state: 'signed_out', reason: null, identity: null } } })
  expect(out.cookies).toEqual([expect.stringContaining('Max-Age=0'), expect.stringContaining('Max-Age=0')])
  expect(await send(app, 'GET', '/me', withSession(cookie))).toMatchObject({ status: 401 })
  expect(await app.services.db.selectFrom('web_session').selectAll().execute()).toEqual([])
  expect((await send(app, 'DELETE', '/session', OWN_PAGE)).status).toBe(200)
})

test('signing in again ends the session that the browser had', async () => {
  const app = await startTestApp()
  const first = await signIn(app)
  const second = await signIn(app, undefined, withSession(first.cookie))
  expect((await send(app, 'GET', '/me', withSession(first.cookie))).status).toBe(401)
  expect((await send(app, 'GET', '/me', withSession(second.cookie))).status).toBe(200)
})

test('a session ends with its key, and says why', async () => {
  const app = await startTestApp()
  const key = await addKey(app, { role: 'member' })
  const { cookie } = await signIn(app, key)
  const keyId = (await send(app, 'GET', '/me', withSession(cookie))).body.data.key.id
  await app.call('DELETE', `/workspaces/${app.owner.workspaceId}/api-keys/${keyId}`)
  expect(await send(app, 'GET', '/me', withSession(cookie))).toMatchObject({
    status: 401,
    body: { error_code: 'UNAUTHORIZED', message: 'This API key was revoked' },
  })
  const state = await send(app, 'GET', '/session', withSession(cookie))
  expect(state.body.data).toMatchObject({ state: 'signed_out', reason: 'This API key was revoked' })
  expect(state.cookies[0]).toContain('Max-Age=0')
})

test('a key that another process revokes ends its sessions within 3 s; one that expires, at that moment', async () => {
  const clock = manualClock()
  const app = await startTestApp({}, { clock })
  const key = await addKey(app, { role: 'member' })
  const { cookie } = await signIn(app, key)
  const me = async () => (await send(app, 'GET', '/me', withSession(cookie))).status
  const change = (values: object) =>
    app.services.db.updateTable('api_key').set(values).where('role', '=', 'member').execute()
  await change({ expires_at: new Date(clock().getTime() + 10_000).toISOString() })
  expect(await me()).toBe(200)
  clock.pass(9_999)
  expect(await me()).toBe(200)
  clock.pass(1)
  expect(await me()).toBe(401)
  await change({ expires_at: null })
  expect(await me()).toBe(200)
  await change({ revoked_at: clock().toISOString() })
  clock.pass(3_000)
  expect(await me()).toBe(401)
})

test('a session that is used goes on, one that is not ends, and after 30 days every one does', async () => {
  const clock = manualClock()
  const app = await startTestApp({ DOCENT_SESSION_TTL: '3600' }, { clock })
  const { cookie } = await signIn(app)
  const me = async () => (await send(app, 'GET', '/me', withSession(cookie))).status
  const end = async () =>
    (await app.services.db.selectFrom('web_session').select('expires_at').execute())[0]?.expires_at
  const began = clock().getTime()
  clock.pass(HOUR - 1)
  expect(await me()).toBe(200)
  await expect.poll(end).toBe(new Date(clock().getTime() + HOUR).toISOString())
  await app.services.db
    .updateTable('web_session')
    .set({ expires_at: new Date(began + 30 * DAY).toISOString() })
    .execute()
  clock.pass(30 * DAY - HOUR)
  expect(await me()).toBe(200)
  await expect.poll(end).toBe(new Date(began + 30 * DAY).toISOString())
  clock.pass(HOUR)
  const state = await send(app, 'GET', '/session', withSession(cookie))
  expect(state.body.data).toMatchObject({ state: 'signed_out', reason: expect.stringContaining('sign in again') })
})

test('the role, the scopes and the rate limit of the key hold in its sessions', async () => {
  const app = await startTestApp({ DOCENT_RATE_LIMIT: '0.001', DOCENT_RATE_BURST: '3' })
  const scopes = { operations: ['session.get', 'me.get', 'knowledgeBases.list'] }
  const path = `/workspaces/${app.owner.workspaceId}/api-keys`
  const { body } = await app.call('POST', path, { name: 'Narrow', scopes })
  const { cookie } = await signIn(app, body.data.key)
  const status = async (method: string, at: string) => (await send(app, method, at, withSession(cookie), {})).status
  expect(await status('POST', '/agents')).toBe(403)
  expect(await status('POST', '/knowledge-bases')).toBe(403)
  expect((await send(app, 'GET', '/me', withSession(cookie))).status).toBe(200)
  expect((await send(app, 'GET', '/me', withSession(cookie))).status).toBe(429)
})
