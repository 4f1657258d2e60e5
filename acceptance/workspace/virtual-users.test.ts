import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError } from '../support/api.ts'
import { makeKey, whoAmI } from '../support/make.ts'
import { anId, aTime, freshId, malformedIds, unique, uniqueEmail } from '../support/values.ts'

let path: string
let organizationId: string

beforeAll(async () => {
  const { workspace, organization } = await whoAmI()
  path = `/workspaces/${workspace.id}/virtual-users`
  organizationId = organization.id
})

const create = async (fields: object = {}) => dataOf(await api.post(path, { email: uniqueEmail(), ...fields }))
const list = async (query = '') => dataOf(await api.get(`${path}${query}`))
const find = (email: string) => list(`?email=${encodeURIComponent(email)}`)

describe('creating a virtual user', () => {
  test('answers every field of the contract', async () => {
    const email = uniqueEmail()
    expect(await create({ email, name: ' Ada ', origin: 'crm', metadata: { team: 'a' } })).toEqual({
      id: anId,
      organization_id: organizationId,
      email,
      name: 'Ada',
      origin: 'crm',
      metadata: { team: 'a' },
      created_at: aTime,
      updated_at: null,
    })
  })

  test('needs nothing but an e-mail', async () => {
    expect(await create({ colour: 'blue' })).toMatchObject({ name: null, origin: null, metadata: {}, updated_at: null })
  })

  test('the e-mail is returned as first given, trimmed', async () => {
    const email = uniqueEmail()
    expect((await create({ email: `  ${email} ` })).email).toBe(email)
  })

  test('an e-mail that exists, in any case, answers the existing profile unchanged', async () => {
    const first = await create({ name: 'Ada', metadata: { a: 1 } })
    const again = await create({
      email: ` ${first.email.toUpperCase()} `,
      name: 'Eve',
      origin: 'x',
      metadata: { b: 2 },
    })
    expect(again).toEqual(first)
  })

  test('of 50 creations of one e-mail at once one profile is made', async () => {
    const email = uniqueEmail()
    const spelled = (index: number) => (index % 2 ? email.toUpperCase() : email)
    const made = await Promise.all(Array.from({ length: 50 }, (_, index) => create({ email: spelled(index) })))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect((await find(email)).pagination.total_count).toBe(1)
  })

  test('keys and text values of metadata are lower-cased at every depth, other values stay', async () => {
    const metadata = { Team: 'BLUE', Deep: { List: ['ÄB', 1, true, null, { X: 'Y' }] }, n: 1.5 }
    expect((await create({ metadata })).metadata).toEqual({
      team: 'blue',
      deep: { list: ['äb', 1, true, null, { x: 'y' }] },
      n: 1.5,
    })
  })

  test('name and origin of 256 characters are taken', async () => {
    const long = 'x'.repeat(256)
    expect(await create({ name: long, origin: long })).toMatchObject({ name: long, origin: long })
  })

  test('an e-mail of 254 characters is taken', async () => {
    const [local, domain] = uniqueEmail().split('@') as [string, string]
    const label = 'd'.repeat(60)
    const rest = [label, label, label].join('.')
    const email = `${local}@${'e'.repeat(254 - local.length - rest.length - domain.length - 3)}.${rest}.${domain}`
    expect(email.length).toBe(254)
    expect((await create({ email })).email).toBe(email)
  })

  test('a removed profile with the e-mail is restored with its id and fields', async () => {
    const made = await create({ name: 'Ada', origin: 'crm', metadata: { a: 1 } })
    await api.delete(`${path}/${made.id}`)
    expect(await create({ email: made.email.toUpperCase(), name: 'Eve' })).toEqual(made)
    expect((await find(made.email)).virtual_users.length).toBe(1)
  })

  test('wrong fields are 422 VALIDATION_ERROR', () =>
    everyRow(
      [
        ['no e-mail', {}],
        ['an empty e-mail', { email: '' }],
        ['a blank e-mail', { email: '  ' }],
        ['an e-mail without a name', { email: '@example.com' }],
        ['an e-mail of 255 characters', { email: `${'a'.repeat(243)}@example.com` }],
        ['null as metadata', { email: 'a@example.com', metadata: null }],
        ['a zero character in metadata', { email: 'a@example.com', metadata: { a: 'x\u0000' } }],
        ['a list instead of an object', []],
        ['no body', undefined],
        ['null as e-mail', { email: null }],
        ['a number as e-mail', { email: 5 }],
        ['an e-mail without @', { email: 'nobody' }],
        ['an e-mail without a domain', { email: 'a@' }],
        ['an e-mail with a blank inside', { email: 'a b@example.com' }],
        ['an e-mail of more than 254 characters', { email: `${'a'.repeat(250)}@example.com` }],
        ['a name of 257 characters', { email: 'a@example.com', name: 'x'.repeat(257) }],
        ['a number as name', { email: 'a@example.com', name: 1 }],
        ['an origin of 257 characters', { email: 'a@example.com', origin: 'x'.repeat(257) }],
        ['metadata that is a list', { email: 'a@example.com', metadata: [] }],
        ['metadata that is text', { email: 'a@example.com', metadata: 'x' }],
        ['metadata of more than 16 KiB', { email: 'a@example.com', metadata: { a: 'x'.repeat(16 * 1024) } }],
        ['a zero character', { email: 'a@example.com', name: 'a\u0000' }],
      ],
      async (_, body) => expectError(await api.post(path, body), 422, 'VALIDATION_ERROR'),
    ))

  test('the details name the field', async () => {
    const { body } = await api.post(path, { email: 'nobody' })
    expect(body.details).toEqual([{ path: 'email', message: expect.any(String) }])
  })

  test('malformed JSON is 400 here too', async () => {
    expectError(await api.post(path, '{"email":'), 400, 'VALIDATION_ERROR')
  })
})

