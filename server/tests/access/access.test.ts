import { expect, test } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { addKey } from '../support/access/keys.ts'
import { manualClock } from '../support/clock.ts'
import { UNKNOWN_ID } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const UNAUTHORIZED = { status: 401, body: { error_code: 'UNAUTHORIZED', message: expect.any(String) } }

test('GET /me tells who a key stands for', async () => {
  const { call, owner } = await startTestApp()
  const { status, body } = await call('GET', '/me')
  expect(status).toBe(200)
  const id = expect.stringMatching(/^[0-9a-f]{24}$/)
  expect(body).toEqual({
    data: {
      organization: { id: owner.organizationId, name: 'Test' },
      workspace: { id: owner.workspaceId, name: 'Main' },
      key: {
        id,
        name: 'Owner',
        role: 'owner',
        permissions: expect.arrayContaining(['create_knowledgebase']),
        scopes: null,
      },
      member: null,
      needs_second_factor: false,
      limits: { upload_bytes: 100 * 1024 * 1024, upload_seconds: 24 * 60 * 60 },
    },
  })
})

test('GET /me of a member shows only what it was given', async () => {
  const app = await startTestApp()
  const key = await addKey(app, { role: 'member', permissions: ['manage_agents'] })
  const { body } = await app.call('GET', '/me', undefined, { key })
  expect(body.data.key).toMatchObject({ role: 'member', permissions: ['manage_agents'] })
})

test('wrong keys are 401', async () => {
  const { call } = await startTestApp()
  await everyRow(
    [
      ['no key', {}],
      ['an empty key', { 'x-api-key': '' }],
      ['an unknown key', { 'x-api-key': 'dct_nothing' }],
      ['a bearer without a key', { authorization: 'Bearer ' }],
      ['an unknown bearer', { authorization: 'Bearer dct_nothing' }],
      ['a key as basic credentials', { authorization: `Basic ${btoa('OWNER:')}` }],
    ],
    async (_name, headers) =>
      expect(await call('GET', '/me', undefined, { key: null, headers })).toMatchObject(UNAUTHORIZED),
  )
})

