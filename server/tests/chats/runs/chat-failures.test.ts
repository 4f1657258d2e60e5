import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { shapeOf, textOf } from '../../support/chats/events.ts'
import { answer, inOrder, type Reply } from '../../support/models/model-server.ts'
import { fillDisk } from '../../support/storage/full-disk.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const hello = answer('Hello')

/** Asks once, as a stream and blocking, and gives what both said of the failure. */
async function fail(reply: Reply | (() => Reply), settings: Record<string, string> = {}) {
  const script = () => (typeof reply === 'function' ? reply() : reply)
  const chat = await startTestChat({ script, settings })
  const blocking = await chat.ask('Hi')
  expect(blocking).toMatchObject({ status: 500, body: { error_code: 'AGENT_FAILED', message: expect.any(String) } })
  const events = await (await chat.stream('Hi')).rest()
  const error = events.at(-1)!
  expect(error).toMatchObject({ type: 'error', text: blocking.body.message })
  const message = await chat.message(events[0]!.data.message_id)
  expect(message).toMatchObject({
    ai_resolution_status: 'completed',
    error_message: error.text,
    response: textOf(events),
    reasoning: textOf(events, 'reasoning'),
  })
  return { text: blocking.body.message as string, events, message }
}

test.each<[string, Reply, RegExp]>([
  [
    'answers 500',
    { status: 500, body: { error: { message: 'GPU on fire' } } },
    /^The OpenAI-compatible server failed \(provider, 500\)\.$/,
  ],
  ['answers 500 without a word', { status: 500 }, /500/],
  ['does not take the key', { status: 401, body: { error: { message: 'bad key' } } }, /API[ _]key|key/i],
  [
    'does not know the model',
    { status: 404, body: { error: { message: 'The model does not exist' } } },
    /does not know the model "scripted"/,
  ],
  [
    'is overrun',
    { status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '60' } },
    /takes no more requests for now\. Try again later \(rate-limited, 429\)\.$/,
  ],
  [
    'answers a web page',
    { bytes: ['<!doctype html><html>'], contentType: 'text/html' },
    /: a web page\. Check OPENAI_COMPATIBLE_BASE_URL/,
  ],
  [
    'answers rubbish',
    { bytes: ['\u0001\u0002 rubbish'], contentType: 'application/octet-stream' },
    /OPENAI_COMPATIBLE_BASE_URL/,
  ],
  ['closes the connection', { drop: true }, /\w/],
  ['answers an empty body', { bytes: [''], contentType: 'text/event-stream' }, /\w/],
])('a provider that %s gives a clear error', async (_name, reply, said) => {
  const { text, events } = await fail(reply)
  expect(text).toMatch(said)
  expect(text).not.toMatch(/127\.0\.0\.1:\d+.*at |node:internal|undefined|\[object/)
  expect(shapeOf(events)).toBe('metadata error')
})

test('a provider that cuts the stream in the middle leaves what it said', async () => {
  const { events, message } = await fail(answer({ reasoning: 'Hm.' }, 'Half of ', 'it', { cut: true }))
  expect(shapeOf(events)).toBe('metadata reasoning end_reasoning response error')
  expect(message).toMatchObject({ response: 'Half of it', reasoning: 'Hm.' })
})

test('a provider that answers nothing is given up after the time for the first token', async () => {
  const { text } = await fail({ silence: true }, { DOCENT_MODEL_FIRST_TOKEN_TIMEOUT: '0.1' })
  expect(text).toMatch(/sent no first token within 0\.1 s.*DOCENT_MODEL_FIRST_TOKEN_TIMEOUT/)
})

test('a provider that stops in the middle is given up after the time between tokens', async () => {
  const { text, message } = await fail(answer('a', 'b', { hang: true }), { DOCENT_MODEL_IDLE_TIMEOUT: '1' })
  expect(text).toMatch(/sent nothing more for 1 s.*DOCENT_MODEL_IDLE_TIMEOUT/)
  expect(message.response).toBe('ab')
})

test('a provider that never comes to an end is given up after the time in all', async () => {
  const endless = { steps: Array.from({ length: 2_000 }, () => 'x'), tokenDelayMs: 10 }
  const { text, message } = await fail(endless, { DOCENT_MODEL_TOTAL_TIMEOUT: '2' })
  expect(text).toMatch(/did not finish within 2 s.*DOCENT_MODEL_TOTAL_TIMEOUT/)
  expect(message.response).toMatch(/^x+$/)
})

test('a provider that cannot be reached is named', async () => {
  const { text } = await fail(hello, { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9' })
  expect(text).toMatch(/cannot be reached: nothing listens there \(ECONNREFUSED\)\. Check OPENAI_COMPATIBLE_BASE_URL/)
})

test('a model without its setting is named with it', async () => {
  const { text } = await fail(hello, { OPENAI_COMPATIBLE_BASE_URL: '' })
  expect(text).toMatch(/OPENAI_COMPATIBLE_BASE_URL/)
})

test('a chat goes on after a failure', async () => {
  const { ask } = await startTestChat({ script: inOrder({ status: 400, body: { error: { message: 'no' } } }, hello) })
  expect((await ask('Hi')).status).toBe(500)
  expect((await ask('Hi')).body.data.text).toBe('Hello')
})

test('a key in the words of a provider does not reach the caller', async () => {
  const complaint = { status: 401, body: { error: { message: 'Incorrect API key provided: sk-very-secret-key.' } } }
  const { text } = await fail(complaint, { OPENAI_COMPATIBLE_API_KEY: 'sk-very-secret-key' })
  expect(text).not.toContain('very-secret')
})

test('an answer that cannot be stored at first is stored a moment later, and then sent', async () => {
  const { services, stream, message } = await startTestChat({
    script: () => answer('Hello', { waitMs: 50 }),
    settings: { LOG_LEVEL: 'silent' },
  })
  const reader = await stream('Hi')
  const [metadata] = await reader.until('response')
  const makeRoom = await fillDisk(services.db)
  const room = delay(300).then(makeRoom)
  expect(shapeOf(await reader.rest())).toBe('end_response')
  await room
  expect(await message(metadata!.data.message_id)).toMatchObject({ response: 'Hello', error_message: null })
})

test('an answer that cannot be stored at all is no answer', async () => {
  const { services, ask, stream, message } = await startTestChat({
    script: () => answer('Hello'),
    settings: { LOG_LEVEL: 'silent' },
  })
  const makeRoom = await fillDisk(services.db)
  const fields = { message_id: 'a'.repeat(24) }
  const [blocking, reader] = await Promise.all([ask('Hi', fields), stream('Hi', fields)])
  expect(blocking).toMatchObject({ status: 500, body: { error_code: 'AGENT_FAILED' } })
  expect(blocking.body.message).toMatch(/could not be stored/)
  expect(shapeOf(await reader.rest())).toBe('metadata response error')
  await makeRoom()
  // Nobody who asks again is told that it went well, or waits for ever.
  expect(await ask('Hi', fields)).toMatchObject({ status: 500, body: { error_code: 'AGENT_FAILED' } })
  // And it does not stay in progress.
  await expect
    .poll(() => message(fields.message_id))
    .toMatchObject({ ai_resolution_status: 'completed', error_message: expect.stringContaining('not be stored') })
})