describe('listing virtual users', () => {
  test('puts virtual_users and pagination under data', async () => {
    await create()
    const data = await list()
    expect(data).toMatchObject({
      virtual_users: expect.any(Array),
      pagination: { page: 0, page_size: 50, total_count: expect.any(Number) },
    })
  })

  test('an item has the fields that create answers', async () => {
    const made = await create({ name: 'Ada', metadata: { a: 'b' } })
    expect((await find(made.email)).virtual_users).toEqual([made])
  })

  test('is newest first', async () => {
    const origin = unique('origin')
    const made = [await create({ origin }), await create({ origin }), await create({ origin })]
    const { virtual_users } = await list(`?search=${encodeURIComponent(origin)}`)
    expect(virtual_users.map((user: any) => user.id)).toEqual(made.map(({ id }) => id).reverse())
  })

  test('email matches exactly, whatever the case', async () => {
    const { id, email } = await create()
    await create({ email: `${email}.org` })
    expect((await find(email.toUpperCase())).virtual_users.map((user: any) => user.id)).toEqual([id])
    expect((await find(email.slice(1))).virtual_users).toEqual([])
  })

  test('an unknown e-mail is an empty list', async () => {
    expect(await find(uniqueEmail())).toMatchObject({ virtual_users: [], pagination: { total_count: 0 } })
  })

  test('search looks in e-mail, name and origin, whatever the case', () =>
    everyRow(['email', 'name', 'origin'], async (field) => {
      const mark = unique('Mark').replace(' ', '')
      const made = await create({ [field]: field === 'email' ? `${mark}@example.com` : `a ${mark} b` })
      const { virtual_users } = await list(`?search=${mark.slice(1).toUpperCase()}`)
      expect(virtual_users.map((user: any) => user.id)).toEqual([made.id])
    }))

  test('characters in search are no wildcards', () =>
    everyRow(['%', '_%', '*'], async (mark) => {
      const origin = unique('wild')
      await create({ origin })
      expect((await list(`?search=${encodeURIComponent(origin + mark)}`)).virtual_users).toEqual([])
    }))

  test('pages are 0-based and do not overlap', async () => {
    const origin = unique('paged')
    for (let i = 0; i < 3; i++) await create({ origin })
    const page = (n: number) => list(`?search=${encodeURIComponent(origin)}&page=${n}&page_size=2`)
    const [first, second, third] = [await page(0), await page(1), await page(2)]
    expect([first, second, third].map((data) => data.virtual_users.length)).toEqual([2, 1, 0])
    expect(second.pagination).toEqual({ page: 1, page_size: 2, total_count: 3 })
    expect(third.pagination).toEqual({ page: 2, page_size: 2, total_count: 3 })
    expect(new Set([...first.virtual_users, ...second.virtual_users].map((user: any) => user.id)).size).toBe(3)
  })

  test('page_size is taken from 1 to 200', () =>
    everyRow(['1', '200'], async (size) =>
      expect((await list(`?page_size=${size}`)).pagination.page_size).toBe(Number(size)),
    ))

  test('a search of 256 characters is taken', async () => {
    expect((await list(`?search=${'q'.repeat(256)}`)).virtual_users).toEqual([])
  })

  test('wrong parameters are 422', () =>
    everyRow(
      [
        'page=-1',
        'page=1.5',
        'page=abc',
        'page=',
        'page_size=0',
        'page_size=201',
        'page_size=ten',
        `search=${'x'.repeat(257)}`,
        'email=nobody',
        'email=',
      ],
      async (query) => expectError(await api.get(`${path}?${query}`), 422, 'VALIDATION_ERROR'),
    ))
})

