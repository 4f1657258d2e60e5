import { expect, test } from 'vitest'
import { everyRow } from './support/every-row.ts'
import { addKey } from './support/keys.ts'
import { startTestApp } from './support/test-app.ts'

async function start() {
  const app = await startTestApp()
  const path = `/workspaces/${app.owner.workspaceId}/virtual-users`
  const create = (fields: Record<string, unknown>) => app.call('POST', path, fields)
  return { ...app, path, create }
}

test('a virtual user is created with what was given and nothing else', async () => {
  const { create, owner } = await start()
  const { status, body } = await create({ email: 'Ada@Example.com', name: ' Ada L. ', origin: 'crm' })
  expect(status).toBe(200)
  expect(body).toEqual({
    data: {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      organization_id: owner.organizationId,
      email: 'Ada@Example.com',
      name: 'Ada L.',
      origin: 'crm',
      metadata: {},
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: null,
    },
  })
})

test('what is left out of a new profile is null or empty', async () => {
  const { create } = await start()
  const { body } = await create({ email: 'a@example.com', unknown: 1 })
  expect(body.data).toMatchObject({ name: null, origin: null, metadata: {} })
})

test('the same e-mail in another case gives the existing profile, unchanged', async () => {
  const { create } = await start()
  const first = await create({ email: 'ada@example.com', name: 'Ada', metadata: { a: 1 } })
  const second = await create({ email: ' ADA@example.COM ', name: 'Other', origin: 'x', metadata: { b: 2 } })
  expect(second.status).toBe(200)
  expect(second.body).toEqual(first.body)
})

test('a removed profile is gone everywhere, and its e-mail brings it back as it was', async () => {
  const { create, call, path } = await start()
  const { body } = await create({ email: 'ada@example.com', name: 'Ada' })
  const removed = await call('DELETE', `${path}/${body.data.id}`)
  expect(removed).toMatchObject({ status: 200, body: { data: { deleted: true } } })

  expect((await call('GET', path)).body.data.virtual_users).toEqual([])
  for (const [method, fields] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
    const reply = await call(method, `${path}/${body.data.id}`, fields)
    expect(reply).toMatchObject({ status: 404, body: { error_code: 'VIRTUAL_USER_NOT_FOUND' } })
  }
  const restored = await create({ email: 'ADA@example.com', name: 'Other' })
  expect(restored.body).toEqual(body)
  expect((await call('GET', `${path}/${body.data.id}`)).body).toEqual(body)
})

test('keys and text values of metadata are lower-cased at every depth, other values stay', async () => {
  const { create } = await start()
  const { body } = await create({
    email: 'a@example.com',
    metadata: { Team: 'Sales', Deep: { List: ['A', { B: 'C' }], Num: 1.5, Yes: true, None: null } },
  })
  expect(body.data.metadata).toEqual({
    team: 'sales',
    deep: { list: ['a', { b: 'c' }], num: 1.5, yes: true, none: null },
  })
})

test('metadata takes 16 KiB as JSON and not a byte more', async () => {
  const { create } = await start()
  const fitting = 'x'.repeat(16 * 1024 - '{"a":""}'.length)
  expect((await create({ email: 'a@example.com', metadata: { a: fitting } })).status).toBe(200)
  expect((await create({ email: 'b@example.com', metadata: { a: `${fitting}x` } })).status).toBe(422)
})

test('wrong fields are refused with 422', async () => {
  const { create } = await start()
  await everyRow(
    [
      ['no e-mail', {}],
      ['an empty e-mail', { email: '' }],
      ['a blank e-mail', { email: '  ' }],
      ['an e-mail without a domain', { email: 'ada@' }],
      ['an e-mail without a name', { email: '@example.com' }],
      ['an e-mail with a blank in it', { email: 'a da@example.com' }],
      ['an e-mail that is a number', { email: 5 }],
      ['an e-mail that is null', { email: null }],
      ['an e-mail of 255 characters', { email: `${'a'.repeat(243)}@example.com` }],
      ['a name of 257 characters', { email: 'a@example.com', name: 'x'.repeat(257) }],
      ['an origin of 257 characters', { email: 'a@example.com', origin: 'x'.repeat(257) }],
      ['a name that is a number', { email: 'a@example.com', name: 5 }],
      ['metadata that is a list', { email: 'a@example.com', metadata: [] }],
      ['metadata that is null', { email: 'a@example.com', metadata: null }],
      ['metadata that is text', { email: 'a@example.com', metadata: 'x' }],
      ['text that cannot be stored', { email: 'a@example.com', metadata: { a: 'x\u0000' } }],
    ],
    async (_what, fields) =>
      expect(await create(fields)).toMatchObject({ status: 422, body: { error_code: 'VALIDATION_ERROR' } }),
  )
})

