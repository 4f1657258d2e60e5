import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

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

test('metadata takes 16 KiB as JSON and not a byte more', async () => {
  const { create } = await start()
  const fitting = 'x'.repeat(16 * 1024 - '{"a":""}'.length)
  expect((await create({ email: 'a@example.com', metadata: { a: fitting } })).status).toBe(200)
  expect((await create({ email: 'b@example.com', metadata: { a: `${fitting}x` } })).status).toBe(422)
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
