import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { type ReadEvent, shapeOf, textOf, withoutPings } from '../../support/chats/events.ts'
import { isOnPostgres } from '../../support/database/database.ts'
import { answer, inOrder } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const BARE = { extended_text: null, subtype: null }
/** Pings have numbers, too. */
const sequence_number = expect.any(Number)

test('a stream is metadata, the tokens, the end, and [DONE], each field as the contract has it', async () => {
  const { stream } = await startTestChat({ script: () => answer('Hel', 'lo', '!') })
  const reader = await stream('Hi')
  const events = withoutPings(await reader.rest())
  const id = events[0]!.data.message_id
  expect(id).toMatch(/^[0-9a-f]{24}$/)
  expect(events).toEqual([
    { ...BARE, type: 'metadata', text: '', data: { message_id: id }, elapsed_ms: null, sequence_number: 0 },
    { ...BARE, type: 'response', text: 'Hel', data: null, sequence_number },
    { ...BARE, type: 'response', text: 'lo', data: null, sequence_number },
    { ...BARE, type: 'response', text: '!', data: null, sequence_number },
    { ...BARE, type: 'end_response', text: '', data: { message_id: id, citations: [] }, sequence_number },
  ])
  expect(reader.raw().endsWith('\n\ndata: [DONE]\n\n')).toBe(true)
})

test('the headers are those of a stream that nothing buffers', async () => {
  const { stream } = await startTestChat()
  const { response, rest } = await stream('Hi')
  await rest()
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/)
  expect(response.headers.get('content-length')).toBeNull()
})

test('the rate limit is in the headers of a stream, too', async () => {
  const { stream } = await startTestChat({ settings: { DOCENT_RATE_LIMIT: '100', DOCENT_RATE_BURST: '50' } })
  const { response, rest } = await stream('Hi')
  await rest()
  expect(response.headers.get('ratelimit-policy')).toBe('"default";q=50;w=1')
})

test('reasoning comes before the answer, and its end is sent once', async () => {
  const script = () => answer({ reasoning: 'Let me ' }, { reasoning: 'think.' }, 'Yes', '.')
  const { stream, message } = await startTestChat({ script })
  const events = withoutPings(await (await stream('Hi')).rest())
  expect(events.map((event) => event.type)).toEqual([
    'metadata',
    'reasoning',
    'reasoning',
    'end_reasoning',
    'response',
    'response',
    'end_response',
  ])
  expect(events[1]).toEqual({ ...BARE, type: 'reasoning', text: 'Let me ', data: null, sequence_number })
  expect(events[3]).toEqual({ ...BARE, type: 'end_reasoning', text: '', data: null, sequence_number })
  const stored = await message(events[0]!.data.message_id)
  expect(stored).toMatchObject({ reasoning: 'Let me think.', response: 'Yes.', ai_resolution_status: 'completed' })
})

test('a tool call is sent when it begins and when it has ended, with the time it took so far', async () => {
  const call = { toolCall: { name: 'list_files', arguments: {} } }
  const script = inOrder(answer('I look. ', call), answer('There ', 'are none.'))
  const { stream, newAgent, newChat } = await startTestChat({ script })
  const agent = await newAgent({ tools: ['list_files'] })
  const events = await (await stream('What is there?', {}, await newChat({}, agent))).rest()
  expect(shapeOf(events)).toBe('metadata response tool_call_start tool_call_result response end_response')
  const [started, ended] = events.filter((event) => event.type === 'live_update') as [ReadEvent, ReadEvent]
  expect(started).toEqual({
    type: 'live_update',
    subtype: 'tool_call_start',
    text: expect.any(String),
    extended_text: null,
    data: { tool_name: 'list_files', preview: null, tool_call_id: expect.any(String), arguments: {} },
    elapsed_ms: expect.any(Number),
    sequence_number,
  })
  expect(ended).toEqual({
    type: 'live_update',
    subtype: 'tool_call_result',
    text: expect.any(String),
    extended_text: null,
    data: {
      tool_name: 'list_files',
      tool_call_id: started.data.tool_call_id,
      preview: {
        title: '0 files in 0 folders',
        content: 'There are no documents.',
        content_type: 'markdown',
        status: 'completed',
      },
    },
    elapsed_ms: expect.any(Number),
    sequence_number,
  })
  expect(ended.elapsed_ms).toBeGreaterThanOrEqual(started.elapsed_ms!)
  // Texts of two turns do not run into each other.
  expect(textOf(events)).toBe('I look. \n\nThere are none.')
})

test('a tool that the agent does not have, or is called wrongly, fails for the model and not for the run', async () => {
  const call = (name: string, args: string) => ({ toolCall: { name, arguments: args } })
  const script = inOrder(answer(call('nothing', '{}')), answer(call('list_files', '{"name')), answer('Well.'))
  const { stream, newAgent, newChat, model } = await startTestChat({ script })
  const agent = await newAgent({ tools: ['list_files'] })
  const events = await (await stream('Hi', {}, await newChat({}, agent))).rest()
  const results = events.filter((event) => event.subtype === 'tool_call_result')
  expect(results.map((event) => [event.data.tool_name, event.data.preview.status])).toEqual([
    ['nothing', 'error'],
    ['list_files', 'error'],
  ])
  expect(textOf(events)).toBe('Well.')
  expect(model.requests[1]!.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(/no tool named nothing/),
  })
  expect(model.requests[2]!.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(/not valid JSON/),
  })
})