test('an e-mail of 254 characters, a name and an origin of 256 are taken', async () => {
  const { create } = await start()
  const email = `${'a'.repeat(242)}@example.com`
  expect(email).toHaveLength(254)
  const { status } = await create({ email, name: 'x'.repeat(256), origin: 'x'.repeat(256) })
  expect(status).toBe(200)
})

test('a body that is no JSON is 400, one that is no object 422', async () => {
  const { url, path, owner, call } = await start()
  const headers = { 'x-api-key': owner.apiKey, 'content-type': 'application/json' }
  const broken = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: '{"email":' })
  expect(broken.status).toBe(400)
  expect(((await broken.json()) as any).error_code).toBe('VALIDATION_ERROR')
  expect((await call('POST', path, [])).status).toBe(422)
  expect((await call('POST', path)).status).toBe(422)
})

test('the list is newest first, paged, and counts all', async () => {
  const { create, call, path } = await start()
  for (const name of ['a', 'b', 'c']) await create({ email: `${name}@example.com` })
  const first = await call('GET', `${path}?page_size=2`)
  expect(first.body.data.virtual_users.map((user: any) => user.email)).toEqual(['c@example.com', 'b@example.com'])
  expect(first.body.data.pagination).toEqual({ page: 0, page_size: 2, total_count: 3 })
  const second = await call('GET', `${path}?page_size=2&page=1`)
  expect(second.body.data.virtual_users.map((user: any) => user.email)).toEqual(['a@example.com'])
  const past = await call('GET', `${path}?page=9`)
  expect(past.body.data).toEqual({ virtual_users: [], pagination: { page: 9, page_size: 50, total_count: 3 } })
})

test('wrong parameters of the list are refused with 422', async () => {
  const { call, path } = await start()
  await everyRow(
    ['page=-1', 'page=1.5', 'page=abc', 'page_size=0', 'page_size=201', 'email=nobody', `search=${'x'.repeat(257)}`],
    async (query) => expect((await call('GET', `${path}?${query}`)).status).toBe(422),
  )
})

test('page sizes 1 and 200 and a search of 256 characters are taken', async () => {
  const { call, path } = await start()
  for (const query of ['page_size=1', 'page_size=200', `search=${'x'.repeat(256)}`]) {
    expect((await call('GET', `${path}?${query}`)).status).toBe(200)
  }
})

test('an e-mail is found exactly, whatever its case; an unknown one gives an empty list', async () => {
  const { create, call, path } = await start()
  await create({ email: 'ada@example.com' })
  await create({ email: 'ada@example.com.org' })
  const found = await call('GET', `${path}?email=ADA@example.com`)
  expect(found.body.data.virtual_users.map((user: any) => user.email)).toEqual(['ada@example.com'])
  expect(found.body.data.pagination.total_count).toBe(1)
  expect((await call('GET', `${path}?email=bob@example.com`)).body.data.virtual_users).toEqual([])
})

test('a search finds parts of e-mail, name and origin, whatever their case, and takes wildcards literally', async () => {
  const { create, call, path } = await start()
  await create({ email: 'one@example.com', name: 'Jörg Straße' })
  await create({ email: 'two_x@example.com', origin: 'Billing 100%' })
  const search = async (text: string) =>
    (await call('GET', `${path}?search=${encodeURIComponent(text)}`)).body.data.virtual_users.map((u: any) => u.email)
  expect(await search('JÖRG')).toEqual(['one@example.com'])
  expect(await search('STRASSE')).toEqual(['one@example.com'])
  expect(await search('bill')).toEqual(['two_x@example.com'])
  expect(await search('ONE@')).toEqual(['one@example.com'])
  expect(await search('o_x')).toEqual(['two_x@example.com'])
  expect(await search('o_e')).toEqual([])
  expect(await search('0%')).toEqual(['two_x@example.com'])
  expect(await search('%e')).toEqual([])
  expect(await search('')).toHaveLength(2)
})

