import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  answer,
  inOrder,
  type ModelServer,
  type Reply,
  type Script,
  startModelServer,
} from '../../../tests/support/models/model-server.ts'
import type { ModelDelta } from './model.ts'
import { createModels } from './models.ts'

let server: ModelServer
afterEach(() => server?.close())

const LONG = { firstTokenMs: 10_000, idleMs: 10_000, totalMs: 10_000 }

async function start(script: Script | Reply) {
  server = await startModelServer({ script: typeof script === 'function' ? script : () => script })
}

function ask(timeouts = LONG, { signal = new AbortController().signal, baseUrl = server.openaiUrl, model = 'm' } = {}) {
  const models = createModels({ openaiCompatible: { baseUrl, apiKey: 'sk-secret' }, timeouts }, { builtin: {} })
  const deltas: ModelDelta[] = []
  const turn = models
    .resolve(`openai-compatible/${model}`)
    .generate(
      { messages: [{ role: 'user', content: 'Hi' }], tools: [] },
      { onDeltas: (d) => deltas.push(...d), signal },
    )
  return { turn, deltas }
}

describe('time', () => {
  test('a provider that accepts and says nothing ends with the first-token limit', async () => {
    await start({ silence: true })
    // Time enough for the request to be there, on a busy machine, too.
    await expect(ask({ ...LONG, firstTokenMs: 1_000 }).turn).rejects.toMatchObject({
      reason: 'timeout',
      message:
        'The OpenAI-compatible server sent no first token within 1 s. The limit is DOCENT_MODEL_FIRST_TOKEN_TIMEOUT (timeout).',
    })
    await server.requests[0]?.left
    expect(server.requests[0]?.aborted).toBe(true)
  })

  test('headers and comments are no first token', async () => {
    await start({ bytes: Array.from({ length: 100 }, () => ': still there\n\n'), delayMs: 10 })
    await expect(ask({ ...LONG, firstTokenMs: 60 }).turn).rejects.toThrow(/DOCENT_MODEL_FIRST_TOKEN_TIMEOUT/)
  })

  test('a provider that falls silent ends with the idle limit, and its tokens stand', async () => {
    await start(answer('a', 'b', { hang: true }))
    const { turn, deltas } = ask({ ...LONG, idleMs: 1_000 })
    await expect(turn).rejects.toThrow(/sent nothing more for 1 s. The limit is DOCENT_MODEL_IDLE_TIMEOUT/)
    expect(deltas.map((delta) => delta.text)).toEqual(['a', 'b'])
  })

  test('a slow drip that never pauses long ends with the total limit', async () => {
    await start({ steps: Array.from({ length: 200 }, () => 'a'), tokenDelayMs: 10 })
    await expect(ask({ firstTokenMs: 5000, idleMs: 5000, totalMs: 80 }).turn).rejects.toThrow(
      /did not finish within 0.08 s. The limit is DOCENT_MODEL_TOTAL_TIMEOUT/,
    )
  })

  test('every token starts the idle limit anew, and so do the pieces of a tool call', async () => {
    const piece = (part: string) => ({
      choices: [{ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: part } }] } }],
    })
    const parts = Array.from({ length: 12 }, () => piece(' '))
    await start({ frames: [{ choices: [{ delta: { content: 'a' } }] }, ...parts, '[DONE]'], delayMs: 50 })
    const { toolCalls } = await ask({ ...LONG, idleMs: 300 }).turn
    expect(toolCalls).toHaveLength(1)
  })
})

describe('cancellation', () => {
  test('rejects with its reason and frees the provider', async () => {
    await start({ silence: true })
    const stop = new AbortController()
    const { turn } = ask(LONG, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('cancelled')), 20)
    await expect(turn).rejects.toThrow('cancelled')
    await server.requests[0]?.left
  })

  test('before the request there is no request', async () => {
    await start(answer('a'))
    await expect(ask(LONG, { signal: AbortSignal.abort(new Error('cancelled')) }).turn).rejects.toThrow('cancelled')
    expect(server.requests).toHaveLength(0)
  })

  test('is the end of the deltas too, whatever had arrived', async () => {
    await start({ steps: ['a', 'b', 'c', 'd'], tokenDelayMs: 5 })
    const stop = new AbortController()
    const models = createModels({ openaiCompatible: { baseUrl: server.openaiUrl }, timeouts: LONG }, { builtin: {} })
    const seen: string[] = []
    const onDeltas = (deltas: ModelDelta[]) => {
      // On a busy machine several arrive at once.
      seen.push(deltas.map((delta) => delta.text).join(''))
      stop.abort(new Error('cancelled'))
    }
    const turn = models
      .resolve('openai-compatible/m')
      .generate({ messages: [], tools: [] }, { onDeltas, signal: stop.signal })
    await expect(turn).rejects.toThrow('cancelled')
    await server.requests[0]?.left
    expect(seen).toHaveLength(1)
    expect('abcd').toMatch(new RegExp(`^${seen[0]}`))
  })

  test('a receiver that throws ends the turn with what it threw', async () => {
    await start(answer('a', { hang: true }))
    const models = createModels({ openaiCompatible: { baseUrl: server.openaiUrl }, timeouts: LONG }, { builtin: {} })
    const turn = models.resolve('openai-compatible/m').generate(
      { messages: [], tools: [] },
      {
        onDeltas() {
          throw new Error('full')
        },
        signal: new AbortController().signal,
      },
    )
    await expect(turn).rejects.toThrow('full')
    await server.requests[0]?.left
  })
})

