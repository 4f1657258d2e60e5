import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { manualClock } from '../support/clock.ts'
import { temporaryFolder } from '../support/database/database.ts'
import type { Script } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

/** A tenth of a dollar and 100 tokens a message. */
const PRICES = { '*': { input: 1000, output: 1000 } }
const billed: Script = () => ({ steps: ['Hello'], usage: { input: 90, output: 10 } })
const DAY_MS = 86_400_000

async function start(settings: Record<string, string> = {}) {
  const clock = manualClock('2026-11-22T09:30:00.000Z')
  const DATA_DIR = await temporaryFolder()
  await writeFile(join(DATA_DIR, 'prices.json'), JSON.stringify(PRICES))
  const chat = await startTestChat({ script: billed, clock, settings: { DATA_DIR, ...settings } })
  const workspace = `/workspaces/${chat.owner.workspaceId}`
  const setQuota = async (fields: object): Promise<any> => {
    const body = { subject: { type: 'workspace' }, period: 'day', ...fields }
    return (await chat.succeed('PUT', `${workspace}/quotas`, body)).data
  }
  const used = async () =>
    (await chat.succeed('GET', `${workspace}/quotas`)).data.quotas.map((quota: any) => quota.used)
  const statusOf = async (fields: Record<string, unknown> = {}) => (await chat.ask('Hi', fields)).status
  const newKey = async () =>
    (await chat.succeed('POST', `${workspace}/api-keys`, { name: 'Site', role: 'member' })).data as {
      id: string
      key: string
    }
  return { ...chat, clock, workspace, setQuota, used, statusOf, newKey }
}

