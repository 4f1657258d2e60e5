import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { manualClock } from '../support/clock.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const NOW = '2026-11-22T09:30:00.000Z'

interface Use {
  at?: string
  agent?: string
  model?: string
  person?: string | null
  key?: string | null
  input?: number
  output?: number
}

/** The server, and a way to use something without asking a model. */
async function start() {
  const clock = manualClock(NOW)
  const app = await startTestApp({}, { clock, work: false })
  const { call, owner, services } = app
  const path = `/workspaces/${owner.workspaceId}/usage`

  async function use({ at = NOW, agent = 'a'.repeat(24), model = 'a/b', person = null, key = null, ...tokens }: Use) {
    const { input = 10, output = 5 } = tokens
    const usage = { inputTokens: input, cachedInputTokens: 2, outputTokens: output, reasoningTokens: 1 }
    const { workspaceId, organizationId } = owner
    const used = { workspaceId, agentId: agent, model, virtualUserId: person, keyId: key, at }
    const priced = services.usage.price({ ...used, parts: [{ agentId: agent, model, usage }] })
    await services.writes.commit((tx) => services.usage.record(tx, organizationId, priced))
  }

  async function report(query = '') {
    const reply = await call('GET', `${path}?${query}`)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body.data
  }

  const person = async (email: string): Promise<string> =>
    (await call('POST', `/workspaces/${owner.workspaceId}/virtual-users`, { email, name: email.split('@')[0] })).body
      .data.id

  return { ...app, clock, path, use, report, person }
}

const sum = (messages: number, extra: object = {}) => ({
  messages,
  input_tokens: 10 * messages,
  cached_input_tokens: 2 * messages,
  output_tokens: 5 * messages,
  reasoning_tokens: messages,
  cost_usd: messages === 0 ? 0 : null,
  unpriced_tokens: 15 * messages,
  audio_seconds: 0,
  unpriced_audio_seconds: 0,
  ...extra,
})

test('by day there is every day of the range, those without use with zeros', async () => {
  const { use, report } = await start()
  await use({ at: '2026-11-20T00:00:00.000Z' })
  await use({ at: '2026-11-20T23:59:59.999Z' })
  await use({ at: '2026-11-22T09:00:00.000Z' })
  await use({ at: '2026-11-18T09:00:00.000Z' })
  expect(await report('from=2026-11-19&to=2026-11-22')).toEqual({
    from: '2026-11-19',
    to: '2026-11-22',
    group_by: 'day',
    usage: [
      { day: '2026-11-19', ...sum(0) },
      { day: '2026-11-20', ...sum(2) },
      { day: '2026-11-21', ...sum(0) },
      { day: '2026-11-22', ...sum(1) },
    ],
    total: sum(3),
    count: 4,
    page: 1,
    page_size: 400,
    has_more: false,
  })
})

test('a year and a day is the longest range', async () => {
  const { report, call, path } = await start()
  expect((await report('from=2025-11-22&to=2026-11-22')).count).toBe(366)
  expect((await call('GET', `${path}?from=2025-11-21&to=2026-11-22`)).body).toMatchObject({
    error_code: 'VALIDATION_ERROR',
    message: 'from: must be at most 366 days before to',
    details: [{ path: 'from', message: 'must be at most 366 days before to' }],
  })
})

