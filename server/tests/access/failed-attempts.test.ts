import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { startTestApp } from '../support/test-app.ts'

/** Limit so low that a slow machine earns no attempt back in between. */
const FEW = { DOCENT_FAILED_ATTEMPTS: '3' }
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

async function start(settings: Record<string, string> = {}) {
  const app = await startTestApp({ DOCENT_TRUSTED_PROXIES: '127.0.0.1', ...settings })
  const from = (address: string, headers: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...headers })
  /** Sends something that fails, so many times at once. @returns how often each status came */
  async function fail(count: number, send: (i: number) => Promise<{ status: number }>) {
    const replies = await Promise.all(Array.from({ length: count }, (_, i) => send(i)))
    return Map.groupBy(replies, ({ status }) => status)
  }
  const withKey = (address: string, key: string) => app.call('GET', '/me', undefined, { key, headers: from(address) })
  return { ...app, from, fail, withKey }
}

test('more than 100 failed keys a minute from one address are told to wait, and good ones go on', async () => {
  const { fail, withKey, owner } = await start()
  const here = '81.2.69.142'
  const failed = await fail(300, (i) => withKey(here, `dct_guess${i}`))
  expect(failed.get(401)!.length).toBeGreaterThanOrEqual(100)
  expect(failed.get(429)!.length).toBeGreaterThan(0)
  expect(failed.size).toBe(2)
  const { status, headers, body } = (await failed.get(429)![0]) as Awaited<ReturnType<typeof withKey>>
  expect([status, body.error_code]).toEqual([429, 'RATE_LIMITED'])
  expect(body.message).toMatch(/^More than 100 keys or sign-ins a minute failed from this address; wait \d+ s$/)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await withKey(here, owner.apiKey)).status).toBe(200)
  expect((await withKey('81.2.69.143', 'dct_guess')).status).toBe(401)
})

test.each([
  ['sign-ins', 'POST', '/session', (i: number) => ({ body: { api_key: `dct_guess${i}` }, headers: OWN_PAGE })],
  ['sessions', 'GET', '/me', (i: number) => ({ headers: { ...OWN_PAGE, cookie: cookieOf(`guess${i}`) } })],
  [
    'looks at a session',
    'GET',
    '/session',
    (i: number) => ({ headers: { ...OWN_PAGE, cookie: cookieOf(`guess${i}`) } }),
  ],
  ['tokens of visitors', 'GET', '/me', (i: number) => ({ headers: { authorization: `Bearer dcv_a.b.c.${i}` } })],
])('%s count as well', async (_what, method, path, requestOf) => {
  const { fail, from, url, services, owner } = await start(FEW)
  const port = new URL(url).port
  const send = (i: number) => {
    const { body, headers } = requestOf(i) as { body?: object; headers: Record<string, string> }
    return fetch(`${url}/v1${path}`, {
      method,
      headers: {
        ...from('81.2.69.142', headers),
        ...(headers.cookie && { cookie: headers.cookie.replace('PORT', port) }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
  const statuses = new Set((await fail(30, send)).keys())
  expect(statuses).toEqual(new Set([path === '/session' && method === 'GET' ? 200 : 401, 429]))
  const key = await addKey({ services, owner }, { role: 'member' })
  const signIn = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers: from('81.2.69.142', { ...OWN_PAGE, 'content-type': 'application/json' }),
    body: JSON.stringify({ api_key: key }),
  })
  expect(signIn.status).toBe(200)
})

test('all addresses of one /64 count as one', async () => {
  const { fail, withKey } = await start(FEW)
  await fail(10, (i) => withKey(`2a00:1450:4001:82a::${(i + 1).toString(16)}`, `dct_guess${i}`))
  const again = await fail(20, (i) => withKey(`2a00:1450:4001:82a:ffff::${i}`, `dct_other${i}`))
  expect([...again.keys()]).toContain(429)
  expect((await withKey('2a00:1450:4001:82b::1', 'dct_guess')).status).toBe(401)
})

test('requests without any key do not count, nor do refusals of what a good key may not do', async () => {
  const { fail, from, call, services, owner } = await start()
  const headers = from('81.2.69.142')
  const key = await addKey({ services, owner }, { role: 'member' })
  expect([...(await fail(150, () => call('GET', '/me', undefined, { key: null, headers }))).keys()]).toEqual([401])
  const log = `/workspaces/${owner.workspaceId}/audit-log`
  expect([...(await fail(150, () => call('GET', log, undefined, { key, headers }))).keys()]).toEqual([403])
})

const cookieOf = (token: string) => `docent-session-PORT=${token}`

test('any number may fail where the setting says so', async () => {
  const { fail, withKey } = await start({ DOCENT_FAILED_ATTEMPTS: '0' })
  expect([...(await fail(150, (i) => withKey('81.2.69.142', `dct_guess${i}`))).keys()]).toEqual([401])
})
