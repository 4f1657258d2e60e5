import { describe, expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { everyRow } from '../support/every-row.ts'
import { answer, type Script } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const results = (body: any): string[] =>
  body.messages.filter(({ role }: any) => role === 'tool').map(({ content }: any) => content)

/** A model that never has enough: each call is another one. */
const insatiable: Script = ({ body }, index) =>
  body.tool_choice === 'none' || !body.tools
    ? answer('Enough.')
    : answer({ toolCall: { name: 'list_files', arguments: { name_contains: `file ${index}` } } })

async function startLimited(limits: Record<string, number | null>, script: Script = insatiable) {
  const app = await startTestChat({ script })
  const agent = await app.newAgent({ tools: ['list_files', 'create_file'], limits })
  return { ...app, agent, path: await app.newChat({}, agent) }
}

describe('steps', () => {
  test('a model that calls tools without an end has to answer in its last step', async () => {
    const { ask, path, model } = await startLimited({ max_steps: 3 })
    expect((await ask('Go', {}, path)).body.data.text).toBe('Enough.')
    expect(model.requests).toHaveLength(3)
  })

  test('there are 20 by default', async () => {
    const { ask, path, model } = await startLimited({})
    expect((await ask('Go', {}, path)).body.data.text).toBe('Enough.')
    expect(model.requests).toHaveLength(20)
  })

  test('one step is an answer without tools', async () => {
    const { ask, path, model } = await startLimited({ max_steps: 1 })
    expect((await ask('Go', {}, path)).body.data.text).toBe('Enough.')
    expect(model.requests).toHaveLength(1)
  })

  test('a model that repeats one call is told so, and then has to answer', async () => {
    const same: Script = ({ body }) =>
      body.tool_choice === 'none' ? answer('Enough.') : answer({ toolCall: { name: 'list_files', arguments: {} } })
    const { ask, path, model } = await startLimited({}, same)
    expect((await ask('Go', {}, path)).body.data.text).toBe('Enough.')
    expect(model.requests).toHaveLength(5)
    expect(results(model.requests.at(-1)!.body).at(-1)).toContain('This very call was made before')
  })
})

describe('silence is no answer', () => {
  const call: Script = ({ body }, index) => insatiable({ body: { ...body, tool_choice: 'auto' } } as never, index)

  test('of a model that calls tools although it has to answer', async () => {
    const { ask, path, succeed } = await startLimited({ max_steps: 2 }, call)
    const message_id = 'd'.repeat(24)
    const { status, body } = await ask('Go', { message_id }, path)
    expect([status, body.error_code]).toEqual([500, 'AGENT_FAILED'])
    expect(body.message).toContain('had to answer')
    const { data } = await succeed('GET', `${path}/message/${message_id}`)
    expect(data).toMatchObject({ ai_resolution_status: 'completed', response: '', error_message: body.message })
  })

  test('of a model that only thinks', async () => {
    const { ask, path } = await startLimited({}, () => answer({ reasoning: 'Hm.' }))
    const { status, body } = await ask('Go', {}, path)
    expect([status, body.message]).toEqual([500, expect.stringContaining('ended without an answer')])
  })

  test('but a file stands without a word', async () => {
    const file = { name: 'create_file', arguments: { name: 'a.md', content: '# A' } }
    const script: Script = (_, index) => (index === 0 ? answer({ toolCall: file }) : answer())
    const { ask, path } = await startLimited({}, script)
    expect(await ask('Go', {}, path)).toMatchObject({ status: 200, body: { data: { text: '' } } })
  })
})

describe('tokens', () => {
  const greedy: Script = ({ body }, index) => ({
    ...(insatiable({ body } as never, index) as { steps: never[] }),
    usage: { input: 400, output: 100 },
  })

  test('a run that comes near its limit answers before it reaches it', async () => {
    const { ask, path, model } = await startLimited({ max_tokens: 2_600 }, greedy)
    expect((await ask('Go', {}, path)).body.data.text).toBe('Enough.')
    expect(model.requests).toHaveLength(5)
  })

  test('a run that is over its limit fails, and says which limit it was', async () => {
    const huge: Script = (request, index) => ({
      ...(insatiable(request, index) as { steps: never[] }),
      usage: { input: 5_000, output: 1_000 },
    })
    const { ask, path, model } = await startLimited({ max_tokens: 1_000 }, huge)
    const { status, body } = await ask('Go', {}, path)
    expect([status, body.error_code]).toEqual([500, 'AGENT_FAILED'])
    expect(body.message).toContain('used up 1000 tokens, the max_tokens of its agent')
    expect(model.requests).toHaveLength(1)
  })
})

test('a run that takes too long fails, keeps what it said, and says which limit it was', async () => {
  const { ask, path, succeed } = await startLimited({ max_seconds: 1 }, () => answer('Half of ', { hang: true }))
  const message_id = 'e'.repeat(24)
  const { status, body } = await ask('Go', { message_id }, path)
  expect([status, body.message]).toEqual([500, expect.stringContaining('took longer than 1 seconds')])
  const { data } = await succeed('GET', `${path}/message/${message_id}`)
  expect(data).toMatchObject({ response: 'Half of ', error_message: body.message })
})

test('a long result of a tool is cut for the model, and says so', async () => {
  const script: Script = ({ body }) =>
    results(body).length === 0
      ? answer({ toolCall: { name: 'no_such_tool_'.repeat(20), arguments: {} } })
      : answer('Done.')
  const { ask, path, model } = await startLimited({ max_tool_output_characters: 50 }, script)
  expect((await ask('Go', {}, path)).status).toBe(200)
  expect(results(model.requests[1]!.body)[0]).toMatch(/^Error: .{50}\n\(cut here: \d+ more characters\)$/)
})

test('limits are shown with the agent, are changed together, and null stands for the default', async () => {
  const { agent, succeed } = await startLimited({ max_steps: 3 })
  const none = { max_tokens: null, max_seconds: null, max_tool_output_characters: null }
  expect((await succeed('GET', `/agents/${agent}`)).data.limits).toEqual({ max_steps: 3, ...none })
  const { data } = await succeed('PATCH', `/agents/${agent}`, { limits: { max_seconds: 5 } })
  expect(data.limits).toEqual({ ...none, max_steps: null, max_seconds: 5 })
})

test('wrong limits are refused', async () => {
  const { call } = await startTestChat()
  await everyRow(
    [
      { max_steps: 0 },
      { max_steps: 101 },
      { max_steps: 1.5 },
      { max_steps: '3' },
      { max_tokens: -1 },
      { max_seconds: 86_401 },
      { max_tool_output_characters: 0 },
    ],
    async (limits) => {
      const { status, body } = await call('POST', '/agents', { name: 'Guide', limits })
      expect([status, body.details[0].path]).toEqual([400, `limits.${Object.keys(limits)[0]}`])
    },
  )
})