test('sequence numbers grow, and elapsed_ms stands where the contract has it and nowhere else', async () => {
  const call = { toolCall: { name: 'list_files', arguments: {} } }
  const script = inOrder(answer({ reasoning: 'Hm' }, 'a', call), answer({ reasoning: 'Hm' }, 'b', 'c'))
  const { stream, newAgent, newChat } = await startTestChat({ script })
  const agent = await newAgent({ tools: ['list_files'] })
  const events = await (await stream('Hi', {}, await newChat({}, agent))).rest()
  const numbers = events.map((event) => event.sequence_number)
  expect(numbers).toEqual(numbers.map((_, index) => index))
  for (const event of events) {
    const elapsed = 'elapsed_ms' in event ? event.elapsed_ms : 'absent'
    if (event.type === 'metadata') expect(elapsed).toBeNull()
    else if (event.type === 'live_update') expect(elapsed).toEqual(expect.any(Number))
    else expect(elapsed).toBe('absent')
  }
})

test('every character survives: signs, line ends, halves of pairs, and what looks like an event', async () => {
  const texts = [
    'a\n\ndata: [DONE]\n\n',
    '\u2028\u2029',
    '\r\n',
    '"\\',
    '👋'.slice(0, 1),
    '👋'.slice(1),
    'ü\u0000',
    '日本',
  ]
  const { stream, message } = await startTestChat({ script: () => answer(...texts) })
  const events = await (await stream('Hi')).rest()
  expect(textOf(events)).toBe(texts.join(''))
  // PostgreSQL's text holds everything but the character 0.
  const stored = isOnPostgres ? texts.join('').replaceAll('\0', '\ufffd') : texts.join('')
  expect((await message(events[0]!.data.message_id)).response).toBe(stored)
})

test('metadata comes at once, also when the model says nothing yet', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { stream } = await startTestChat({ script: () => answer({ until: promise }, 'late') })
  const reader = await stream('Hi')
  expect((await reader.next())!.type).toBe('metadata')
  resolve()
  expect(shapeOf(await reader.rest())).toBe('response end_response')
})

test('metadata comes at once, also when another message is being answered in the chat', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const script = inOrder(answer('a', { until: promise }, 'b'), answer('c'))
  const { stream } = await startTestChat({ script })
  const one = await stream('first')
  await one.until('response')
  const other = await stream('second')
  expect((await other.next())!.type).toBe('metadata')
  resolve()
  expect(textOf(await one.rest())).toBe('b')
  expect(textOf(await other.rest())).toBe('c')
})

test('a ping comes after a second without an event', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { stream } = await startTestChat({ script: () => answer({ until: promise }, 'a') })
  const begun = performance.now()
  const reader = await stream('Hi')
  await reader.next()
  expect(await reader.next()).toEqual({ ...BARE, type: 'ping', text: '', data: null, sequence_number: 1 })
  expect(performance.now() - begun).toBeGreaterThan(900)
  resolve()
  expect(shapeOf(await reader.rest())).toBe('response end_response')
})

test('a message that waits for its turn is kept alive by pings, too', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const script = inOrder(answer('a', { until: promise }, 'b'), answer('c'))
  const { stream } = await startTestChat({ script })
  const one = await stream('first')
  await one.until('response')
  const other = await stream('second')
  expect((await other.until('ping')).map(({ type }) => type)).toEqual(['metadata', 'ping'])
  resolve()
  expect(shapeOf(await other.rest())).toBe('response end_response')
  await one.rest()
})

