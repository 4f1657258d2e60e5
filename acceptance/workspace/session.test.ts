import { expect, test } from 'vitest'
import { api, dataOf, expectError, request } from '../support/api.ts'
import { makeKey } from '../support/make.ts'
import { target } from '../support/target.ts'
import { aTime } from '../support/values.ts'

const OWN_PAGE = { 'x-docent-session': '1' }

async function signIn(key = target.key) {
  const reply = await request('POST', '/v1/session', { headers: OWN_PAGE, body: { api_key: key } })
  const cookie = reply.headers.getSetCookie()[0] ?? ''
  return { reply, cookie, headers: { ...OWN_PAGE, cookie: cookie.split(';')[0]! } }
}

test('a key opens a session, whose cookie no script can read', async () => {
  const { reply, cookie, headers } = await signIn()
  expect(dataOf(reply)).toEqual({
    state: 'signed_in',
    reason: null,
    identity: dataOf(await api.get('/me')),
    created_at: aTime,
    expires_at: aTime,
    second_factors: [],
  })
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+/)
  expect(cookie).not.toContain(target.key)
  expect(reply.text).not.toContain(target.key)
  expect(dataOf(await request('GET', '/v1/me', { headers }))).toEqual(dataOf(await api.get('/me')))
})

test('without the header of our own pages the cookie is worth nothing', async () => {
  const { headers } = await signIn()
  const { cookie } = headers
  expectError(await request('GET', '/v1/me', { headers: { cookie } }), 403, 'FORBIDDEN')
  expectError(await request('POST', '/v1/session', { body: { api_key: target.key } }), 403, 'FORBIDDEN')
})

test('a wrong key opens none', async () => {
  const { reply, cookie } = await signIn('dct_wrong')
  expectError(reply, 401, 'UNAUTHORIZED')
  expect(cookie).toBe('')
  expectError(await request('POST', '/v1/session', { headers: OWN_PAGE, body: {} }), 400, 'VALIDATION_ERROR')
})

test('signing out ends it at the server', async () => {
  const { headers } = await signIn()
  expect(dataOf(await request('DELETE', '/v1/session', { headers })).state).toBe('signed_out')
  expectError(await request('GET', '/v1/me', { headers }), 401, 'UNAUTHORIZED')
  expect(dataOf(await request('GET', '/v1/session', { headers })).state).toBe('signed_out')
})

test('revoking the key ends its sessions', async () => {
  const { id, key } = await makeKey({})
  const { headers } = await signIn(key)
  const { workspace } = dataOf(await api.get('/me'))
  await api.delete(`/workspaces/${workspace.id}/api-keys/${id}`)
  await expect.poll(async () => (await request('GET', '/v1/me', { headers })).status, { timeout: 6_000 }).toBe(401)
})

test('nobody who never signed in has a session', async () => {
  expect(dataOf(await request('GET', '/v1/session', { headers: OWN_PAGE }))).toEqual({
    state: 'signed_out',
    reason: null,
    identity: null,
    created_at: null,
    expires_at: null,
    second_factors: [],
  })
})
