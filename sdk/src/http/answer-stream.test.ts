import { expect, test } from 'vitest'
import { type Reply, startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { startTestApp } from '../../../server/tests/support/test-app.ts'
import { Docent, type StreamEvent } from '../index.ts'

const STEPS = ['The kiln ', 'fires at ', '1240 degrees.']

async function startChat(script: () => Reply = () => ({ steps: STEPS })) {
  const model = await startModelServer({ script })
  const { url, owner } = await startTestApp({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/test',
  })
  const docent = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  const agent = await docent.agents.create({ name: 'Potter', tools: [] })
  const chat = await docent.chats.create(agent.id)
  const ask = () => docent.chats.stream(agent.id, chat.id, { query: 'How hot?' })
  return { docent, ask, path: [agent.id, chat.id] as const, [Symbol.asyncDispose]: () => model.close() }
}

test('the text comes piece by piece in a loop, and whole when it is awaited', async () => {
  await using chat = await startChat()
  const pieces: string[] = []
  for await (const piece of chat.ask().text()) pieces.push(piece)
  expect(pieces.join('')).toBe(STEPS.join(''))
  expect(await chat.ask().text()).toBe(STEPS.join(''))
})

test('final tells what the answer came to, whatever was read before', async () => {
  await using chat = await startChat()
  const whole = chat.ask()
  const expected = { message_id: whole.messageId, text: STEPS.join(''), citations: [], review: null }
  expect(await whole.final()).toEqual(expected)
  const stream = chat.ask()
  const seen: StreamEvent[] = []
  for await (const event of stream.events()) seen.push(event)
  expect(seen.at(-1)).toMatchObject({ type: 'end_response' })
  expect(await stream.final()).toEqual({ ...expected, message_id: stream.messageId })
  const again = chat.docent.chats.messages.events(...chat.path, stream.messageId)
  expect(await again.text()).toBe(STEPS.join(''))
})

test('an answer that fails, fails in each of them', async () => {
  await using chat = await startChat(() => ({ status: 400 }))
  await expect(chat.ask().final()).rejects.toMatchObject({ code: 'AGENT_FAILED' })
  await expect(Promise.resolve(chat.ask().text())).rejects.toMatchObject({ code: 'AGENT_FAILED' })
})
