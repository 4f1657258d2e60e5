import { afterEach, describe, expect, test } from 'vitest'
import {
  answer,
  inOrder,
  type ModelServer,
  type Script,
  startModelServer,
} from '../../../../tests/support/models/model-server.ts'
import type { ModelDelta, ModelRequest } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import { createChatCompletionsClient } from './chat-completions.ts'

let server: ModelServer
afterEach(() => server?.close())

/** @param onBatch told of how many batches have come */
async function ask(
  script: Script,
  request: Partial<ModelRequest> = {},
  provider: Partial<ModelProvider> = {},
  onBatch?: (count: number) => void,
) {
  server = await startModelServer({ script })
  return askAgain(request, provider, onBatch)
}

async function askAgain(
  request: Partial<ModelRequest> = {},
  provider: Partial<ModelProvider> = {},
  onBatch?: (count: number) => void,
) {
  const client = createChatCompletionsClient({
    id: 'openai-compatible/m',
    model: 'm',
    contextTokens: 1000,
    provider: {
      id: 'openai-compatible',
      kind: 'openai-compatible',
      label: 'The server',
      baseUrl: server.openaiUrl,
      apiKey: 'secret-key',
      keySetting: 'OPENAI_COMPATIBLE_API_KEY',
      urlSetting: 'OPENAI_COMPATIBLE_BASE_URL',
      ...provider,
    },
  })
  const batches: ModelDelta[][] = []
  const turn = await client.generate(
    { messages: [{ role: 'user', content: 'Hi' }], tools: [], ...request },
    {
      onDeltas(deltas) {
        batches.push(deltas)
        onBatch?.(batches.length)
      },
      onActivity() {},
      signal: new AbortController().signal,
    },
  )
  return { turn, batches, deltas: batches.flat() }
}

const text = (deltas: ModelDelta[]) => deltas.map((delta) => `${delta.type}:${delta.text}`)

describe('text', () => {
  test('streams each token as a delta, those of one read in one batch, and tells usage', async () => {
    const { turn, batches } = await ask(() => ({
      steps: ['Hel', 'lo', '!'],
      usage: { input: 100, cached: 40, output: 3, reasoning: 1 },
    }))
    expect(batches.map(text)).toEqual([['text:Hel', 'text:lo', 'text:!']])
    expect(turn).toEqual({
      text: 'Hello!',
      reasoning: '',
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 3, reasoningTokens: 1 },
    })
  })

  test('hands over what has arrived without waiting for the rest', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const script = () => answer('a', { until: first.promise }, 'b', { until: second.promise }, 'c')
    const { batches } = await ask(script, {}, {}, (count) => (count === 1 ? first : second).resolve())
    expect(batches.map(text)).toEqual([['text:a'], ['text:b'], ['text:c']])
  })

  test('characters cut in the middle of their bytes come out whole', async () => {
    const whole = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Grüße 👋🏽 日本' } }] })}\n\ndata: [DONE]\n\n`
    const { turn } = await ask(() => ({
      bytes: [...Buffer.from(whole)].map((byte) => Buffer.from([byte])),
      delayMs: 1,
    }))
    expect(turn.text).toBe('Grüße 👋🏽 日本')
  })

  test('a plain JSON answer to a request for a stream is one delta', async () => {
    const { turn, deltas } = await ask(() => ({ steps: ['Hel', 'lo'], forceJson: true }))
    expect(text(deltas)).toEqual(['text:Hello'])
    expect(turn).toMatchObject({ text: 'Hello', finishReason: 'stop', usage: { inputTokens: 10 } })
  })

  test.each([
    ['CRLF and comments', ': hello\r\n\r\ndata: {"choices":[{"delta":{"content":"a"}}]}\r\n\r\ndata: [DONE]\r\n\r\n'],
    ['no space after the colon', 'data:{"choices":[{"delta":{"content":"a"}}]}\n\ndata:[DONE]\n\n'],
    ['no empty line at the end', 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}'],
    ['a byte order mark', '\uFEFFdata: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: [DONE]\n\n'],
  ])('reads events with %s', async (_name, body) => {
    const { turn } = await ask(() => ({ bytes: [body], contentType: 'text/plain' }))
    expect(turn.text).toBe('a')
  })

  test('a stream without [DONE] is whole once it gave its reason to finish', async () => {
    const { turn } = await ask(() => ({
      frames: [{ choices: [{ delta: { content: 'a' }, finish_reason: 'length' }] }],
    }))
    expect(turn).toMatchObject({ text: 'a', finishReason: 'length' })
  })

  test('the connection serves the next request too', async () => {
    await ask(() => answer('a'))
    await askAgain()
    expect(server.requests).toHaveLength(2)
    expect(server.connections()).toBe(1)
  })

  test('a server that keeps the stream open after its last event does not delay the answer', async () => {
    const { turn } = await ask(() => ({
      frames: [{ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }, '[DONE]'],
      end: false,
    }))
    expect(turn.text).toBe('a')
    await server.requests[0]?.left
  })
})

