import { describe, expect, test } from 'vitest'
import { api, dataOf, expectError } from '../support/api.ts'
import { makeAgent, newConversation } from '../support/make.ts'
import { openStream } from '../support/stream.ts'
import { scripted } from '../support/tests.ts'
import { freshId, unique } from '../support/values.ts'

describe('sub-agents', () => {
  test('are kept in order, each once', async () => {
    const [a, b] = [await makeAgent(), await makeAgent()]
    const agent = await makeAgent({ sub_agent_ids: [b.id, a.id, b.id] })
    expect(agent.sub_agent_ids).toEqual([b.id, a.id])
    expect(dataOf(await api.patch(`/agents/${agent.id}`, { sub_agent_ids: [] })).sub_agent_ids).toEqual([])
  })

  test('one that is not there is 404', async () => {
    const reply = await api.post('/agents', { name: unique('agent'), sub_agent_ids: [freshId()] })
    expectError(reply, 404, 'AGENT_NOT_FOUND')
  })

  test('21 are too many', async () => {
    const sub_agent_ids = Array.from({ length: 21 }, freshId)
    expectError(await api.post('/agents', { name: unique('agent'), sub_agent_ids }), 400, 'VALIDATION_ERROR')
  })

  scripted('work as nested live updates that end with tool_call_end', async () => {
    const helper = await makeAgent({ name: unique('Helper'), tools: ['list_files'] })
    const talk = await newConversation({ sub_agent_ids: [helper.id] })
    const task = JSON.stringify({ agent_id: helper.id, query: 'call list_files {}\nsay counted' })
    const stream = await openStream(`${talk.path}/query`, {
      query: `call call_agent ${task}\nsay all done`,
      is_stream: true,
    })
    const updates = (await stream.done()).filter(({ type }) => type === 'live_update')
    expect(updates.map(({ subtype, data }) => [subtype, data.tool_name, data.agent?.id ?? null])).toEqual([
      ['tool_call_start', 'call_agent', null],
      ['tool_call_start', 'list_files', helper.id],
      ['tool_call_result', 'list_files', helper.id],
      ['tool_call_result', 'call_agent', null],
      ['tool_call_end', 'call_agent', null],
    ])
    for (const { elapsed_ms } of updates) expect(elapsed_ms).toEqual(expect.any(Number))
    expect(updates[3]!.data.preview).toMatchObject({
      content: expect.stringContaining('counted'),
      content_type: 'markdown',
      status: 'completed',
    })
  })
})

describe('limits', () => {
  const none = { max_steps: null, max_tokens: null, max_seconds: null, max_tool_output_characters: null }

  test('are null by default, and null takes one back', async () => {
    const agent = await makeAgent({ limits: { max_steps: 5 } })
    expect(agent.limits).toEqual({ ...none, max_steps: 5 })
    expect(dataOf(await api.patch(`/agents/${agent.id}`, { limits: { max_steps: null } })).limits).toEqual(none)
    expect((await makeAgent()).limits).toEqual(none)
  })

  for (const limits of [{ max_steps: 0 }, { max_steps: '5' }, { max_tokens: 1.5 }, { max_seconds: -1 }, 'none'])
    test(`${JSON.stringify(limits)} are refused`, async () => {
      expectError(await api.post('/agents', { name: unique('agent'), limits }), 400, 'VALIDATION_ERROR')
    })

  scripted('the last step has to be an answer', async () => {
    const talk = await newConversation({ tools: ['list_files'], limits: { max_steps: 2 } })
    const script = 'call list_files {}\nsay Enough.\ncall list_files {"name_contains":"a"}\nsay never'
    const { text } = await talk.answer(script)
    expect([text.includes('Enough.'), text.includes('never')]).toEqual([true, false])
  })

  scripted('a run that takes too long fails and says which limit it was', async () => {
    const talk = await newConversation({ limits: { max_seconds: 1 } })
    const reply = await talk.ask('say x\nhang')
    expectError(reply, 500, 'AGENT_FAILED', /max_seconds/)
  })
})

describe('tools that need approval', () => {
  for (const names of [['create_file'], ['crm__*'], ['crm__find_customer', 'call_agent']])
    test(`${names} can be named`, async () => {
      const agent = await makeAgent({ tools_needing_approval: names })
      expect(agent.tools_needing_approval).toEqual(names)
    })

  for (const names of [['no_such_tool'], ['*'], ['crm__'], [5]])
    test(`${JSON.stringify(names)} are refused`, async () => {
      const reply = await api.post('/agents', { name: unique('agent'), tools_needing_approval: names })
      expectError(reply, 400, 'VALIDATION_ERROR')
    })
})

scripted('a tool that fails is told as a preview, and the agent goes on', async () => {
  const talk = await newConversation({ tools: ['create_file'] })
  const stream = await openStream(`${talk.path}/query`, {
    query: 'call create_file {"name":"letter.exe","content":"x"}\nsay anyway',
    is_stream: true,
  })
  const events = await stream.done()
  const result = events.find(({ subtype }) => subtype === 'tool_call_result')!
  expect(result.data.preview).toMatchObject({ content_type: 'text', status: 'error' })
  expect(events.at(-1)!.type).toBe('end_response')
})
