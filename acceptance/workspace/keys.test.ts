import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError } from '../support/api.ts'
import { makeKey, whoAmI } from '../support/make.ts'
import { anId, aTime, freshId, malformedIds } from '../support/values.ts'
import { until } from '../support/wait.ts'

let path: string
beforeAll(async () => {
  path = `/workspaces/${(await whoAmI()).workspace.id}/api-keys`
})

describe('making a key', () => {
  test('answers every field, and the key once', async () => {
    expect(await makeKey({ name: 'n', role: 'member', permissions: ['manage_agents'] })).toEqual(
      expect.objectContaining({
        id: anId,
        name: 'n',
        key: expect.any(String),
        prefix: expect.any(String),
        role: 'member',
        permissions: ['manage_agents'],
        expires_at: null,
        created_at: aTime,
        last_used_at: null,
      }),
    )
  })

  test('a key is dct_, 40 base-62 characters and a checksum of 6', async () => {
    expect((await makeKey({})).key).toMatch(/^dct_[0-9A-Za-z]{46}$/)
  })

  test('the prefix is its first 8 characters', async () => {
    const { key, prefix } = await makeKey({})
    expect(prefix).toBe(key.slice(0, 8))
  })

  test('it is a member without permissions by default', async () => {
    expect(await makeKey({})).toMatchObject({ role: 'member', permissions: [] })
  })

  test('owners and admins hold every permission', async () => {
    const all = ['create_knowledgebase', 'manage_agents', 'manage_keys']
    for (const role of ['admin', 'owner'])
      expect((await makeKey({ role })).permissions).toEqual(expect.arrayContaining(all))
  })

  test('works at once', async () => {
    const made = await makeKey({ name: 'n', role: 'admin' })
    expect(dataOf(await apiOf(made.key).get('/me')).key).toMatchObject({ id: made.id, name: 'n', role: 'admin' })
  })

  test('with an expiry in the future it works until then', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const made = await makeKey({ expires_at })
    expect(made.expires_at).toBe(expires_at)
    expect((await apiOf(made.key).get('/me')).status).toBe(200)
  })

  test('it ends when it expires', async () => {
    const { key } = await makeKey({ expires_at: new Date(Date.now() + 2_500).toISOString() })
    await until('expired', async () => (await apiOf(key).get('/me')).status === 401)
  })

  test('wrong fields are 400', () =>
    everyRow(
      [
        ['no name', { name: undefined }],
        ['an empty name', { name: '' }],
        ['an unknown role', { role: 'king' }],
        ['an unknown permission', { permissions: ['fly'] }],
        ['permissions that are no list', { permissions: 'manage_keys' }],
        ['an expiry that is no time', { expires_at: 'tomorrow' }],
        ['a number as expiry', { expires_at: 1 }],
      ],
      async (_, fields) => expectError(await api.post(path, { name: 'n', ...fields }), 400, 'VALIDATION_ERROR'),
    ))
})

describe('listing keys', () => {
  test('shows what a key is, and never the key', async () => {
    const { key, ...made } = await makeKey({})
    const reply = await api.get(path)
    expect(dataOf(reply).api_keys[0]).toEqual(made)
    expect(reply.text).not.toContain(key)
  })

  test('has total, page, page_size and has_more', async () => {
    await makeKey({})
    await makeKey({})
    const data = dataOf(await api.get(`${path}?page_size=1`))
    expect(data).toMatchObject({ page: 1, page_size: 1, has_more: true, total: expect.any(Number) })
    expect(data.api_keys).toHaveLength(1)
  })

  test('tells when a key was last used', async () => {
    const made = await makeKey({})
    await apiOf(made.key).get('/me')
    const used = await until('recorded', async () =>
      dataOf(await api.get(path)).api_keys.find((one: any) => one.id === made.id && one.last_used_at),
    )
    expect(used.last_used_at).toEqual(aTime)
  })
})