test('an update changes what it names; null clears; metadata is replaced as a whole', async () => {
  const { create, call, path } = await start()
  const { body } = await create({ email: 'a@example.com', name: 'A', origin: 'crm', metadata: { a: 1, b: 2 } })
  const at = `${path}/${body.data.id}`
  const renamed = await call('PATCH', at, { name: 'B' })
  expect(renamed.body.data).toMatchObject({ name: 'B', origin: 'crm', metadata: { a: 1, b: 2 } })
  expect(renamed.body.data.updated_at).toEqual(expect.any(String))
  const cleared = await call('PATCH', at, { name: null, origin: null, metadata: { C: 'D' } })
  expect(cleared.body.data).toMatchObject({ name: null, origin: null, metadata: { c: 'd' } })
  expect((await call('PATCH', at, { metadata: {} })).body.data.metadata).toEqual({})
  expect((await call('GET', at)).body.data).toMatchObject({ email: 'a@example.com', name: null, metadata: {} })
  expect((await call('GET', `${path}?search=crm`)).body.data.virtual_users).toEqual([])
})

test('wrong updates are refused with 422 and change nothing', async () => {
  const { create, call, path } = await start()
  const { body } = await create({ email: 'a@example.com', name: 'A' })
  await everyRow(
    [
      { email: 'b@example.com' },
      { email: null },
      { name: 5 },
      { name: 'x'.repeat(257) },
      { origin: [] },
      { metadata: null },
    ],
    async (changes) => {
      expect((await call('PATCH', `${path}/${body.data.id}`, changes)).status).toBe(422)
      expect((await call('GET', `${path}/${body.data.id}`)).body).toEqual(body)
    },
  )
})

test('a malformed id is 422, an unknown one 404', async () => {
  const { call, path } = await start()
  for (const method of ['GET', 'DELETE']) {
    expect((await call(method, `${path}/nonsense`)).status).toBe(422)
    expect(await call(method, `${path}/0123456789abcdef01234567`)).toMatchObject({
      status: 404,
      body: { error_code: 'VIRTUAL_USER_NOT_FOUND' },
    })
  }
  expect((await call('PATCH', `${path}/0123456789ABCDEF01234567`, {})).status).toBe(422)
})

test('only admins and owners of the very workspace may use it; that is checked before the fields', async () => {
  const { call, path, owner, services } = await start()
  const other = await services.access.createOrganization('Other')
  const forbidden = { status: 403, body: { error_code: 'FORBIDDEN' } }
  expect(await call('GET', path, undefined, { key: other.apiKey })).toMatchObject(forbidden)
  expect(await call('POST', `/workspaces/${other.workspaceId}/virtual-users`, {})).toMatchObject(forbidden)
  expect(await call('GET', '/workspaces/nonsense/virtual-users?page=x')).toMatchObject(forbidden)
  const member = await addKey({ services, owner }, { role: 'member', permissions: ['manage_agents'] })
  expect(await call('GET', path, undefined, { key: member })).toMatchObject(forbidden)
  const admin = await addKey({ services, owner }, { role: 'admin' })
  expect((await call('GET', path, undefined, { key: admin })).status).toBe(200)
  expect(await call('GET', path, undefined, { key: null })).toMatchObject({ status: 401 })
})

test('the virtual users of one workspace are not those of another', async () => {
  const { create, call, services } = await start()
  const { body } = await create({ email: 'a@example.com' })
  const other = await services.access.createOrganization('Other')
  const at = `/workspaces/${other.workspaceId}/virtual-users`
  expect((await call('GET', `${at}/${body.data.id}`, undefined, { key: other.apiKey })).status).toBe(404)
  const same = await call('POST', at, { email: 'a@example.com' }, { key: other.apiKey })
  expect(same.body.data.id).not.toBe(body.data.id)
})

test('fifty requests at once for one e-mail make one profile', async () => {
  const { create, call, path } = await start()
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => create({ email: index % 2 ? 'ADA@example.com' : 'ada@example.com' })),
  )
  expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1)
  expect((await call('GET', path)).body.data.pagination.total_count).toBe(1)
})