test('Authorization: Bearer does as well as x-api-key, which wins', async () => {
  const { call, owner } = await startTestApp()
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${owner.apiKey}` }
    expect((await call('GET', '/me', undefined, { key: null, headers })).status).toBe(200)
  }
  const headers = { authorization: `Bearer ${owner.apiKey}` }
  expect(await call('GET', '/me', undefined, { key: 'wrong', headers })).toMatchObject(UNAUTHORIZED)
})

test('a key in the URL or in a cookie is none', async () => {
  const { call, owner, url } = await startTestApp()
  for (const name of ['api_key', 'x-api-key', 'key', 'access_token']) {
    expect(await call('GET', `/me?${name}=${owner.apiKey}`, undefined, { key: null })).toMatchObject(UNAUTHORIZED)
  }
  const cookie = { cookie: `x-api-key=${owner.apiKey}` }
  expect(await call('GET', '/me', undefined, { key: null, headers: cookie })).toMatchObject(UNAUTHORIZED)
  const inUserInfo = await fetch(`${url}/v1/me`, { headers: { authorization: `Basic ${btoa(`${owner.apiKey}:`)}` } })
  expect(inUserInfo.status).toBe(401)
})

test('a mistyped key is distinguished from an unknown one', async () => {
  const { call, owner } = await startTestApp()
  const mistyped = owner.apiKey.slice(0, -1) + (owner.apiKey.endsWith('x') ? 'y' : 'x')
  expect((await call('GET', '/me', undefined, { key: mistyped })).body.message).toMatch(/mistyped/)
  expect((await call('GET', '/me', undefined, { key: 'chosen-by-someone' })).body.message).toMatch(/not known/)
})

test('a key works until the moment it expires', async () => {
  const clock = manualClock()
  const app = await startTestApp({}, { clock })
  const key = await addKey(app, { role: 'member' })
  const expires_at = new Date(clock().getTime() + 10_000).toISOString()
  await app.services.db.updateTable('api_key').set({ expires_at }).where('role', '=', 'member').execute()
  const me = () => app.call('GET', '/me', undefined, { key })
  expect((await me()).status).toBe(200)
  clock.pass(9_000)
  expect((await me()).status).toBe(200)
  clock.pass(999)
  expect((await me()).status).toBe(200)
  clock.pass(1)
  expect(await me()).toMatchObject({ status: 401, body: { message: 'This API key has expired' } })
})

test('a revoked key works for three seconds at most', async () => {
  const clock = manualClock()
  const app = await startTestApp({}, { clock })
  const key = await addKey(app, { role: 'member' })
  const me = () => app.call('GET', '/me', undefined, { key })
  expect((await me()).status).toBe(200)
  const revoked_at = clock().toISOString()
  await app.services.db.updateTable('api_key').set({ revoked_at }).where('role', '=', 'member').execute()
  clock.pass(3_000)
  expect(await me()).toMatchObject({ status: 401, body: { message: 'This API key was revoked' } })
})

test('the use of a key is recorded, once a minute and not once a request', async () => {
  const clock = manualClock()
  const { call, services } = await startTestApp({}, { clock })
  const lastUse = () =>
    expect.poll(async () => (await services.db.selectFrom('api_key').select('last_used_at').execute())[0]!.last_used_at)
  await Promise.all(Array.from({ length: 20 }, () => call('GET', '/me')))
  const first = clock().toISOString()
  await lastUse().toBe(first)
  clock.pass(30_000)
  await call('GET', '/me')
  await lastUse().toBe(first)
  clock.pass(31_000)
  await call('GET', '/me')
  await lastUse().toBe(clock().toISOString())
})

test('only the hash and the first characters of a key are stored', async () => {
  const { services, owner } = await startTestApp({}, { alone: true })
  const [row] = await services.db.selectFrom('api_key').selectAll().execute()
  expect(row!.prefix).toBe(owner.apiKey.slice(0, 8))
  expect(row!.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(row)).not.toContain(owner.apiKey.slice(0, 12))
})

test('the route comes first, then the key, the permission, the body, and what it is about', async () => {
  const app = await startTestApp()
  const { call } = app
  const member = await addKey(app, { role: 'member' })
  const bad = { name: 5 }
  const path = `/agents/${UNKNOWN_ID}`
  expect(await call('PATCH', '/nothing', bad, { key: null })).toMatchObject({ status: 404 })
  expect(await call('PUT', path, bad, { key: null })).toMatchObject({ status: 405 })
  expect(await call('PATCH', path, bad, { key: null })).toMatchObject({ status: 401 })
  expect(await call('PATCH', path, bad, { key: member })).toMatchObject({ status: 403 })
  expect(await call('PATCH', path, bad)).toMatchObject({ status: 400 })
  expect(await call('PATCH', path, { name: 'ok' })).toMatchObject({ status: 404 })
})

test('a key that sends too much is told how long to wait, before its permissions are looked at', async () => {
  const app = await startTestApp({ DOCENT_RATE_LIMIT: '0.1', DOCENT_RATE_BURST: '2' })
  const key = await addKey(app, { role: 'member' })
  const send = () => app.call('POST', '/agents', {}, { key })
  const first = await send()
  expect(first.status).toBe(403)
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=20')
  expect(first.headers.get('ratelimit')).toBe('"default";r=1;t=10')
  await send()
  const refused = await send()
  expect(refused).toMatchObject({ status: 429, body: { error_code: 'RATE_LIMITED' } })
  const retryAfter = Number(refused.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThanOrEqual(9)
  expect(retryAfter).toBeLessThanOrEqual(10)
  expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${retryAfter}`)
  expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=2;w=20')
  // Another key, and nobody's request, are not held up by it.
  expect((await app.call('GET', '/me')).status).toBe(200)
  expect((await app.call('GET', '/me', undefined, { key: 'wrong' })).status).toBe(401)
})

test('HEAD wants a key like GET, and answers without a body', async () => {
  const { url, owner } = await startTestApp()
  const head = (headers: Record<string, string>) => fetch(`${url}/v1/me/`, { method: 'HEAD', headers })
  const [without, withKey] = [await head({}), await head({ 'x-api-key': owner.apiKey })]
  expect([without.status, await without.text()]).toEqual([401, ''])
  expect([withKey.status, await withKey.text()]).toEqual([200, ''])
  expect(Number(withKey.headers.get('content-length'))).toBeGreaterThan(100)
})

test('health answers without a key and needs none', async () => {
  const { url } = await startTestApp()
  for (const path of ['/healthz', '/readyz']) {
    const reply = await fetch(url + path)
    const version = path === '/healthz' ? { version: VERSION } : {}
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok', ...version }])
  }
})