test('a quota of messages is exact, however many come at once', async () => {
  const { newChat, ask, setQuota, used, history } = await start()
  await setQuota({ max_messages: 20 })
  const chats = await Promise.all(Array.from({ length: 50 }, () => newChat()))
  const replies = await Promise.all(chats.map((path) => ask('Hi', {}, path)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(30)
  expect(refused[0]!.body).toEqual({
    error_code: 'QUOTA_EXCEEDED',
    message:
      'The daily quota of this workspace is used up: 20 of 20 messages. It begins anew at 2026-11-23T00:00:00.000Z',
  })
  expect(refused[0]!.headers.get('retry-after')).toBe(String(14.5 * 3600))
  expect(await used()).toEqual([{ messages: 20, tokens: 2000, cost_usd: 2 }])
  const counts = await Promise.all(chats.map(async (path) => (await history('', path)).total))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
})

test('a quota that another process deleted or raised refuses nobody, although it is remembered here', async () => {
  const { statusOf, setQuota, services, owner } = await start()
  const rows = <R>(work: (db: typeof services.db) => Promise<R>) => services.writes.commit((tx) => work(tx))
  const { organizationId } = owner
  const { id } = await setQuota({ max_messages: 1 })
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  // Nobody tells this process.
  await rows((db) =>
    db
      .updateTable('quota')
      .set({ max_messages: 2 })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute(),
  )
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  await rows((db) =>
    db.deleteFrom('quota').where('organization_id', '=', organizationId).where('id', '=', id).execute(),
  )
  expect(await statusOf()).toBe(200)
})

test('the next day, or the next month, it begins anew', async () => {
  const { statusOf, setQuota, clock, used } = await start()
  await setQuota({ max_messages: 1 })
  await setQuota({ period: 'month', max_messages: 2 })
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  clock.pass(DAY_MS)
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  clock.pass(DAY_MS)
  expect(await statusOf()).toBe(429)
  expect(await used()).toMatchObject([{ messages: 2 }, { messages: 0 }])
  clock.pass(7 * DAY_MS)
  expect(await statusOf()).toBe(200)
})

test('a query that is sent again with its message_id counts once, and is answered though nothing is left', async () => {
  const { ask, services, setQuota, used } = await start()
  await setQuota({ max_messages: 1 })
  const message_id = services.newId()
  const replies = await Promise.all(Array.from({ length: 5 }, () => ask('Hi', { message_id })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(await used()).toMatchObject([{ messages: 1 }])
  expect((await ask('Hi', { message_id })).body.data.text).toBe('Hello')
  expect((await ask('Hi', { message_id: services.newId() })).status).toBe(429)
})

test('tokens and cost hold the next query back, not the one that passes the limit', async () => {
  const { ask, statusOf, setQuota, call, workspace } = await start()
  const { id } = await setQuota({ max_tokens: 150 })
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 429])
  expect((await ask('Hi')).body.message).toContain('daily quota of this workspace is used up: 200 of 150 tokens')
  await setQuota({ period: 'month', max_cost_usd: 0.25 })
  await call('DELETE', `${workspace}/quotas/${id}`)
  // Use before the quota was set counts.
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  expect((await ask('Hi')).body.message).toContain('monthly quota of this workspace is used up: 0.3 of 0.25 US dollars')
})

test('a quota that is set in the middle of a day counts what was used before; one that is raised lets go on', async () => {
  const { statusOf, setQuota } = await start()
  await statusOf()
  await statusOf()
  expect((await setQuota({ max_messages: 2 })).used).toEqual({ messages: 2, tokens: 200, cost_usd: 0.2 })
  expect(await statusOf()).toBe(429)
  await setQuota({ max_messages: 3 })
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  await setQuota({ max_messages: null, max_tokens: 1_000_000 })
  expect(await statusOf()).toBe(200)
})

test('a key has its own', async () => {
  const { call, newKey, setQuota, statusOf, agentId, newChat, workspace } = await start()
  const { id, key } = await newKey()
  await setQuota({ subject: { type: 'api_key', id }, max_messages: 1 })
  const path = await newChat({}, agentId)
  const asked = () => call('POST', `${path}/query`, { query: 'Hi' }, { key })
  expect((await asked()).status).toBe(200)
  const refused = await asked()
  expect([refused.status, refused.body.message]).toEqual([
    429,
    expect.stringContaining('The daily quota of this API key is used up: 1 of 1 messages'),
  ])
  expect(await statusOf()).toBe(200)
  const report = await call('GET', `${workspace}/usage?group_by=api_key`)
  expect(report.body.data.usage).toHaveLength(2)
})

test('everybody has what any virtual user may use, but whoever has a quota of their own', async () => {
  const { statusOf, setQuota, workspace, call } = await start()
  const as = (name: string) => statusOf({ virtual_user_email: `${name}@example.com` })
  await setQuota({ subject: { type: 'any_virtual_user' }, max_messages: 1 })
  expect([await as('ada'), await as('ADA'), await as('bob'), await as('bob')]).toEqual([200, 429, 200, 429])
  // Queries without a virtual user have no such limit.
  expect([await statusOf(), await statusOf()]).toEqual([200, 200])
  await setQuota({ subject: { type: 'virtual_user', email: 'ada@example.com' }, max_messages: 3 })
  expect([await as('ada'), await as('ada'), await as('ada'), await as('bob')]).toEqual([200, 200, 429, 429])
  const { quotas } = (await call('GET', `${workspace}/quotas`)).body.data
  expect(quotas.map(({ used }: any) => used)).toEqual([{ messages: 3, tokens: 300, cost_usd: 0.3 }, null])
})

test('a query that is refused leaves nothing behind', async () => {
  const { call, path, setQuota, workspace, history } = await start({ DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' })
  await setQuota({ max_messages: 0 })
  const virtual_user_email = 'new@example.com'
  for (const [route, extra] of [
    ['query', {}],
    ['query', { is_stream: true }],
    ['async_query', { webhook_url: 'http://127.0.0.1:9/hook' }],
  ] as const) {
    const reply = await call('POST', `${path}/${route}`, { query: 'Hi', virtual_user_email, ...extra })
    expect([reply.status, reply.body.error_code]).toEqual([429, 'QUOTA_EXCEEDED'])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await history()).total).toBe(0)
  expect((await call('GET', `${workspace}/virtual-users`)).body.data.virtual_users).toEqual([])
  expect((await call('GET', `${workspace}/webhook-deliveries`)).body.data.total).toBe(0)
})

test('a message that fails counts, and one that could not be accepted does not', async () => {
  const { statusOf, setQuota, used, services } = await start()
  await setQuota({ max_messages: 2 })
  expect(await statusOf({ uploaded_files: [services.newId()] })).toBe(404)
  expect(await used()).toMatchObject([{ messages: 0 }])
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 429])
})
