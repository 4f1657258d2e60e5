import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { manualClock } from '../support/clock.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

async function start() {
  const clock = manualClock('2026-11-22T09:30:00.000Z')
  const app = await startTestApp({}, { clock, work: false })
  const { call, owner } = app
  const workspace = `/workspaces/${owner.workspaceId}`
  const path = `${workspace}/quotas`
  const set = (fields: object) => call('PUT', path, { subject: { type: 'workspace' }, period: 'day', ...fields })
  const newPerson = async (email: string) =>
    (await call('POST', `${workspace}/virtual-users`, { email })).body.data.id as string
  const newKey = async () => (await call('POST', `${workspace}/api-keys`, { name: 'Site' })).body.data.id as string
  return { ...app, clock, workspace, path, set, newPerson, newKey }
}

test('a quota is set, changed in place, listed and deleted', async () => {
  const { call, set, path, clock } = await start()
  const made = await set({ max_messages: 10 })
  expect(made.body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    subject: { type: 'workspace', id: null },
    period: 'day',
    max_messages: 10,
    max_tokens: null,
    max_cost_usd: null,
    used: { messages: 0, tokens: 0, cost_usd: 0 },
    resets_at: '2026-11-23T00:00:00.000Z',
    created_at: '2026-11-22T09:30:00.000Z',
    updated_at: '2026-11-22T09:30:00.000Z',
  })
  clock.pass(1000)
  const changed = await set({ max_tokens: 5_000, max_cost_usd: 0.25 })
  expect(changed.body.data).toEqual({
    ...made.body.data,
    max_messages: null,
    max_tokens: 5_000,
    max_cost_usd: 0.25,
    updated_at: '2026-11-22T09:30:01.000Z',
  })
  const monthly = await set({ period: 'month', max_messages: 0 })
  expect(monthly.body.data).toMatchObject({ resets_at: '2026-12-01T00:00:00.000Z', max_messages: 0 })
  const { data } = (await call('GET', path)).body
  expect(data).toEqual({
    quotas: [monthly.body.data, changed.body.data],
    total: 2,
    page: 1,
    page_size: 50,
    has_more: false,
  })
  expect((await call('DELETE', `${path}/${changed.body.data.id}`)).body).toEqual({ data: { deleted: true } })
  expect((await call('GET', path)).body.data.total).toBe(1)
  const again = await call('DELETE', `${path}/${changed.body.data.id}`)
  expect([again.status, again.body.error_code]).toEqual([404, 'QUOTA_NOT_FOUND'])
})

test('a key or a virtual user has its own, the latter by its id or its e-mail', async () => {
  const { set, newKey, newPerson } = await start()
  const [key, ada] = [await newKey(), await newPerson('Ada@example.com')]
  const subjectOf = async (subject: object) => (await set({ subject, max_messages: 1 })).body.data.subject
  expect(await subjectOf({ type: 'api_key', id: key })).toEqual({ type: 'api_key', id: key })
  expect(await subjectOf({ type: 'virtual_user', id: ada })).toEqual({ type: 'virtual_user', id: ada })
  expect(await subjectOf({ type: 'virtual_user', email: 'ada@EXAMPLE.com' })).toEqual({ type: 'virtual_user', id: ada })
  const everybody = await set({ subject: { type: 'any_virtual_user' }, max_messages: 1 })
  expect(everybody.body.data).toMatchObject({ subject: { type: 'any_virtual_user', id: null }, used: null })
})

test('subjects that are not there are 404', async () => {
  const { set, services, call, newKey, workspace } = await start()
  const code = async (subject: object) => {
    const { status, body } = await set({ subject, max_messages: 1 })
    return [status, body.error_code]
  }
  const id = services.newId()
  const revoked = await newKey()
  await call('DELETE', `${workspace}/api-keys/${revoked}`)
  expect(await code({ type: 'api_key', id })).toEqual([404, 'API_KEY_NOT_FOUND'])
  expect(await code({ type: 'api_key', id: revoked })).toEqual([404, 'API_KEY_NOT_FOUND'])
  expect(await code({ type: 'virtual_user', id })).toEqual([404, 'VIRTUAL_USER_NOT_FOUND'])
  expect(await code({ type: 'virtual_user', email: 'bob@example.com' })).toEqual([404, 'VIRTUAL_USER_NOT_FOUND'])
})

test('wrong fields are 400', async () => {
  const { set } = await start()
  await everyRow(
    [
      ['no limit', {}, 'max_messages'],
      ['a negative limit', { max_messages: -1 }, 'max_messages'],
      ['half a message', { max_messages: 1.5 }, 'max_messages'],
      ['a limit in words', { max_tokens: '5' }, 'max_tokens'],
      ['an unknown period', { max_messages: 1, period: 'week' }, 'period'],
      ['an unknown subject', { max_messages: 1, subject: { type: 'agent' } }, 'subject.type'],
      ['a key without an id', { max_messages: 1, subject: { type: 'api_key' } }, 'subject.id'],
      ['a person without id and e-mail', { max_messages: 1, subject: { type: 'virtual_user' } }, 'subject.id'],
      [
        'a person with both',
        { max_messages: 1, subject: { type: 'virtual_user', id: 'x', email: 'a@b.cd' } },
        'subject.id',
      ],
      ['a workspace with an id', { max_messages: 1, subject: { type: 'workspace', id: 'x' } }, 'subject.id'],
      [
        'a key with an e-mail',
        { max_messages: 1, subject: { type: 'api_key', id: 'x', email: 'a@b.cd' } },
        'subject.email',
      ],
    ],
    async (_, fields, path) => {
      const { status, body } = await set(fields)
      expect([status, body.error_code, body.details?.[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
    },
  )
})

test('only admins and owners of the workspace set quotas or see them', async () => {
  const app = await start()
  const { call, path, services } = app
  const member = await addKey(app, { role: 'member', permissions: ['manage_keys', 'manage_agents'] })
  const body = { subject: { type: 'workspace' }, period: 'day', max_messages: 1 }
  for (const [method, url] of [
    ['PUT', path],
    ['GET', path],
    ['DELETE', `${path}/${services.newId()}`],
  ] as const) {
    const refused = await call(method, url, method === 'PUT' ? body : undefined, { key: member })
    expect([method, refused.status, refused.body.error_code]).toEqual([method, 403, 'FORBIDDEN'])
  }
  const other = await services.access.createOrganization('Other')
  expect((await call('GET', `/workspaces/${other.workspaceId}/quotas`)).status).toBe(403)
  await call('PUT', path, body)
  const theirs = await call('GET', `/workspaces/${other.workspaceId}/quotas`, undefined, { key: other.apiKey })
  expect(theirs.body.data.quotas).toEqual([])
})