test('a stream that cannot begin is refused with JSON', async () => {
  const { call, path, agentId } = await startTestChat()
  const stream = { query: 'Hi', is_stream: true }
  const refusals: [string, unknown, number, string][] = [
    [`${path}/query`, { is_stream: true }, 400, 'VALIDATION_ERROR'],
    [`${path}/query`, { ...stream, message_id: 'x' }, 400, 'VALIDATION_ERROR'],
    [`/agents/${agentId}/chats/${agentId}/query`, stream, 404, 'CHAT_NOT_FOUND'],
    [`/agents/nothing/chats/nothing/query`, stream, 404, 'AGENT_NOT_FOUND'],
  ]
  for (const [at, body, status, error_code] of refusals) {
    const reply = await call('POST', at, body)
    expect(reply).toMatchObject({ status, body: { error_code, message: expect.any(String) } })
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
})

test.each([
  ['before the first token', () => ({ status: 500, body: { error: { message: 'boom' } } }), ''],
  ['in the middle', () => answer('Half of ', 'it', { cut: true }), 'Half of it'],
])('a run that fails %s is an error event, and nothing but [DONE] follows', async (_name, script, text) => {
  const { stream, message } = await startTestChat({ script })
  const events = await (await stream('Hi')).rest()
  expect(textOf(events)).toBe(text)
  const last = events.at(-1)!
  expect(last).toEqual({
    ...BARE,
    type: 'error',
    text: expect.stringMatching(/\w+.*\.$/),
    data: null,
    sequence_number,
  })
  expect(shapeOf(events)).toBe(text ? 'metadata response error' : 'metadata error')
  const stored = await message(events[0]!.data.message_id)
  expect(stored).toMatchObject({ ai_resolution_status: 'completed', response: text, error_message: last.text })
})

test('a client that leaves does not stop the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const script = () => answer('a', { until: promise }, 'b', { waitMs: 50 }, 'c')
  const { stream, message, model } = await startTestChat({ script })
  const reader = await stream('Hi')
  const [metadata] = await reader.until('response')
  reader.leave()
  setTimeout(resolve, 200)
  await expect.poll(async () => (await message(metadata!.data.message_id)).ai_resolution_status).toBe('completed')
  expect(await message(metadata!.data.message_id)).toMatchObject({ response: 'abc', error_message: null })
  expect(model.requests[0]!.aborted).toBe(false)
})

test('a client that leaves gives its place among the open streams back', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const script = () => answer('a', { until: promise })
  const { stream, newChat, call } = await startTestChat({ script, settings: { DOCENT_MAX_STREAMS: '2' } })
  // Before the server stops, which waits for answers.
  onTestFinished(() => resolve())
  const [one, two, three] = [await newChat(), await newChat(), await newChat()]
  const first = await stream('Hi', {}, one)
  await stream('Hi', {}, two)
  const refused = await call('POST', `${three}/query`, { query: 'Hi', is_stream: true })
  expect(refused).toMatchObject({ status: 429, body: { error_code: 'RATE_LIMITED' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  first.leave()
  await expect.poll(() => stream('Hi', {}, three).catch(() => 'refused')).not.toBe('refused')
})

test('a reader that does not read is cut at 1 MiB, the answer is stored whole, and the reader may resume', async () => {
  const piece = 'x'.repeat(64 * 1024)
  // The sockets of the kernel take some megabytes of their own before anything piles up here.
  const pieces = Array.from({ length: 400 }, () => piece)
  const { url, owner, path, history, services } = await startTestChat({
    alone: true,
    script: () => ({ steps: pieces, tokenDelayMs: 0 }),
  })
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const response = await fetch(`${url}/v1${path}/query`, {
    method: 'POST',
    headers: { 'x-api-key': owner.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'Hi', is_stream: true }),
    signal: controller.signal,
  })
  // By its row: each look at the history would read all that was said so far.
  const status = async () => (await services.db.selectFrom('message').select('status').executeTakeFirstOrThrow()).status
  await expect.poll(status, { timeout: 200_000, interval: 250 }).toBe('completed')
  const [message] = (await history()).messages
  expect(message.response).toHaveLength(pieces.length * piece.length)
  await expect(response.text()).rejects.toThrow()
  const rest = await fetch(`${url}/v1${path}/message/${message.id}/events?starting_after=0`, {
    headers: { 'x-api-key': owner.apiKey },
  })
  const replayed = await rest.text()
  expect(replayed.length).toBeGreaterThan(message.response.length)
  expect(replayed.endsWith('data: [DONE]\n\n')).toBe(true)
}, 240_000)

test('a reader that reads is not cut, however long the answer and its replay', async () => {
  const piece = 'x'.repeat(64 * 1024)
  const pieces = Array.from({ length: 80 }, () => piece)
  const { stream, newChat } = await startTestChat({ script: () => ({ steps: pieces, tokenDelayMs: 0 }) })
  const chat = await newChat()
  const id = 'a'.repeat(24)
  const live = await (await stream('Hi', { message_id: id }, chat)).rest()
  expect(textOf(live)).toHaveLength(pieces.length * piece.length)
  const reader = await stream('Hi', { message_id: id }, chat)
  await delay(100)
  expect(textOf(await reader.rest())).toHaveLength(pieces.length * piece.length)
})

test('many streams of one message show the same, whenever they came', async () => {
  const script = () => ({ steps: Array.from({ length: 40 }, (_, i) => `${i} `), tokenDelayMs: 5 })
  const { stream } = await startTestChat({ script })
  const id = 'b'.repeat(24)
  const readers = []
  for (let i = 0; i < 8; i++) {
    readers.push(await stream('Hi', { message_id: id }))
    await delay(20)
  }
  const all = await Promise.all(readers.map((reader) => reader.rest()))
  const expected = Array.from({ length: 40 }, (_, i) => `${i} `).join('')
  for (const events of all) {
    expect(events[0]).toMatchObject({ type: 'metadata', data: { message_id: id } })
    expect(textOf(events)).toBe(expected)
    const numbers = events.map((event) => event.sequence_number)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  }
})