describe('reasoning', () => {
  test.each(['reasoning_content', 'reasoning'])('comes from the field %s', async (field) => {
    const { turn, deltas } = await ask(() => ({
      frames: [
        { choices: [{ delta: { role: 'assistant', content: '', [field]: 'Hm.' } }] },
        { choices: [{ delta: { content: 'Yes' }, finish_reason: 'stop' }] },
        '[DONE]',
      ],
    }))
    expect(text(deltas)).toEqual(['reasoning:Hm.', 'text:Yes'])
    expect(turn).toMatchObject({ reasoning: 'Hm.', text: 'Yes' })
  })

  test('comes from a think element at the start of the answer', async () => {
    const { turn } = await ask(() => answer('<th', 'ink>', 'Hm', '.</thi', 'nk>\n\n', 'Yes'))
    expect(turn).toMatchObject({ reasoning: 'Hm.', text: 'Yes' })
  })

  test('beside tool calls it is sent again in its field, for servers that insist', async () => {
    const call = { id: 'c1', name: 'find', arguments: '{}' }
    const { turn } = await ask(() => answer({ reasoning: 'Look it up.' }, { toolCall: call }))
    await askAgain({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', toolCalls: turn.toolCalls, providerState: turn.providerState },
        { role: 'tool', toolCallId: 'c1', toolName: 'find', content: 'Found.', data: { secret: 1 } },
      ],
    })
    expect(server.requests[1]?.body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Look it up.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Found.' },
    ])
  })
})

describe('tool calls', () => {
  const fragments = (...toolCalls: unknown[]): Script => {
    return () => ({
      frames: [...toolCalls.map((call) => ({ choices: [{ delta: { tool_calls: [call] } }] })), '[DONE]'],
    })
  }

  test('are put together from fragments', async () => {
    const { turn } = await ask(() =>
      answer(
        'Let me see. ',
        { toolCall: { id: 'a', name: 'one', arguments: { x: 'ü' } } },
        { toolCall: { id: 'b', name: 'two', arguments: '' } },
      ),
    )
    expect(turn.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":"ü"}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ])
    expect(turn).toMatchObject({ text: 'Let me see. ', finishReason: 'tool-calls' })
  })

  test('come whole, all with index 0, from servers that do not count', async () => {
    const { turn } = await ask(
      fragments(
        { index: 0, id: 'a', function: { name: 'one', arguments: '{"n":1}' } },
        { index: 0, id: 'b', function: { name: 'one', arguments: '{"n":2}' } },
      ),
    )
    expect(turn.toolCalls.map((call) => call.arguments)).toEqual(['{"n":1}', '{"n":2}'])
  })

  test('without ids and indexes are distinguished by their names, and get ids', async () => {
    const { turn } = await ask(
      fragments(
        { function: { name: 'one', arguments: '{"n"' } },
        { function: { arguments: ':1}' } },
        { function: { name: 'two', arguments: { n: 2 } } },
      ),
    )
    expect(turn.toolCalls).toMatchObject([
      { name: 'one', arguments: '{"n":1}' },
      { name: 'two', arguments: '{"n":2}' },
    ])
    const [one, two] = turn.toolCalls.map((call) => call.id)
    expect(one).toMatch(/^call_.{8,}/)
    expect(two).not.toBe(one)
  })

  test('count, also where the server says that it just stopped', async () => {
    const call = { toolCall: { id: 'a', name: 'one', arguments: '{}' } }
    const { turn } = await ask(() => ({ steps: [call], finishReason: 'stop' }))
    expect(turn.finishReason).toBe('tool-calls')
  })

  test('keep arguments that are no JSON as the model wrote them', async () => {
    const { turn } = await ask(fragments({ index: 0, id: 'a', function: { name: 'one', arguments: '{"n": oops' } }))
    expect(turn.toolCalls[0]?.arguments).toBe('{"n": oops')
  })

  test('in a plain JSON answer', async () => {
    const { turn } = await ask(() => ({
      steps: [{ toolCall: { id: 'a', name: 'one', arguments: '{"n":1}' } }],
      forceJson: true,
    }))
    expect(turn.toolCalls).toEqual([{ id: 'a', name: 'one', arguments: '{"n":1}' }])
    expect(turn.finishReason).toBe('tool-calls')
  })
})

describe('requests', () => {
  test('carry the key, messages with images, tools and limits in the wire form', async () => {
    await ask(() => answer('ok'), {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is it?', images: [{ mediaType: 'image/png', data: 'AAAA' }] },
        { role: 'assistant', content: 'A cat.' },
        { role: 'tool', toolCallId: 'x', toolName: 'find', content: 'no such file', isError: true },
      ],
      tools: [{ name: 'find', description: 'Finds.', parameters: { type: 'object' } }],
      toolChoice: 'none',
      maxOutputTokens: 50,
    })
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret-key',
      'content-type': 'application/json',
    })
    expect(server.requests[0]?.body).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 50,
      tool_choice: 'none',
      tools: [{ type: 'function', function: { name: 'find', description: 'Finds.', parameters: { type: 'object' } } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        { role: 'assistant', content: 'A cat.' },
        { role: 'tool', tool_call_id: 'x', content: 'Error: no such file' },
      ],
    })
  })

  test('go without stream_options to a server that refuses them', async () => {
    const refusal = { status: 400, body: { error: { message: "Unknown field 'stream_options'" } } }
    const { turn } = await ask(inOrder(refusal, answer('ok')))
    expect(turn.text).toBe('ok')
    expect(server.requests.map((request) => 'stream_options' in request.body)).toEqual([true, false])
  })

  test('ask for no reasoning where a server does not let it go with tools', async () => {
    const message = "Function tools with reasoning_effort are not supported, set it to 'none'"
    const tools = [{ name: 'find', description: '', parameters: {} }]
    await ask(inOrder({ status: 400, body: { error: { message } } }, answer('ok')), { tools })
    expect(server.requests.map((request) => request.body.reasoning_effort)).toEqual([undefined, 'none'])
  })

  test('keep the query of the base URL', async () => {
    server = await startModelServer()
    await askAgain({}, { baseUrl: `${server.openaiUrl}/?api-version=1` })
    expect(server.requests[0]?.path).toBe('/v1/chat/completions?api-version=1')
  })
})

