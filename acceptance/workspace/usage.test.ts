import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError } from '../support/api.ts'
import { conversationWith, makeAgent, makeKey, newConversation, whoAmI } from '../support/make.ts'
import { scripted } from '../support/tests.ts'
import { anId, aTime, freshId, malformedIds, uniqueEmail } from '../support/values.ts'

let workspace: string
beforeAll(async () => {
  workspace = `/workspaces/${(await whoAmI()).workspace.id}`
})

const reportOf = async (query = '') => dataOf(await api.get(`${workspace}/usage?${query}`))

const amounts = {
  messages: expect.any(Number),
  input_tokens: expect.any(Number),
  cached_input_tokens: expect.any(Number),
  output_tokens: expect.any(Number),
  reasoning_tokens: expect.any(Number),
  unpriced_tokens: expect.any(Number),
  audio_seconds: expect.any(Number),
  unpriced_audio_seconds: expect.any(Number),
}
const aCost = (value: unknown) => value === null || typeof value === 'number'

describe('a message', () => {
  scripted('tells what it took to who asks, alone and in the history', async () => {
    const { answer, message, path } = await newConversation()
    const { message_id } = await answer('say Hello')
    const { usage } = await message(message_id, '?usage=true')
    expect(usage).toEqual({
      input_tokens: expect.any(Number),
      cached_input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
      reasoning_tokens: expect.any(Number),
      cost_usd: expect.toSatisfy(aCost),
      model: expect.stringMatching(/^[a-z-]+\/\S+$/),
    })
    expect(await message(message_id)).not.toHaveProperty('usage')
    expect(dataOf(await api.get(`${path}/messages?usage=true`)).messages[0].usage).toEqual(usage)
  })
})

describe('a report', () => {
  test('has every day of its range, in order', async () => {
    const data = await reportOf('from=2026-01-30&to=2026-02-02')
    expect(data).toMatchObject({ from: '2026-01-30', to: '2026-02-02', group_by: 'day', count: 4, has_more: false })
    expect(data.usage.map(({ day }: any) => day)).toEqual(['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'])
    for (const day of data.usage) expect(day).toEqual({ day: day.day, cost_usd: expect.toSatisfy(aCost), ...amounts })
    expect(data.total).toEqual({ cost_usd: expect.toSatisfy(aCost), ...amounts })
  })

  test('is of the 30 days up to today without a range', async () => {
    const today = () => new Date().toISOString().slice(0, 10)
    const before = today()
    const { from, to, usage } = await reportOf()
    expect([before, today()]).toContain(to)
    expect(usage).toHaveLength(30)
    expect(Date.parse(to) - Date.parse(from)).toBe(29 * 86_400_000)
    expect((await reportOf('to=2026-03-01')).from).toBe('2026-01-31')
  })

  scripted('counts a message for its agent, its person and its model', async () => {
    const { agent, answer } = await newConversation()
    const virtual_user_email = uniqueEmail()
    await answer('say Hello', { virtual_user_email })
    await answer('say Hello')
    const [byAgent] = (await reportOf(`group_by=agent&agent_id=${agent.id}`)).usage
    expect(byAgent).toMatchObject({ agent_id: agent.id, name: agent.name, messages: 2 })
    const ofPerson = await reportOf(`group_by=virtual_user&virtual_user_email=${virtual_user_email.toUpperCase()}`)
    expect(ofPerson.usage).toEqual([
      expect.objectContaining({ virtual_user_id: anId, email: virtual_user_email, messages: 1 }),
    ])
    expect(ofPerson.total.messages).toBe(1)
    const [byModel] = (await reportOf(`group_by=model&agent_id=${agent.id}`)).usage
    expect(byModel).toMatchObject({ model: agent.model, messages: 2 })
    const { key } = await whoAmI()
    const [byKey] = (await reportOf(`group_by=api_key&agent_id=${agent.id}`)).usage
    expect(byKey).toMatchObject({ api_key_id: key.id, name: key.name, messages: 2 })
  })

  scripted('keeps what was used of a message that is deleted', async () => {
    const { agent, answer, path } = await newConversation()
    const { message_id } = await answer('say Hello')
    await api.delete(`${path}/message/${message_id}`)
    expect((await reportOf(`agent_id=${agent.id}`)).total.messages).toBe(1)
  })

  test('comes as CSV, too', async () => {
    const reply = await api.get(`${workspace}/usage?format=csv&from=2026-01-30&to=2026-01-31`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/csv/)])
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.csv"/)
    const lines = reply.text.trim().split('\r\n')
    expect(lines[0]).toMatch(/^day,messages,input_tokens,/)
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['2026-01-30', '2026-01-31'])
  })

  test('wrong parameters are 400, with details', () =>
    everyRow(
      [
        'from=today',
        'from=2026-02-30',
        'from=2026-02-02&to=2026-02-01',
        'from=2024-01-01&to=2026-01-01',
        'group_by=year',
        'virtual_user_email=nobody',
        'page_size=0',
      ],
      async (query) => {
        const reply = await api.get(`${workspace}/usage?${query}`)
        expectError(reply, 400, 'VALIDATION_ERROR')
        expect(reply.body.details.length).toBeGreaterThan(0)
      },
    ))

  test('is for admins and owners; prices are for every key', async () => {
    const member = apiOf((await makeKey({ permissions: ['manage_agents'] })).key)
    expectError(await member.get(`${workspace}/usage`), 403, 'FORBIDDEN')
    expect(Array.isArray(dataOf(await member.get(`${workspace}/usage/prices`)).prices)).toBe(true)
    const admin = apiOf((await makeKey({ role: 'admin' })).key)
    expect((await admin.get(`${workspace}/usage`)).status).toBe(200)
  })

  test('of a workspace that is not there is 403', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) => {
      expectError(await api.get(`/workspaces/${id}/usage`), 403, 'FORBIDDEN')
      expectError(await api.get(`/workspaces/${id}/quotas`), 403, 'FORBIDDEN')
    }))
})

