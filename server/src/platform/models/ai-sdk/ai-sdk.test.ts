import { afterEach, describe, expect, test } from 'vitest'
import {
  answer,
  inOrder,
  type ModelServer,
  type Script,
  startModelServer,
} from '../../../../tests/support/models/model-server.ts'
import type { ModelDelta, ModelMessage, ModelReply, ModelRequest } from '../model.ts'
import { createModels } from '../models.ts'

let server: ModelServer
afterEach(() => server?.close())

const VENDORS = {
  anthropic: { model: 'anthropic/claude-sonnet-5-5', label: 'Anthropic', keySetting: 'ANTHROPIC_API_KEY' },
  google: { model: 'google/gemini-3.8-flash', label: 'Google', keySetting: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  openai: { model: 'openai/gpt-6-sol', label: 'OpenAI', keySetting: 'OPENAI_API_KEY' },
}
type Vendor = keyof typeof VENDORS
const vendors = Object.keys(VENDORS) as Vendor[]

function models(timeouts = { firstTokenMs: 10_000, idleMs: 10_000, totalMs: 10_000 }) {
  return createModels(
    {
      anthropic: { apiKey: 'secret', baseUrl: server.anthropicUrl },
      google: { apiKey: 'secret', baseUrl: server.googleUrl },
      openai: { apiKey: 'secret', baseUrl: server.openaiUrl, api: 'responses' },
      timeouts,
    },
    { builtin: {} },
  )
}

/** @param onBatch told of how many batches have come */
async function ask(
  vendor: Vendor,
  script: Script,
  request: Partial<ModelRequest> = {},
  onBatch?: (count: number) => void,
) {
  server = await startModelServer({ script })
  return askAgain(vendor, request, models(), onBatch)
}

async function askAgain(
  vendor: Vendor,
  request: Partial<ModelRequest> = {},
  all = models(),
  onBatch?: (count: number) => void,
) {
  const batches: ModelDelta[][] = []
  const turn = await all.resolve(VENDORS[vendor].model).generate(
    { messages: [{ role: 'user', content: 'Hi' }], tools: [], ...request },
    {
      onDeltas(deltas) {
        batches.push(deltas)
        onBatch?.(batches.length)
      },
      signal: new AbortController().signal,
    },
  )
  return { turn, batches, deltas: batches.flat().map((delta) => `${delta.type}:${delta.text}`) }
}

describe.each(vendors)('%s', (vendor) => {
  const { label, keySetting } = VENDORS[vendor]

  test('streams reasoning and text, and tells usage', async () => {
    const { turn, deltas } = await ask(vendor, () => ({
      steps: [{ reasoning: 'Hm' }, { reasoning: '.' }, 'Grü', 'ße 👋'],
      usage: { input: 100, cached: 40, output: 7, reasoning: 3 },
    }))
    expect(deltas).toEqual(['reasoning:Hm', 'reasoning:.', 'text:Grü', 'text:ße 👋'])
    expect(turn).toMatchObject({ text: 'Grüße 👋', reasoning: 'Hm.', toolCalls: [], finishReason: 'stop' })
    expect(turn.usage).toMatchObject({ inputTokens: 100, cachedInputTokens: 40, outputTokens: 7 })
  })

  test('hands over tokens as they come', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const script = () => answer('a', { until: first.promise }, 'b', { until: second.promise }, 'c')
    const { batches } = await ask(vendor, script, {}, (count) => (count === 1 ? first : second).resolve())
    expect(batches.map((batch) => batch.map((delta) => delta.text))).toEqual([['a'], ['b'], ['c']])
  })

  test('tokens of one read come in few batches', async () => {
    const { batches } = await ask(vendor, () => answer(...Array.from({ length: 200 }, (_, i) => ` ${i}`)))
    expect(batches.flat()).toHaveLength(200)
    expect(batches.length).toBeLessThan(20)
  })

  test('says when the answer was cut short by the limit on its length', async () => {
    const { turn } = await ask(vendor, () => ({ steps: ['a'], finishReason: 'length' }), { maxOutputTokens: 5 })
    expect(turn.finishReason).toBe('length')
  })

  test('sends tools, images and the key', async () => {
    await ask(vendor, () => answer('ok'), {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is it?', images: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }] },
      ],
      tools: [{ name: 'find', description: 'Finds it.', parameters: { type: 'object', properties: {} } }],
    })
    const [request] = server.requests
    expect(Object.values(request?.headers ?? {})).toContainEqual(expect.stringMatching(/^(Bearer )?secret$/))
    const body = JSON.stringify(request?.body)
    for (const part of ['Be brief.', 'What is it?', 'image/png', 'iVBORw0KGgo=', '"find"', 'Finds it.']) {
      expect(body).toContain(part)
    }
  })

  test('a tool call goes out and its result comes back, with what the vendor signed', async () => {
    const { turn } = await ask(vendor, () =>
      answer({ reasoning: 'I must look.' }, { toolCall: { id: 'call_7', name: 'find', arguments: { name: 'cat' } } }),
    )
    expect(turn.finishReason).toBe('tool-calls')
    expect(turn.toolCalls).toEqual([{ id: expect.any(String), name: 'find', arguments: '{"name":"cat"}' }])
    await askAgain(vendor, { messages: followUp(turn) })
    const body = JSON.stringify(server.requests[1]?.body)
    expect(body).toMatch(/"signed-|"sealed-/)
    expect(body).toContain('It sleeps.')
    expect(body).not.toContain('never sent')
  })

  test('the turn of another vendor is sent without its signatures', async () => {
    const providerState = { protocol: 'ai-sdk', vendor: 'another', content: [{ type: 'text', text: 'wrong' }] }
    const turn = { text: 'Looking.', toolCalls: [{ id: 'c1', name: 'find', arguments: 'no JSON' }], providerState }
    await ask(vendor, () => answer('ok'), { messages: followUp(turn) })
    const body = JSON.stringify(server.requests[0]?.body)
    expect(body).toContain('Looking.')
    expect(body).not.toContain('wrong')
  })

  test.each([
    [
      'a wrong key',
      { status: 401, body: { error: { message: 'bad key', type: 'authentication_error' } } },
      `${label} does not accept the API key in ${keySetting} (key, 401).`,
      'bad key',
    ],
    [
      'an unknown model',
      {
        status: 404,
        body: { error: { message: 'model: claude-x was not found', type: 'not_found_error', code: 404 } },
      },
      `${label} does not know the model "${VENDORS[vendor].model.split('/')[1]}". Name another one in the agent or in DOCENT_MODEL (unknown-model, 404).`,
      'model: claude-x was not found',
    ],
    ['a failure', { status: 500, body: 'oops' }, `${label} failed (provider, 500).`, 'oops'],
  ])('%s is told in a sentence', async (_name, reply, message, detail) => {
    await expect(ask(vendor, () => reply)).rejects.toMatchObject({ code: 'AGENT_FAILED', message, detail })
    expect(server.requests).toHaveLength(1)
  })

  test('an overload is tried again', async () => {
    const { turn } = await ask(vendor, inOrder({ status: 503, headers: { 'retry-after': '0' } }, answer('ok')))
    expect(turn.text).toBe('ok')
  })

  test.each([true, 'clean'] as const)('a stream that is cut (%s) says so, and its tokens stand', async (cut) => {
    server = await startModelServer({ script: () => answer('Half', { cut }) })
    const seen: string[] = []
    const turn = models()
      .resolve(VENDORS[vendor].model)
      .generate(
        { messages: [{ role: 'user', content: 'Hi' }], tools: [] },
        { onDeltas: (deltas) => seen.push(...deltas.map((d) => d.text)), signal: new AbortController().signal },
      )
    await expect(turn).rejects.toMatchObject({ message: `The answer of ${label} ended before it was finished (cut).` })
    expect(seen).toEqual(['Half'])
  })

  test.each([
    ['a web page', { bytes: ['<html>hello</html>'], contentType: 'text/html' }],
    ['events of another kind', { bytes: ['data: {"hello": 1}\n\ndata: oops\n\n'] }],
  ])('%s is no answer', async (_name, reply) => {
    const failure = await ask(vendor, () => reply).catch((error) => error)
    expect(failure).toMatchObject({ code: 'AGENT_FAILED', reason: 'unreadable' })
  })

  test('a provider that falls silent ends with the limit and loses the connection', async () => {
    server = await startModelServer({ script: () => answer('a', { hang: true }) })
    await expect(askAgain(vendor, {}, models({ firstTokenMs: 5000, idleMs: 50, totalMs: 5000 }))).rejects.toThrow(
      /DOCENT_MODEL_IDLE_TIMEOUT/,
    )
    await server.requests[0]?.left
  })

  test('nothing listening is reported with the setting', async () => {
    server = await startModelServer()
    await server.close()
    await expect(askAgain(vendor)).rejects.toThrow(/cannot be reached: .*_BASE_URL/)
  })
})

