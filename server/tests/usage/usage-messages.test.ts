import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { manualClock } from '../support/clock.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { answer, inOrder, type Script } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const MODEL = 'openai-compatible/scripted'
const PRICES = { [MODEL]: { input: 2, cached_input: 0.5, output: 8, reasoning: 10 } }

/** 60 x 2 + 40 x 0.5 + 6 x 8 + 4 x 10 = 228 millionths. */
const used = { input: 100, cached: 40, output: 10, reasoning: 4 }
const COST = 0.000228
const billed: Script = () => ({ steps: ['Hello'], usage: used })

const sum = (messages: number, extra: object = {}) => ({
  messages,
  input_tokens: 100 * messages,
  cached_input_tokens: 40 * messages,
  output_tokens: 10 * messages,
  reasoning_tokens: 4 * messages,
  cost_usd: Math.round(COST * messages * 1e6) / 1e6,
  unpriced_tokens: 0,
  audio_seconds: 0,
  unpriced_audio_seconds: 0,
  ...extra,
})

async function start({ script = billed, prices = PRICES as object, settings = {} as Record<string, string> } = {}) {
  const clock = manualClock('2026-11-22T09:30:00.000Z')
  const DATA_DIR = await temporaryFolder()
  await writeFile(join(DATA_DIR, 'prices.json'), JSON.stringify(prices))
  const chat = await startTestChat({ script, clock, settings: { DATA_DIR, ...settings } })
  const workspace = `/workspaces/${chat.owner.workspaceId}`
  const usageOf = async (id: string, path = chat.path) =>
    (await chat.succeed('GET', `${path}/message/${id}?usage=true`)).data.usage
  const report = async (query = '') => (await chat.succeed('GET', `${workspace}/usage?from=2026-11-22&${query}`)).data
  return { ...chat, clock, workspace, report, usageOf }
}

test('a message tells what it took and what it cost, and so does the history', async () => {
  const { ask, message, usageOf, history } = await start()
  const { message_id } = (await ask('Hi')).body.data
  const usage = {
    input_tokens: 100,
    cached_input_tokens: 40,
    output_tokens: 10,
    reasoning_tokens: 4,
    cost_usd: COST,
    model: MODEL,
  }
  expect(await usageOf(message_id)).toEqual(usage)
  expect((await history('usage=true')).messages[0].usage).toEqual(usage)
  expect((await history()).messages[0]).not.toHaveProperty('usage')
  expect(await message(message_id)).not.toHaveProperty('usage')
})

test('a history tells what messages took to those who ask, in the query string or in the body', async () => {
  const { ask, call, path, history } = await start()
  const { message_id } = (await ask('Hi')).body.data
  for (const query of ['usage=1', 'usage=TRUE', `usage=true&order=desc&from_message=${message_id}`])
    expect((await history(query)).messages[0].usage.model).toBe(MODEL)
  for (const query of ['usage=0', 'usage=false']) expect((await history(query)).messages[0].usage).toBeUndefined()
  const wrong = await call('GET', `${path}/messages?usage=yes`)
  expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'usage'])
})

test('while a message is answered it has no usage', async () => {
  let release = () => {}
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  const { stream, history, report } = await start({ script: () => answer('Wait', { until }) })
  const reader = await stream('Hi')
  await reader.until('response')
  expect((await history('usage=true')).messages[0]).toMatchObject({ ai_resolution_status: 'in_progress', usage: null })
  expect((await report()).total.messages).toBe(0)
  release()
  await reader.rest()
  expect((await report()).total.messages).toBe(1)
})

