import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError, request } from '../support/api.ts'
import { target } from '../support/target.ts'
import { anId } from '../support/values.ts'

describe('GET /me', () => {
  test('says which organization, workspace and key this is', async () => {
    expect(dataOf(await api.get('/me'))).toMatchObject({
      organization: { id: anId, name: expect.any(String) },
      workspace: { id: anId, name: expect.any(String) },
      key: { id: anId, name: expect.any(String), role: 'owner', permissions: expect.any(Array) },
    })
  })

  test('an owner holds every permission', async () => {
    expect(dataOf(await api.get('/me')).key.permissions).toEqual(
      expect.arrayContaining(['create_knowledgebase', 'manage_agents', 'manage_keys']),
    )
  })

  test('does not tell the key itself', async () => {
    expect((await api.get('/me')).text).not.toContain(target.key)
  })
})

describe('authentication', () => {
  test('the key goes in x-api-key', async () => {
    expect((await request('GET', '/v1/me', { headers: { 'x-api-key': target.key } })).status).toBe(200)
  })

  test('Authorization: Bearer works too', async () => {
    expect((await request('GET', '/v1/me', { headers: { authorization: `Bearer ${target.key}` } })).status).toBe(200)
  })

  test('wrong keys are 401 UNAUTHORIZED', () =>
    everyRow(
      [
        ['no key', {}],
        ['an empty key', { 'x-api-key': '' }],
        ['a wrong key', { 'x-api-key': 'dct_wrong' }],
        ['a key with one other character', { 'x-api-key': target.key.replace(/.$/, (c) => (c === 'a' ? 'b' : 'a')) }],
        ['a key in other case', { 'x-api-key': target.key.toUpperCase() }],
        ['a wrong bearer token', { authorization: 'Bearer dct_wrong' }],
        ['Basic authentication', { authorization: `Basic ${btoa(`key:${target.key}`)}` }],
        ['the key without Bearer', { authorization: target.key }],
      ],
      async (_, headers) =>
        expectError(
          await request('GET', '/v1/me', { headers: headers as Record<string, string> }),
          401,
          'UNAUTHORIZED',
        ),
    ))

  test('a key in the URL never works, whatever its name', () =>
    everyRow(['api_key', 'x-api-key', 'key', 'apikey', 'access_token'], async (name) =>
      expectError(await request('GET', `/v1/me?${name}=${encodeURIComponent(target.key)}`), 401, 'UNAUTHORIZED'),
    ))

  test('the refusal does not repeat the wrong key', async () => {
    const reply = await request('GET', '/v1/me', { headers: { 'x-api-key': 'dct_secretsecretsecret' } })
    expect(reply.text).not.toContain('secretsecret')
  })
})