test('the words of an error in the middle of an Anthropic stream are kept for the log', async () => {
  const start = {
    type: 'message_start',
    message: { id: 'm', model: 'x', usage: { input_tokens: 1, output_tokens: 0 } },
  }
  const frames = [
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ]
  await expect(ask('anthropic', () => ({ frames }))).rejects.toMatchObject({
    message: 'Anthropic failed (provider, 529).',
    detail: 'Overloaded',
  })
})

test('Anthropic may cache the instructions and the conversation so far', async () => {
  await ask('anthropic', () => answer('ok'), {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
  })
  const { system, messages } = server.requests[0]?.body ?? {}
  expect(system[0].cache_control).toEqual({ type: 'ephemeral' })
  expect(messages[0].content[0].cache_control).toEqual({ type: 'ephemeral' })
})

test('an account without reasoning summaries is served without them from then on', async () => {
  const refusal = {
    status: 400,
    body: {
      error: { message: 'Your organization must be verified', param: 'reasoning.summary', code: 'unsupported_value' },
    },
  }
  const { turn } = await ask('openai', inOrder(refusal, answer('ok'), answer('ok')))
  expect(turn.text).toBe('ok')
  expect(server.requests.map((request) => request.body.reasoning?.summary)).toEqual(['auto', undefined])
  expect(server.requests[1]?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
})

test('OpenAI models that do not reason are asked by chat completions', async () => {
  server = await startModelServer()
  for (const model of [
    'openai/gpt-4.1',
    'openai/gpt-5-chat-latest',
    'openai/ft:gpt-4o:me::1',
    'openai/o3',
    'openai/gpt-5-mini',
  ]) {
    await models()
      .resolve(model)
      .generate(
        { messages: [{ role: 'user', content: 'Hi' }], tools: [], maxOutputTokens: 9 },
        { onDeltas() {}, signal: new AbortController().signal },
      )
  }
  expect(server.requests.map((request) => request.protocol)).toEqual([
    'chat-completions',
    'chat-completions',
    'chat-completions',
    'responses',
    'responses',
  ])
  expect(server.requests[0]?.body.max_completion_tokens).toBe(9)
})

function followUp(turn: Pick<ModelReply, 'text' | 'toolCalls' | 'providerState'>): ModelMessage[] {
  return [
    { role: 'user', content: 'Where is the cat?' },
    // State is kept as JSON between turns.
    {
      role: 'assistant',
      content: turn.text,
      toolCalls: turn.toolCalls,
      providerState: JSON.parse(JSON.stringify(turn.providerState)),
    },
    {
      role: 'tool',
      toolCallId: turn.toolCalls[0]?.id ?? '',
      toolName: 'find',
      content: 'It sleeps.',
      data: 'never sent',
    },
  ]
}