describe('revoking a key', () => {
  test('it stops working within 5 seconds', async () => {
    const made = await makeKey({})
    const its = apiOf(made.key)
    await its.get('/me')
    expect((await api.delete(`${path}/${made.id}`)).status).toBe(200)
    await until('refused', async () => (await its.get('/me')).status === 401)
    expectError(await its.get('/me'), 401, 'UNAUTHORIZED')
  })

  test('twice is 404 API_KEY_NOT_FOUND', async () => {
    const { id } = await makeKey({})
    await api.delete(`${path}/${id}`)
    expectError(await api.delete(`${path}/${id}`), 404, 'API_KEY_NOT_FOUND')
  })

  test('an id that is not there is 404 API_KEY_NOT_FOUND', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(await api.delete(`${path}/${id}`), 404, 'API_KEY_NOT_FOUND'),
    ))
})

describe('rotating a key', () => {
  const rotate = (id: string, body: object = {}) => api.post(`${path}/${id}/rotate`, body)

  test('gives it a new secret and keeps its id; both secrets work for a day', async () => {
    const made = await makeKey({ permissions: ['manage_agents'] })
    await apiOf(made.key).get('/me')
    const rotated = dataOf(await rotate(made.id))
    expect(rotated).toMatchObject({ id: made.id, name: made.name, permissions: ['manage_agents'] })
    expect(rotated.key).toMatch(/^dct_[0-9A-Za-z]{46}$/)
    expect(rotated.key).not.toBe(made.key)
    const day = Date.parse(rotated.earlier_secret_until) - Date.now()
    expect(day).toBeGreaterThan(86_000_000)
    expect(day).toBeLessThanOrEqual(86_400_000)
    for (const key of [made.key, rotated.key]) expect(dataOf(await apiOf(key).get('/me')).key.id).toBe(made.id)
  })

  test('without overlap the earlier secret ends within 5 seconds, and the new one works at once', async () => {
    const made = await makeKey({})
    await apiOf(made.key).get('/me')
    const { key } = dataOf(await rotate(made.id, { overlap_seconds: 0 }))
    expect((await apiOf(key).get('/me')).status).toBe(200)
    await until('refused', async () => (await apiOf(made.key).get('/me')).status === 401)
  })

  test('a second time ends the secret before the earlier one', async () => {
    const made = await makeKey({})
    const second = dataOf(await rotate(made.id))
    const third = dataOf(await rotate(made.id))
    await until('refused', async () => (await apiOf(made.key).get('/me')).status === 401)
    for (const { key } of [second, third]) expect((await apiOf(key).get('/me')).status).toBe(200)
  })

  test('the earlier secret ends when its time is over', async () => {
    const made = await makeKey({})
    await rotate(made.id, { overlap_seconds: 2 })
    expect((await apiOf(made.key).get('/me')).status).toBe(200)
    await until('refused', async () => (await apiOf(made.key).get('/me')).status === 401)
  })

  test('wrong overlaps are 400', async () => {
    const { id } = await makeKey({})
    await everyRow([-1, 2_592_001, 1.5, '60', null], async (overlap_seconds) =>
      expectError(await rotate(id, { overlap_seconds }), 400, 'VALIDATION_ERROR'),
    )
    expectError(await rotate(id, { overlap: 1 }), 400, 'VALIDATION_ERROR')
  })

  test('an id that is not there is 404 API_KEY_NOT_FOUND', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(await rotate(id), 404, 'API_KEY_NOT_FOUND'),
    ))
})