describe('retries', () => {
  const busy: Reply = { status: 503, body: 'busy', headers: { 'retry-after': '0' } }

  test('twice, where it may help', async () => {
    await start(inOrder(busy, { status: 429, headers: { 'retry-after-ms': '5' } }, answer('ok')))
    expect((await ask().turn).text).toBe('ok')
    expect(server.requests).toHaveLength(3)
  })

  test('not a third time', async () => {
    await start(busy)
    await expect(ask().turn).rejects.toMatchObject({
      reason: 'provider',
      message: 'The OpenAI-compatible server failed (provider, 503).',
      detail: 'busy',
    })
    expect(server.requests).toHaveLength(3)
  })

  test('a connection that is dropped is opened again', async () => {
    await start(inOrder({ drop: true }, answer('ok')))
    expect((await ask().turn).text).toBe('ok')
  })

  test('not when the provider asks to wait long', async () => {
    await start({ status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'Slow down.' } } })
    await expect(ask().turn).rejects.toMatchObject({
      reason: 'rate-limited',
      message: 'The OpenAI-compatible server takes no more requests for now. Try again later (rate-limited, 429).',
      detail: 'Slow down',
    })
    expect(server.requests).toHaveLength(1)
  })

  test('not for a wrong key, nor for a 500', async () => {
    await start(inOrder({ status: 401 }, { status: 500 }))
    await expect(ask().turn).rejects.toThrow()
    await expect(ask().turn).rejects.toThrow()
    expect(server.requests).toHaveLength(2)
  })

  test('not once a token came', async () => {
    await start(answer('a', { cut: true }))
    await expect(ask().turn).rejects.toMatchObject({ reason: 'cut' })
    expect(server.requests).toHaveLength(1)
  })

  test('all of them within the first-token limit', async () => {
    await start({ status: 503, headers: { 'retry-after': '4' } })
    await expect(ask({ ...LONG, firstTokenMs: 50 }).turn).rejects.toThrow(/DOCENT_MODEL_FIRST_TOKEN_TIMEOUT/)
    expect(server.requests).toHaveLength(1)
  })
})

describe('providers that are not there', () => {
  test('a port where nothing listens is named with its setting', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => listener.on('listening', resolve))
    const { port } = listener.address() as { port: number }
    await new Promise((resolve) => listener.close(resolve))
    await expect(ask(LONG, { baseUrl: `http://127.0.0.1:${port}/v1` }).turn).rejects.toMatchObject({
      reason: 'unreachable',
      message:
        'The OpenAI-compatible server cannot be reached: nothing listens there (ECONNREFUSED). Check OPENAI_COMPATIBLE_BASE_URL (unreachable).',
      detail: `at 127.0.0.1:${port}`,
    })
  })

  test('a name that does not exist', async () => {
    await expect(ask(LONG, { baseUrl: 'http://models.invalid/v1' }).turn).rejects.toThrow(
      /cannot be reached: its name .*OPENAI_COMPATIBLE_BASE_URL/,
    )
  })

  test('TLS towards a server that has none', async () => {
    await start(answer('a'))
    await expect(ask(LONG, { baseUrl: server.openaiUrl.replace('http:', 'https:') }).turn).rejects.toThrow(
      /cannot be reached: it does not speak TLS/,
    )
  })

  test('something that speaks no HTTP', async () => {
    const listener = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1')
    await new Promise((resolve) => listener.on('listening', resolve))
    const { port } = listener.address() as { port: number }
    await expect(ask(LONG, { baseUrl: `http://127.0.0.1:${port}` }).turn).rejects.toThrow(/it does not speak HTTP/)
    listener.close()
  })
})