test('blocking, streamed and asynchronous messages are summed up by day, agent, person, key and model', async () => {
  const receiver = await startReceiver()
  const settings = { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' }
  const { ask, stream, call, path, agentId, report, succeed } = await start({ settings })
  const virtual_user_email = 'ada@example.com'
  await ask('Hi')
  await (await stream('Hi', { virtual_user_email })).rest()
  const reply = await call('POST', `${path}/async_query`, {
    query: 'Hi',
    webhook_url: `${receiver.url}/hook`,
    virtual_user_email,
  })
  expect(reply.status).toBe(200)
  await receiver.next()
  const key = (await succeed('GET', '/me')).data.key
  expect((await report()).usage).toEqual([{ day: '2026-11-22', ...sum(3) }])
  expect((await report('group_by=agent')).usage).toEqual([{ agent_id: agentId, name: 'Guide', ...sum(3) }])
  expect((await report('group_by=model')).usage).toEqual([{ model: MODEL, ...sum(3) }])
  expect((await report('group_by=api_key')).usage).toEqual([{ api_key_id: key.id, name: key.name, ...sum(3) }])
  expect((await report('group_by=virtual_user')).usage).toEqual([
    { virtual_user_id: expect.any(String), email: virtual_user_email, name: null, ...sum(2) },
    { virtual_user_id: null, email: null, name: null, ...sum(1) },
  ])
})

test('messages that fail or are cancelled count with what they used', async () => {
  const { ask, stream, call, path, report } = await start({
    script: inOrder({ status: 400, body: { error: { message: 'no' } } }, answer('On and', { hang: true })),
  })
  expect((await ask('fail')).status).toBe(500)
  const reader = await stream('hang')
  const [metadata] = await reader.until('response')
  const { message_id } = metadata!.data
  await call('POST', `${path}/message/${message_id}/cancel`)
  expect((await report()).total).toMatchObject({ messages: 2, input_tokens: 0, cost_usd: 0 })
})

test('what a sub-agent uses counts for it, and for the message of the agent that called it', async () => {
  const script: Script = ({ body }) => {
    const { content } = body.messages.findLast(({ role }: { role: string }) => role === 'user')
    const isCalled = body.messages.some(({ role }: { role: string }) => role === 'tool')
    if (content.includes('call it') && !isCalled) {
      const toolCall = { name: 'call_agent', arguments: { agent_id: subAgentId, query: 'count' } }
      return { steps: [{ toolCall }], usage: used }
    }
    return { steps: ['Done'], usage: used }
  }
  let subAgentId = ''
  const { newAgent, newChat, ask, usageOf, report } = await start({ script })
  subAgentId = await newAgent({ name: 'Counter' })
  const agentId = await newAgent({ name: 'Chief', sub_agent_ids: [subAgentId] })
  const chat = await newChat({}, agentId)
  const { message_id } = (await ask('call it', {}, chat)).body.data
  expect(await usageOf(message_id, chat)).toMatchObject({ input_tokens: 300, cost_usd: 0.000684 })
  expect((await report('group_by=agent')).usage).toEqual([
    { agent_id: agentId, name: 'Chief', ...sum(2, { messages: 1 }) },
    { agent_id: subAgentId, name: 'Counter', ...sum(1, { messages: 0 }) },
  ])
  expect((await report()).total).toEqual(sum(3, { messages: 1 }))
})

test('without a price the cost is null, and a file that changes holds from the next second on', async () => {
  const { ask, usageOf, report, dataDir, succeed, workspace } = await start({ prices: {} })
  const costOf = async () => (await usageOf((await ask('Hi')).body.data.message_id)).cost_usd
  expect(await costOf()).toBeNull()
  expect((await report()).total).toEqual(sum(1, { cost_usd: null, unpriced_tokens: 110 }))
  await writeFile(join(dataDir, 'prices.json'), JSON.stringify(PRICES))
  await expect.poll(costOf, { interval: 100 }).toBe(COST)
  expect((await report()).total.unpriced_tokens).toBeGreaterThan(0)
  expect((await succeed('GET', `${workspace}/usage/prices`)).data.prices).toEqual([
    { model: MODEL, input: 2, cached_input: 0.5, output: 8, reasoning: 10, audio_minute: null },
    { model: 'builtin/*', input: 0, cached_input: 0, output: 0, reasoning: 0, audio_minute: 0 },
  ])
})

test('a chat or a message that is deleted was used all the same', async () => {
  const { ask, call, path, newChat, report } = await start()
  const other = await newChat()
  const { message_id } = (await ask('Hi')).body.data
  await ask('Hi', {}, other)
  await call('DELETE', `${path}/message/${message_id}`)
  await call('DELETE', other)
  expect((await report()).total).toEqual(sum(2))
})

test('an erased person leaves what they used to nobody in particular', async () => {
  const { ask, call, workspace, report, services } = await start()
  await ask('Hi', { virtual_user_email: 'ada@example.com' })
  const [{ id }] = (await call('GET', `${workspace}/virtual-users`)).body.data.virtual_users
  await call('PUT', `${workspace}/quotas`, { subject: { type: 'virtual_user', id }, period: 'day', max_messages: 9 })
  expect((await call('POST', `${workspace}/virtual-users/${id}/erase`)).status).toBe(200)
  expect((await report('group_by=virtual_user')).usage).toEqual([
    { virtual_user_id: null, email: null, name: null, ...sum(1) },
  ])
  expect((await call('GET', `${workspace}/quotas`)).body.data.quotas).toEqual([])
  const left = await services.db.selectFrom('usage_sum').selectAll().where('virtual_user_id', '=', id).execute()
  expect(left).toEqual([])
})

test('a run that its process left behind counts with what was known of it', async () => {
  const DATA_DIR = await temporaryFolder()
  const first = await start({ settings: { DATA_DIR } })
  const { message_id } = (await first.ask('Hi')).body.data
  const { services, owner, agentId, path } = first
  const usage = { inputTokens: 7, cachedInputTokens: 0, outputTokens: 3, reasoningTokens: 0 }
  const agents = {
    loop: { turns: [], text: '', steps: 1, calls: {} },
    citations: [],
    steps: 1,
    spent: [{ agentId, model: MODEL, usage }],
  }
  const response = 'So far'
  const state = { agents, log: [], response, reasoning: '', outputCount: 0, activeMs: 1 }
  const organization_id = owner.organizationId
  await services.db
    .updateTable('message')
    .set({ status: 'in_progress', process_id: 'gone', response, model: null, input_tokens: 0, output_tokens: 0 })
    .execute()
  await services.db
    .insertInto('run_state')
    .values({ organization_id, message_id, state: JSON.stringify(state), updated_at: first.clock().toISOString() })
    .execute()
  await first.services.start()
  expect(await first.message(message_id, path)).toMatchObject({
    ai_resolution_status: 'completed',
    response,
  })
  const known = { input_tokens: 7, output_tokens: 3, model: MODEL }
  expect(await first.usageOf(message_id)).toMatchObject(known)
  expect((await first.report()).total).toMatchObject({ messages: 2, input_tokens: 107, output_tokens: 13 })
})