describe('failures', () => {
  test('a stream that is cut keeps the tokens before, and says that it is not whole', async () => {
    server = await startModelServer({ script: () => answer('Half', { cut: true }) })
    await expect(askAgain()).rejects.toMatchObject({
      reason: 'cut',
      code: 'AGENT_FAILED',
      message: 'The answer of the server ended before it was finished (cut).',
    })
  })

  test('a stream that ends properly but without its end is cut too', async () => {
    await expect(ask(() => answer('Half', { cut: 'clean' }))).rejects.toMatchObject({ reason: 'cut' })
  })

  test('a stream that ends in the middle of an event is cut too', async () => {
    await expect(
      ask(() => ({ bytes: ['data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"choi'] })),
    ).rejects.toMatchObject({ reason: 'cut' })
  })

  test('the words of an error object in the stream are kept for the log', async () => {
    await expect(
      ask(() => ({
        frames: [{ choices: [{ delta: { content: 'a' } }] }, { error: { message: 'GPU on fire', code: 500 } }],
      })),
    ).rejects.toMatchObject({
      reason: 'provider',
      message: 'The server failed (provider, 500).',
      detail: 'GPU on fire',
    })
  })

  test.each([
    ['a web page', { bytes: ['<!doctype html><html>'], contentType: 'text/html' }, /: a web page\./],
    ['a text', { bytes: ['It works! Welcome.'], contentType: 'text/plain' }, /: another type of content\./],
    ['broken JSON', { bytes: ['{"choices": ['], contentType: 'application/json' }, /broken JSON/],
    ['JSON of another kind', { bytes: ['{"hello":1}'], contentType: 'application/json' }, /JSON without a choice/],
    ['events that are no JSON', { bytes: ['data: hello\n\n'] }, /no JSON/],
    ['a text that claims to be events', { bytes: ['hello there\n\n'] }, /without events/],
  ])('%s is no answer', async (_name, reply, message) => {
    const failure = ask(() => reply)
    await expect(failure).rejects.toMatchObject({ reason: 'unreadable', message: expect.stringMatching(message) })
    await expect(failure).rejects.toThrow(/Check OPENAI_COMPATIBLE_BASE_URL/)
  })

  test('cancelling closes the connection to the provider', async () => {
    server = await startModelServer({ script: () => answer('a', { hang: true }) })
    const client = createChatCompletionsClient({
      id: 'x/m',
      model: 'm',
      contextTokens: 1,
      provider: { id: 'x', kind: 'openai-compatible', label: 'X', baseUrl: server.openaiUrl, urlSetting: 'X' },
    })
    const stop = new AbortController()
    const reason = new Error('enough')
    const turn = client.generate(
      { messages: [], tools: [] },
      { onDeltas: () => stop.abort(reason), onActivity() {}, signal: stop.signal },
    )
    await expect(turn).rejects.toBe(reason)
    await server.requests[0]?.left
    expect(server.requests[0]?.aborted).toBe(true)
  })
})