test('wrong parameters are 400', async () => {
  const { call, path } = await start()
  await everyRow(
    [
      'from=yesterday',
      'from=2026-02-29',
      'from=2026-1-1',
      'to=2026-11-31',
      'from=2026-11-23&to=2026-11-22',
      'from=2027-01-01',
      'group_by=week',
      'virtual_user_email=nobody',
      'format=xml',
      'page_size=501',
      'page=0',
    ],
    async (query) => {
      const reply = await call('GET', `${path}?${query}`)
      expect([reply.status, reply.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(reply.body.details[0].message).toMatch(/must|Invalid option/)
    },
  )
})

test('by agent, model and key the one that used most comes first, with its name', async () => {
  const { use, report, call, owner, services } = await start()
  const agent = (await call('POST', '/agents', { name: 'Guide', model: 'builtin/extractive' })).body.data.id
  const key = (await call('POST', `/workspaces/${owner.workspaceId}/api-keys`, { name: 'Site' })).body.data.id
  await use({ agent, model: 'a/b', key })
  await use({ agent, model: 'a/c', key })
  await use({ agent: services.newId(), model: 'a/b' })
  await call('DELETE', `/agents/${agent}`)
  await call('DELETE', `/workspaces/${owner.workspaceId}/api-keys/${key}`)
  const groups = async (by: string) => (await report(`group_by=${by}`)).usage
  expect(await groups('agent')).toEqual([
    { agent_id: agent, name: 'Guide', ...sum(2) },
    { agent_id: expect.any(String), name: null, ...sum(1) },
  ])
  expect(await groups('model')).toEqual([
    { model: 'a/b', ...sum(2) },
    { model: 'a/c', ...sum(1) },
  ])
  expect(await groups('api_key')).toEqual([
    { api_key_id: key, name: 'Site', ...sum(2) },
    { api_key_id: null, name: null, ...sum(1) },
  ])
})

test('filters go together with every grouping', async () => {
  const { use, report, person, services } = await start()
  const [agent, key, ada] = [services.newId(), services.newId(), await person('ada@example.com')]
  await use({ agent, key, person: ada, model: 'a/x', at: '2026-11-20T00:00:00.000Z' })
  await use({ agent, key, model: 'a/x' })
  await use({ person: ada, model: 'a/x' })
  await use({ agent, key, person: ada })
  const filters = [`agent_id=${agent}`, `api_key_id=${key}`, 'virtual_user_email=ADA@example.com', 'model=a/x']
  for (const by of ['day', 'agent', 'virtual_user', 'api_key', 'model']) {
    for (const filter of filters) {
      const { total } = await report(`group_by=${by}&${filter}`)
      expect(total, `${by} ${filter}`).toEqual(sum(3))
    }
    expect((await report(`group_by=${by}&${filters.join('&')}`)).total, by).toEqual(sum(1))
  }
  expect((await report('group_by=agent&virtual_user_email=bob@example.com')).usage).toEqual([])
})

test('by virtual user, what came from none is one of the groups, and pages hold them all', async () => {
  const { use, report, person } = await start()
  const ada = await person('ada@example.com')
  const bob = await person('bob@example.com')
  for (const at of ['2026-11-22T00:00:00.000Z', '2026-11-01T00:00:00.000Z', '2026-10-30T00:00:00.000Z']) {
    await use({ person: ada, at })
    await use({ at })
  }
  await use({ person: bob, at: '2026-10-02T00:00:00.000Z' })
  const groups = [
    { virtual_user_id: ada, email: 'ada@example.com', name: 'ada', ...sum(3) },
    { virtual_user_id: null, email: null, name: null, ...sum(3) },
  ]
  const lastDays = await report('group_by=virtual_user')
  expect(lastDays.usage).toHaveLength(2)
  expect(lastDays.usage).toEqual(expect.arrayContaining(groups))
  const all = await report('group_by=virtual_user&from=2026-01-01')
  expect(all.usage).toHaveLength(3)
  expect(all.usage[2]).toEqual({ virtual_user_id: bob, email: 'bob@example.com', name: 'bob', ...sum(1) })
  expect(all.total).toEqual(sum(7))
  const second = await report('group_by=virtual_user&from=2026-01-01&page=2&page_size=2')
  expect(second).toMatchObject({ usage: [all.usage[2]], total: sum(7), count: 3, has_more: false })
  // Nearly all of October: taken as a month, and its first days off again.
  expect((await report('group_by=virtual_user&from=2026-10-03&to=2026-10-31')).usage).toEqual(
    expect.arrayContaining([expect.objectContaining({ virtual_user_id: ada, ...sum(1) })]),
  )
  expect((await report('group_by=virtual_user&from=2026-10-03&to=2026-10-31')).usage).toHaveLength(2)
})

test('as CSV it is a file with all groups, in which no name is a formula', async () => {
  const { use, call, path, person } = await start()
  const ada = await person('ada@example.com')
  await call('PATCH', `/workspaces/${path.split('/')[2]}/virtual-users/${ada}`, { name: '=1+1, "x"' })
  await use({ person: ada })
  const reply = await call('GET', `${path}?group_by=virtual_user&format=csv&page_size=1&from=2026-11-01`)
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(reply.headers.get('content-disposition')).toContain('usage-by-virtual_user-2026-11-01-2026-11-22.csv')
  expect(reply.body).toBe(
    'virtual_user_id,email,name,messages,input_tokens,cached_input_tokens,output_tokens,reasoning_tokens,cost_usd,unpriced_tokens,audio_seconds,unpriced_audio_seconds\r\n' +
      `${ada},ada@example.com,"'=1+1, ""x""",1,10,2,5,1,,15,0,0\r\n`,
  )
})

test('only admins and owners of the workspace may look', async () => {
  const app = await start()
  const { call, path, services } = app
  const member = await addKey(app, { role: 'member', permissions: ['manage_agents', 'manage_keys'] })
  expect((await call('GET', path, undefined, { key: member })).status).toBe(403)
  expect((await call('GET', path, undefined, { key: await addKey(app, { role: 'admin' }) })).status).toBe(200)
  const other = await services.access.createOrganization('Other')
  for (const id of [other.workspaceId, services.newId(), 'x'])
    expect((await call('GET', `/workspaces/${id}/usage`)).body.error_code).toBe('FORBIDDEN')
  expect((await call('GET', `${path}/prices`, undefined, { key: member })).status).toBe(200)
  expect((await call('GET', `${path}/prices`, undefined, { key: other.apiKey })).status).toBe(403)
})

test('one organization sees nothing of another', async () => {
  const { use, call, services } = await start()
  await use({})
  const other = await services.access.createOrganization('Other')
  const reply = await call('GET', `/workspaces/${other.workspaceId}/usage`, undefined, { key: other.apiKey })
  expect(reply.body.data.total.messages).toBe(0)
})