describe('one virtual user', () => {
  test('is had by the id that create answered', async () => {
    const made = await create({ name: 'Ada' })
    expect(dataOf(await api.get(`${path}/${made.id}`))).toEqual(made)
  })

  test('a change sets updated_at and leaves the rest', async () => {
    const made = await create({ name: 'Ada', origin: 'crm', metadata: { a: 1 } })
    const changed = dataOf(await api.patch(`${path}/${made.id}`, { name: 'Eve' }))
    expect(changed).toEqual({ ...made, name: 'Eve', updated_at: aTime })
  })

  test('null clears name and origin', () =>
    everyRow(['name', 'origin'], async (field) => {
      const made = await create({ name: 'Ada', origin: 'crm' })
      expect(dataOf(await api.patch(`${path}/${made.id}`, { [field]: null }))[field]).toBeNull()
    }))

  test('metadata replaces all that was there, lower-cased', async () => {
    const made = await create({ metadata: { a: 1, b: 2 } })
    expect(dataOf(await api.patch(`${path}/${made.id}`, { metadata: { C: 'D' } })).metadata).toEqual({ c: 'd' })
  })

  test('metadata {} clears it', async () => {
    const made = await create({ metadata: { a: 1 } })
    expect(dataOf(await api.patch(`${path}/${made.id}`, { metadata: {} })).metadata).toEqual({})
  })

  test('an empty change is taken', async () => {
    const made = await create({ name: 'Ada' })
    expect(dataOf(await api.patch(`${path}/${made.id}`, {}))).toMatchObject({ id: made.id, name: 'Ada' })
  })

  test('wrong changes are 422', async () => {
    const made = await create()
    await everyRow(
      [
        ['an e-mail', { email: 'new@example.com' }],
        ['null as e-mail', { email: null }],
        ['a number as name', { name: 5 }],
        ['a list as origin', { origin: [] }],
        ['a name of 257 characters', { name: 'x'.repeat(257) }],
        ['a number as origin', { origin: 1 }],
        ['null as metadata', { metadata: null }],
        ['metadata of more than 16 KiB', { metadata: { a: 'x'.repeat(16 * 1024) } }],
      ],
      async (_, body) => expectError(await api.patch(`${path}/${made.id}`, body), 422, 'VALIDATION_ERROR'),
    )
  })

  test('an unknown field of a change is ignored', async () => {
    const made = await create()
    expect((await api.patch(`${path}/${made.id}`, { colour: 'blue' })).status).toBe(200)
  })

  test('delete answers {deleted: true}', async () => {
    const made = await create()
    expect(dataOf(await api.delete(`${path}/${made.id}`))).toEqual({ deleted: true })
  })

  test('a removed one is in no list', async () => {
    const made = await create()
    await api.delete(`${path}/${made.id}`)
    expect((await find(made.email)).virtual_users).toEqual([])
  })

  test('a removed one is 404 VIRTUAL_USER_NOT_FOUND for every method', () =>
    everyRow(['get', 'patch', 'delete'] as const, async (method) => {
      const made = await create()
      await api.delete(`${path}/${made.id}`)
      const reply = await api[method](`${path}/${made.id}`, method === 'patch' ? { name: 'x' } : undefined)
      expectError(reply, 404, 'VIRTUAL_USER_NOT_FOUND')
    }))

  test('an unknown one is 404 VIRTUAL_USER_NOT_FOUND for every method', () =>
    everyRow(['get', 'patch', 'delete'] as const, async (method) => {
      const reply = await api[method](`${path}/${freshId()}`, method === 'patch' ? { name: 'x' } : undefined)
      expectError(reply, 404, 'VIRTUAL_USER_NOT_FOUND')
    }))

  test('a malformed id is 422', () =>
    everyRow([...malformedIds, ['in capitals', '0123456789ABCDEF01234567']] as const, async (_, id) => {
      expectError(await api.get(`${path}/${id}`), 422, 'VALIDATION_ERROR')
      expectError(await api.patch(`${path}/${id}`, {}), 422, 'VALIDATION_ERROR')
      expectError(await api.delete(`${path}/${id}`), 422, 'VALIDATION_ERROR')
    }))
})

describe('who may', () => {
  test('a member is 403 FORBIDDEN on every endpoint', async () => {
    const made = await create()
    const member = apiOf((await makeKey({ role: 'member', permissions: ['manage_keys', 'manage_agents'] })).key)
    const replies = [
      await member.get(path),
      await member.post(path, { email: uniqueEmail() }),
      await member.get(`${path}/${made.id}`),
      await member.patch(`${path}/${made.id}`, { name: 'x' }),
      await member.delete(`${path}/${made.id}`),
    ]
    for (const reply of replies) expectError(reply, 403, 'FORBIDDEN')
  })

  test('an admin may', async () => {
    const admin = apiOf((await makeKey({ role: 'admin' })).key)
    expect((await admin.get(path)).status).toBe(200)
  })

  test('a workspace that is not there is 403', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(await api.get(`/workspaces/${id}/virtual-users`), 403, 'FORBIDDEN'),
    ))

  test('permission comes before validation', async () => {
    expectError(await api.post(`/workspaces/${freshId()}/virtual-users`, { email: 'bad' }), 403, 'FORBIDDEN')
  })
})