describe('a quota', () => {
  const setQuota = async (fields: object) => dataOf(await api.put(`${workspace}/quotas`, { period: 'day', ...fields }))

  scripted('of a key lets as many messages through as it says, then 429 with the reason', async () => {
    const { id, key } = await makeKey({})
    const quota = await setQuota({ subject: { type: 'api_key', id }, max_messages: 3 })
    expect(quota).toEqual({
      id: anId,
      subject: { type: 'api_key', id },
      period: 'day',
      max_messages: 3,
      max_tokens: null,
      max_cost_usd: null,
      used: { messages: 0, tokens: 0, cost_usd: 0 },
      resets_at: aTime,
      created_at: aTime,
      updated_at: aTime,
    })
    const agent = await makeAgent()
    const chats = await Promise.all(Array.from({ length: 10 }, () => conversationWith(agent, apiOf(key))))
    const replies = await Promise.all(chats.map(({ ask }) => ask('say Hello')))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(7).fill(429)])
    const refused = replies.find(({ status }) => status === 429)!
    expectError(refused, 429, 'QUOTA_EXCEEDED')
    expect(refused.body.message).toMatch(/API key.* 3 of 3 messages/)
    const seconds = (Date.parse(quota.resets_at) - Date.now()) / 1000
    expect(Math.abs(Number(refused.headers.get('retry-after')) - seconds)).toBeLessThan(60)
    const listed = dataOf(await api.get(`${workspace}/quotas?page_size=100`)).quotas
    expect(listed.find((one: any) => one.id === quota.id).used.messages).toBe(3)
    await api.delete(`${workspace}/quotas/${quota.id}`)
    expect((await chats[0]!.ask('say Hello')).status).toBe(200)
  })

  scripted('of a virtual user is changed in place', async () => {
    const { ask } = await newConversation()
    const virtual_user_email = uniqueEmail()
    expect((await ask('say Hello', { virtual_user_email })).status).toBe(200)
    const subject = { type: 'virtual_user', email: virtual_user_email }
    const first = await setQuota({ subject, max_messages: 1 })
    expect(first.used.messages).toBe(1)
    // Another process may answer, which hears of the quota a moment later; what it lets through until then counts.
    const statusOf = async () => (await ask('say Hello', { virtual_user_email })).status
    await expect.poll(statusOf).toBe(429)
    const { used } = await setQuota({ subject, max_messages: 1 })
    const second = await setQuota({ subject, max_messages: used.messages + 1 })
    expect(second.id).toBe(first.id)
    await expect.poll(statusOf).toBe(200)
    expectError(await ask('say Hello', { virtual_user_email, is_stream: true }), 429, 'QUOTA_EXCEEDED')
    await api.delete(`${workspace}/quotas/${first.id}`)
  })

  test('wrong fields are 400', () =>
    everyRow(
      [
        ['no subject', { max_messages: 1 }],
        ['no limit', { subject: { type: 'workspace' } }],
        ['a limit below zero', { subject: { type: 'workspace' }, max_tokens: -1 }],
        ['an unknown period', { subject: { type: 'workspace' }, max_tokens: 1, period: 'hour' }],
        ['a key without an id', { subject: { type: 'api_key' }, max_tokens: 1 }],
      ],
      async (_, fields) =>
        expectError(await api.put(`${workspace}/quotas`, { period: 'day', ...fields }), 400, 'VALIDATION_ERROR'),
    ))

  test('a subject that is not there is 404', () =>
    everyRow(
      [
        ['api_key', 'API_KEY_NOT_FOUND'],
        ['virtual_user', 'VIRTUAL_USER_NOT_FOUND'],
      ],
      async (type, code) => {
        const subject = { type, id: freshId() }
        expectError(await api.put(`${workspace}/quotas`, { subject, period: 'day', max_messages: 1 }), 404, code)
      },
    ))

  test('to delete one that is not there is 404', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(await api.delete(`${workspace}/quotas/${id}`), 404, 'QUOTA_NOT_FOUND'),
    ))

  test('is for admins and owners', async () => {
    const member = apiOf((await makeKey({ permissions: ['manage_keys'] })).key)
    expectError(await member.get(`${workspace}/quotas`), 403, 'FORBIDDEN')
  })
})