describe('changing a key', () => {
  const update = (id: string, fields: object) => api.patch(`${path}/${id}`, fields)

  test('name, expiry and rate limit change, and what is left out stays', async () => {
    const { key, ...made } = await makeKey({ name: 'before' })
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    expect(dataOf(await update(made.id, { name: 'after', expires_at }))).toEqual({ ...made, name: 'after', expires_at })
    const rate_limit = { per_second: 2, burst: 5 }
    expect(dataOf(await update(made.id, { rate_limit }))).toMatchObject({ name: 'after', expires_at, rate_limit })
    const cleared = dataOf(await update(made.id, { rate_limit: null, expires_at: null }))
    expect(cleared).toEqual({ ...made, name: 'after' })
    expect((await apiOf(key).get('/me')).status).toBe(200)
  })

  test('its own rate limit holds it, and it alone', async () => {
    const limited = await makeKey({ rate_limit: { per_second: 0.01, burst: 3 } })
    const free = await makeKey({})
    const statuses: number[] = []
    for (let sent = 0; sent < 5; sent++) statuses.push((await apiOf(limited.key).get('/me')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const refused = await apiOf(limited.key).get('/me')
    expectError(refused, 429, 'RATE_LIMITED')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await apiOf(free.key).get('/me')).status).toBe(200)
  })

  test('wrong fields are 400', async () => {
    const { id } = await makeKey({})
    await everyRow(
      [
        ['an empty name', { name: '' }],
        ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }],
        ['a rate limit without burst', { rate_limit: { per_second: 1 } }],
        ['a rate limit of nothing', { rate_limit: { per_second: 0, burst: 0 } }],
        ['an unknown field', { title: 'x' }],
        ['a role', { role: 'owner' }],
      ],
      async (_, fields) => expectError(await update(id, fields), 400, 'VALIDATION_ERROR'),
    )
  })

  test('an id that is not there is 404 API_KEY_NOT_FOUND', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(await update(id, { name: 'x' }), 404, 'API_KEY_NOT_FOUND'),
    ))
})

describe('who may', () => {
  test('a member without manage_keys is 403', async () => {
    const member = apiOf((await makeKey({})).key)
    expectError(await member.get(path), 403, 'FORBIDDEN')
    expectError(await member.post(path, { name: 'x' }), 403, 'FORBIDDEN')
    expectError(await member.delete(`${path}/${freshId()}`), 403, 'FORBIDDEN')
    expectError(await member.patch(`${path}/${freshId()}`, { name: 'x' }), 403, 'FORBIDDEN')
    expectError(await member.post(`${path}/${freshId()}/rotate`, {}), 403, 'FORBIDDEN')
  })

  test('a member with manage_keys can neither rotate nor change a key that may more', async () => {
    const member = apiOf((await makeKey({ permissions: ['manage_keys'] })).key)
    for (const fields of [{ role: 'admin' }, { permissions: ['manage_agents'] }]) {
      const { id } = await makeKey(fields)
      expectError(await member.post(`${path}/${id}/rotate`, {}), 403, 'FORBIDDEN')
      expectError(await member.patch(`${path}/${id}`, { name: 'x' }), 403, 'FORBIDDEN')
    }
  })

  test('a narrowed key can neither rotate nor change keys', async () => {
    const narrowed = apiOf((await makeKey({ role: 'admin', scopes: { operations: ['apiKeys.*'] } })).key)
    const { id } = await makeKey({})
    expectError(await narrowed.post(`${path}/${id}/rotate`, {}), 403, 'FORBIDDEN')
    expectError(await narrowed.patch(`${path}/${id}`, { name: 'x' }), 403, 'FORBIDDEN')
  })

  test('a member with manage_keys may list', async () => {
    const member = apiOf((await makeKey({ permissions: ['manage_keys'] })).key)
    expect((await member.get(path)).status).toBe(200)
  })

  test('a member with manage_keys cannot make an admin or an owner', () =>
    everyRow(['admin', 'owner'], async (role) => {
      const member = apiOf((await makeKey({ permissions: ['manage_keys'] })).key)
      expectError(await member.post(path, { name: 'x', role }), 403, 'FORBIDDEN')
    }))

  test('a member cannot give a permission that it does not hold', async () => {
    const member = apiOf((await makeKey({ permissions: ['manage_keys'] })).key)
    expectError(await member.post(path, { name: 'x', permissions: ['manage_agents'] }), 403, 'FORBIDDEN')
  })

  test('a workspace that is not there is 403', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(await api.get(`/workspaces/${id}/api-keys`), 403, 'FORBIDDEN'),
    ))
})
