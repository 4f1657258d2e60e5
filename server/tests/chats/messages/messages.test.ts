import { expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { shapeOf } from '../../support/chats/events.ts'
import { manualClock } from '../../support/clock.ts'
import { answer, inOrder } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const ID = /^[0-9a-f]{24}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const invalid = { status: 400, body: { error_code: 'VALIDATION_ERROR' } }
const noMessage = { status: 404, body: { error_code: 'MESSAGE_NOT_FOUND' } }

/** A chat of `count` messages, one second apart; `ids` oldest first. */
async function startHistory(count: number) {
  const clock = manualClock()
  const chat = await startTestChat({ clock, script: (_request, index) => answer(`answer ${index}`) })
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    clock.pass(1_000)
    ids.push((await chat.ask(`query ${i}`)).body.data.message_id)
  }
  const page = async (query: string) => {
    const data = await chat.history(query)
    expect(data.count).toBe(data.messages.length)
    return { ...data, ids: data.messages.map((message: any) => message.id) }
  }
  /** Lists messages with the parameters in the body of the GET, as in the contract. */
  const byBody = (body: unknown, query = '') => getWithBody(chat, `${chat.path}/messages?${query}`, body)
  return { ...chat, clock, ids, page, byBody }
}

/** `fetch` sends no body with GET, so this goes over the wire by hand. */
async function getWithBody(
  { url, owner }: { url: string; owner: { apiKey: string } },
  path: string,
  body: unknown,
): Promise<{ status: number; body: any }> {
  const { request } = await import('node:http')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'x-api-key': owner.apiKey, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1${path}`, {
      method: 'GET',
      headers: { ...headers, 'content-length': Buffer.byteLength(text) },
    })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const chunks = await response.toArray()
      resolve({ status: response.statusCode!, body: JSON.parse(Buffer.concat(chunks).toString()) })
    })
    sent.end(text)
  })
}

test('a message has every field of the contract', async () => {
  const { ask, call, path, agentId } = await startTestChat({ script: () => answer({ reasoning: 'Hm.' }, 'Hello') })
  const { body } = await ask('Hi', { pin_response: true })
  const reply = await call('GET', `${path}/message/${body.data.message_id}`)
  expect(reply.status).toBe(200)
  expect(reply.body.data).toMatchObject({
    id: body.data.message_id,
    query: 'Hi',
    response: 'Hello',
    chat_id: path.split('/').at(-1),
    agent_id: agentId,
    created_at: expect.stringMatching(TIME),
    updated_at: expect.stringMatching(TIME),
    message_type: 'ai_chat',
    is_pinned: true,
    reasoning: 'Hm.',
    ai_resolution_status: 'completed',
    error_message: null,
    quick_action_id: null,
    quick_action_fields_with_values: [],
    citations: [],
  })
})

test('a message that runs is in progress, and shows what was said so far once it is stored', async () => {
  const { stream, message, call, path } = await startTestChat({ script: () => answer('a', { hang: true }) })
  const [metadata] = await (await stream('Hi')).until('response')
  const id = metadata!.data.message_id
  expect(await message(id)).toMatchObject({ ai_resolution_status: 'in_progress', error_message: null })
  await expect.poll(async () => (await message(id)).response).toBe('a')
  expect((await message(id)).ai_resolution_status).toBe('in_progress')
  await call('DELETE', path)
})

test('the history is the first fifty, oldest first, unless it is set otherwise', async () => {
  const { page, ids, path, message } = await startHistory(3)
  expect(await page('')).toMatchObject({ ids, total: 3, page: 1, page_size: 50, count: 3, has_more: false })
  const whole = (await page('')).messages[0]
  expect(whole).toEqual({ ...(await message(ids[0]!, path)), downloadable_output: {}, output_files: [] })
  expect((await page('order=desc')).ids).toEqual(ids.toReversed())
  expect((await page('order=asc')).ids).toEqual(ids)
})

test('an empty chat has an empty history', async () => {
  const { history } = await startTestChat()
  expect(await history()).toEqual({ messages: [], total: 0, page: 1, page_size: 50, count: 0, has_more: false })
})

test('pages follow each other without gaps, and has_more is true until the last', async () => {
  const { page, ids } = await startHistory(7)
  for (const [order, expected] of [
    ['asc', ids],
    ['desc', ids.toReversed()],
  ] as const) {
    const seen: string[] = []
    for (let number = 1; number <= 4; number++) {
      const data = await page(`order=${order}&page=${number}&page_size=2`)
      expect(data).toMatchObject({ total: 7, page: number, page_size: 2, has_more: number < 4 })
      expect(data.count).toBe(number < 4 ? 2 : 1)
      seen.push(...data.ids)
    }
    expect(seen).toEqual(expected)
  }
  expect(await page('page=5&page_size=2')).toMatchObject({ messages: [], total: 7, count: 0, has_more: false })
  expect(await page('page_size=7')).toMatchObject({ count: 7, has_more: false })
  expect(await page('page_size=6')).toMatchObject({ count: 6, has_more: true })
})

test('from a message: it and all later ones, in either order, counted among themselves', async () => {
  const { page, ids } = await startHistory(6)
  expect(await page(`from_message=${ids[2]}`)).toMatchObject({ ids: ids.slice(2), total: 4, has_more: false })
  const newest = ids.slice(2).toReversed()
  expect((await page(`from_message=${ids[2]}&order=desc`)).ids).toEqual(newest)
  const second = await page(`from_message=${ids[2]}&order=desc&page=2&page_size=3`)
  expect(second).toMatchObject({ ids: newest.slice(3), total: 4, count: 1, has_more: false })
  expect(await page(`from_message=${ids[5]}`)).toMatchObject({ ids: [ids[5]], total: 1 })
  expect(await page(`from_message=${ids[0]}`)).toMatchObject({ ids, total: 6 })
})

test('messages are in the order in which they came, whatever the clocks of their hosts say', async () => {
  let now = Date.parse('2026-03-01T12:00:00.000Z')
  const { ask, history } = await startTestChat({ clock: () => new Date(now), script: () => answer('Hello') })
  const ids: string[] = []
  for (const behindMs of [0, 5_000, 60_000, -10_000, 1]) {
    now -= behindMs
    ids.push((await ask('Hi')).body.data.message_id)
  }
  const { messages } = await history('')
  expect(messages.map(({ id }: any) => id)).toEqual(ids)
  const times = messages.map(({ created_at }: any) => created_at)
  expect(times).toEqual([...times].sort())
  expect(new Set(times).size).toBe(times.length)
  const later = await history(`from_message=${ids[2]}&order=desc`)
  expect(later.messages.map(({ id }: any) => id)).toEqual([ids[4], ids[3], ids[2]])
})

test('a hundred messages of one chat and one instant are in the order in which they came', async () => {
  const { ask, history } = await startTestChat({ clock: manualClock(), script: () => answer('Hello') })
  const ids: string[] = []
  for (let i = 0; i < 100; i++) ids.push((await ask(`query ${i}`)).body.data.message_id)
  const { messages } = await history('page_size=100')
  expect(new Set(messages.map((message: any) => message.created_at)).size).toBe(1)
  expect(messages.map(({ id }: any) => id)).toEqual(ids)
  expect(messages.map(({ query }: any) => query)).toEqual(ids.map((_, i) => `query ${i}`))
})

test('messages of the same instant sort by their ids', async () => {
  const { ask, history } = await startTestChat({ clock: manualClock() })
  const ids = ['c', 'a', 'd', 'b'].map((letter) => letter.repeat(24))
  for (const message_id of ids) await ask('Hi', { message_id })
  const seen = async (query: string) => (await history(query)).messages.map((message: any) => message.id)
  const sorted = ids.toSorted()
  expect(await seen('')).toEqual(sorted)
  expect(await seen('order=desc')).toEqual(sorted.toReversed())
  expect(await seen(`from_message=${sorted[1]}`)).toEqual(sorted.slice(1))
  expect(await seen(`from_message=${sorted[1]}&order=desc`)).toEqual(sorted.slice(1).toReversed())
  expect(await seen('page=2&page_size=3')).toEqual(sorted.slice(3))
})

test('a body of a history that is no JSON is refused like any other, and an empty one says nothing', async () => {
  const { byBody, ids } = await startHistory(2)
  expect(await byBody('{"page":')).toMatchObject({ ...invalid, body: { message: 'The body is not valid JSON' } })
  const { status, body } = await byBody('')
  expect([status, body.data?.messages.map((message: any) => message.id)]).toEqual([200, ids])
})

test('a deleted message answers with an empty object and is gone', async () => {
  const { call, ask, path, history } = await startTestChat({ script: (_request, index) => answer(`${index}`) })
  const [one, two] = [await ask('one'), await ask('two')].map((reply) => reply.body.data.message_id)
  const reply = await call('DELETE', `${path}/message/${one}`)
  expect([reply.status, reply.body]).toEqual([200, {}])
  expect(await call('GET', `${path}/message/${one}`)).toMatchObject(noMessage)
  expect(await call('DELETE', `${path}/message/${one}`)).toMatchObject(noMessage)
  expect((await history()).messages.map((message: any) => message.id)).toEqual([two])
  // Its id is free again.
  const again = await ask('one', { message_id: one })
  expect(again.body.data).toEqual({ text: '2', message_id: one })
})

test('deleting a message that runs cancels it, and the next one has its turn', async () => {
  const { stream, ask, call, path, model } = await startTestChat({
    script: inOrder(answer('a', { hang: true }), answer('next')),
  })
  const running = await stream('one')
  const [metadata] = await running.until('response')
  const waiting = ask('two')
  const id = metadata!.data.message_id
  expect((await call('DELETE', `${path}/message/${id}`)).body).toEqual({})
  const rest = await running.rest()
  expect([shapeOf(rest), rest[0]!.text]).toEqual(['error', 'cancelled'])
  await model.requests[0]!.left
  expect(model.requests[0]!.aborted).toBe(true)
  expect((await waiting).body.data.text).toBe('next')
  expect(await call('GET', `${path}/message/${id}`)).toMatchObject(noMessage)
})

test('a message that waits can be deleted before it ever ran', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { stream, call, path, model, history } = await startTestChat({
    script: () => answer('a', { until: promise }, 'b'),
  })
  const running = await stream('one')
  await running.until('response')
  const waiting = await stream('two')
  const metadata = await waiting.next()
  await call('DELETE', `${path}/message/${metadata!.data.message_id}`)
  expect(shapeOf(await waiting.rest())).toBe('error')
  resolve()
  expect(shapeOf(await running.rest())).toBe('response end_response')
  expect(model.requests).toHaveLength(1)
  expect((await history()).total).toBe(1)
  expect((await history()).messages[0].id).toMatch(ID)
})
