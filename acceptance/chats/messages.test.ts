import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { getWithBody } from '../support/get-with-body.ts'
import { conversationWith, makeAgent, makeChat, newConversation } from '../support/make.ts'
import { openStream } from '../support/stream.ts'
import { target } from '../support/target.ts'
import { scripted } from '../support/tests.ts'
import { aTime, freshId, malformedIds } from '../support/values.ts'

let talk: Awaited<ReturnType<typeof newConversation>>
let ids: string[]

beforeAll(async () => {
  talk = await newConversation()
  ids = []
  for (let i = 0; i < 5; i++) ids.push((await talk.answer(`say ${i}`)).message_id)
})

const history = async (query = '', body?: unknown) => dataOf(await getWithBody(`${talk.path}/messages${query}`, body))
const idsOf = (data: any) => data.messages.map((message: any) => message.id)

describe('a message', () => {
  test('has every field of the contract', async () => {
    const { text, message_id } = await talk.answer('say 9')
    ids.push(message_id)
    expect(await talk.message(message_id)).toMatchObject({
      id: message_id,
      query: 'say 9',
      response: text,
      chat_id: talk.chat.id,
      agent_id: talk.agent.id,
      created_at: aTime,
      updated_at: aTime,
      message_type: 'ai_chat',
      is_pinned: false,
      reasoning: expect.any(String),
      ai_resolution_status: 'completed',
      error_message: null,
      quick_action_id: null,
      quick_action_fields_with_values: [],
      citations: [],
    })
  })

  test('has downloadable_output only when it is asked for', async () => {
    for (const query of ['', '?downloadable_output=false', '?downloadable_output=0'])
      expect(await talk.message(ids[0]!, query), query).not.toHaveProperty('downloadable_output')
    for (const value of ['true', 'TRUE', '1'])
      expect((await talk.message(ids[0]!, `?downloadable_output=${value}`)).downloadable_output, value).toEqual({})
  })

  test('downloadable_output that is neither true nor false is 400', () =>
    everyRow(['maybe', 'yes', '', '2', 'null'], async (value) =>
      expectError(
        await api.get(`${talk.path}/message/${ids[0]}?downloadable_output=${value}`),
        400,
        'VALIDATION_ERROR',
      ),
    ))

  scripted('is in_progress while the agent works', async () => {
    const own = await newConversation()
    const stream = await openStream(`${own.path}/query`, { query: 'say x\nhang', is_stream: true })
    const { data } = await stream.seen(({ type }) => type === 'metadata')
    expect((await own.message(data.message_id)).ai_resolution_status).toBe('in_progress')
    await api.post(`${own.path}/message/${data.message_id}/cancel`)
  })

  test('under a chat of the same agent that it is not in is 404', async () => {
    const chat = await makeChat(talk.agent.id)
    const reply = await api.get(`/agents/${talk.agent.id}/chats/${chat.id}/message/${ids[0]}`)
    expectError(reply, 404, 'MESSAGE_NOT_FOUND')
  })

  test('under another agent is 404 CHAT_NOT_FOUND', async () => {
    const { id } = await makeAgent()
    expectError(await api.get(`/agents/${id}/chats/${talk.chat.id}/message/${ids[0]}`), 404, 'CHAT_NOT_FOUND')
  })

  const calls = [
    ['get', '', undefined],
    ['patch', '', { is_pinned: true }],
    ['delete', '', undefined],
    ['post', '/cancel', undefined],
    ['post', '/feedback', { rating: 'up' }],
    ['get', '/events', undefined],
  ] as const
  const wrong: [string, string][] = [
    ['unknown', freshId()],
    ...malformedIds,
    ['very long', 'x'.repeat(500)],
    ['a zero', '%00'],
  ]
  test('every endpoint of a message answers an id that is not there with 404 MESSAGE_NOT_FOUND', () =>
    everyRow(
      calls.flatMap(([method, path, body]) => wrong.map(([what, id]) => [method, path, what, id, body] as const)),
      async (method, path, _, id, body) =>
        expectError(await api[method](`${talk.path}/message/${id}${path}`, body), 404, 'MESSAGE_NOT_FOUND'),
    ))
})

describe('the history', () => {
  test('answers {messages, total, page, page_size, count, has_more}', async () => {
    expect(await history()).toMatchObject({
      messages: expect.any(Array),
      total: ids.length,
      page: 1,
      page_size: 50,
      count: ids.length,
      has_more: false,
    })
  })

  test('is oldest first by default, and asc', async () => {
    expect(idsOf(await history())).toEqual(ids)
    expect(idsOf(await history('', { order: 'asc' }))).toEqual(ids)
  })

  test('is newest first with desc', async () => {
    expect(idsOf(await history('', { order: 'desc' }))).toEqual([...ids].reverse())
  })

  test('an item has the fields of a message, with downloadable_output', async () => {
    const [first] = (await history()).messages
    expect(first).toEqual(await talk.message(first.id, '?downloadable_output=true'))
    expect(first).toMatchObject({ downloadable_output: {}, output_files: [] })
  })

  test('takes its parameters from the JSON body of the GET', async () => {
    const data = await history('', { page: 2, page_size: 2 })
    expect([data.page, data.page_size, data.count, idsOf(data)]).toEqual([2, 2, 2, ids.slice(2, 4)])
    const last = await history('', { from_message: ids[2], page: 2, page_size: 2, order: 'desc' })
    expect(last).toMatchObject({ total: ids.length - 2, page: 2, page_size: 2, has_more: ids.length > 6 })
    expect(idsOf(last)).toEqual(ids.slice(2).reverse().slice(2, 4))
  })

  test('takes them from the query string too', async () => {
    expect(idsOf(await history('?page=2&page_size=2'))).toEqual(ids.slice(2, 4))
  })

  test('the body wins over the query string', async () => {
    expect(idsOf(await history('?page_size=4&order=desc', { page_size: 1 }))).toEqual([ids.at(-1)])
    expect(idsOf(await history('?order=asc&page_size=1', { order: 'desc' }))).toEqual([ids.at(-1)])
    expect(idsOf(await history('?page=abc', { page: 1 }))).toEqual(ids)
    expect(idsOf(await history(`?from_message=${ids[2]}`, { from_message: null }))).toEqual(ids)
  })

  test('a body that names nothing leaves all as it is', async () => {
    for (const body of [{}, { from_message: null }]) expect(idsOf(await history('', body))).toEqual(ids)
  })

  test('an empty body is as good as none', async () => {
    expect(idsOf(await history('', {}))).toEqual(ids)
  })

  test('has_more tells of the next page', async () => {
    const more = async (page: number) => (await history('', { page, page_size: ids.length - 1 })).has_more
    expect([await more(1), await more(2)]).toEqual([true, false])
  })

  test('a page past the end is empty, with the total', async () => {
    expect(await history('', { page: 99 })).toMatchObject({
      messages: [],
      count: 0,
      total: ids.length,
      has_more: false,
    })
  })

  test('from_message is inclusive and gives all later messages', async () => {
    const data = await history('', { from_message: ids[2] })
    expect([idsOf(data), data.total]).toEqual([ids.slice(2), ids.length - 2])
  })

  test('from_message with desc gives the same ones, newest first', async () => {
    expect(idsOf(await history('', { from_message: ids[2], order: 'desc' }))).toEqual(ids.slice(2).reverse())
  })

  test('from_message null is as good as none', async () => {
    expect((await history('', { from_message: null })).total).toBe(ids.length)
  })

  test('a from_message that is not there is 404 MESSAGE_NOT_FOUND', async () => {
    await everyRow([['unknown', freshId()], ...malformedIds, ['very long', 'x'.repeat(500)]], async (_, id) => {
      expectError(await getWithBody(`${talk.path}/messages`, { from_message: id }), 404, 'MESSAGE_NOT_FOUND')
      expectError(await api.get(`${talk.path}/messages?from_message=${id}`), 404, 'MESSAGE_NOT_FOUND')
    })
    expectError(await api.get(`${talk.path}/messages?from_message=%00`), 404, 'MESSAGE_NOT_FOUND')
  })

  test('a from_message of another chat is 404', async () => {
    const other = await conversationWith(talk.agent)
    const reply = await getWithBody(`${other.path}/messages`, { from_message: ids[0] })
    expectError(reply, 404, 'MESSAGE_NOT_FOUND')
  })

  test('page_size is taken from 1 to 100', () =>
    everyRow([1, 100], async (page_size) => expect((await history('', { page_size })).page_size).toBe(page_size)))

  test('wrong parameters in the body are 400', () =>
    everyRow(
      [
        { page: 0 },
        { page: -1 },
        { page: 1.5 },
        { page: '1' },
        { page: null },
        { page: true },
        { page_size: 0 },
        { page_size: 101 },
        { page_size: '50' },
        { page_size: true },
        { order: 'up' },
        { order: 'ASC' },
        { order: 1 },
        { from_message: 5 },
      ],
      async (body) => expectError(await getWithBody(`${talk.path}/messages`, body), 400, 'VALIDATION_ERROR'),
    ))

  test('wrong parameters in the query string are 400', () =>
    everyRow(
      [
        'page=0',
        'page=1.5',
        'page=-1',
        'page=1e2',
        'page=0x1',
        'page=abc',
        'page=',
        'page=%201',
        'page=99999999999999999999',
        'page=1&page=2',
        'page_size=0',
        'page_size=101',
        'order=up',
        'order=',
      ],
      async (query) => expectError(await api.get(`${talk.path}/messages?${query}`), 400, 'VALIDATION_ERROR'),
    ))

  test('a body that is no object is 400', () =>
    everyRow(
      [
        ['a list', [1]],
        ['an empty list', []],
        ['a text', 'text'],
        ['null', null],
        ['a number', 5],
      ],
      async (_, body) => expectError(await getWithBody(`${talk.path}/messages`, body), 400, 'VALIDATION_ERROR'),
    ))

  test('an unknown field is ignored', async () => {
    expect((await history('', { colour: 'blue' })).total).toBe(ids.length)
  })
})

describe('deleting a message', () => {
  test('answers an empty object', async () => {
    const own = await newConversation()
    const { message_id } = await own.answer('say x')
    const reply = await api.delete(`${own.path}/message/${message_id}`)
    expect([reply.status, reply.body]).toEqual([200, {}])
  })

  test('it is gone, from the history too', async () => {
    const own = await newConversation()
    const { message_id } = await own.answer('say x')
    await api.delete(`${own.path}/message/${message_id}`)
    expectError(await api.get(`${own.path}/message/${message_id}`), 404, 'MESSAGE_NOT_FOUND')
    expect(dataOf(await api.get(`${own.path}/messages`)).total).toBe(0)
  })

  test('twice is 404 MESSAGE_NOT_FOUND', async () => {
    const own = await newConversation()
    const { message_id } = await own.answer('say x')
    await api.delete(`${own.path}/message/${message_id}`)
    expectError(await api.delete(`${own.path}/message/${message_id}`), 404, 'MESSAGE_NOT_FOUND')
  })

  scripted("it leaves the agent's memory too", async () => {
    const own = await newConversation()
    const { message_id } = await own.answer('say secret heron')
    await api.delete(`${own.path}/message/${message_id}`)
    expect((await own.answer('echo')).text).not.toContain('heron')
  })

  scripted('one that runs is cancelled first', async () => {
    const own = await newConversation()
    const stream = await openStream(`${own.path}/query`, { query: 'say x\nhang', is_stream: true })
    const { data } = await stream.seen(({ type }) => type === 'response').then(() => stream.events[0]!)
    expect((await api.delete(`${own.path}/message/${data.message_id}`)).status).toBe(200)
    expect((await stream.done()).at(-1)).toMatchObject({ type: 'error', text: 'cancelled' })
    expectError(await api.get(`${own.path}/message/${data.message_id}`), 404, 'MESSAGE_NOT_FOUND')
  })
})

describe('pinning', () => {
  test('pin_response shows as is_pinned', async () => {
    const own = await newConversation()
    const { message_id } = await own.answer('say x', { pin_response: true })
    expect((await own.message(message_id)).is_pinned).toBe(true)
  })

  test.each([true, false])('PATCH sets is_pinned to %s', async (is_pinned) => {
    const own = await newConversation()
    const { message_id } = await own.answer('say x', { pin_response: !is_pinned })
    expect(dataOf(await api.patch(`${own.path}/message/${message_id}`, { is_pinned })).is_pinned).toBe(is_pinned)
    expect((await own.message(message_id)).is_pinned).toBe(is_pinned)
  })

  test('an is_pinned that is neither true nor false is 400', () =>
    everyRow(['true', 1, null], async (is_pinned) =>
      expectError(await api.patch(`${talk.path}/message/${ids[0]}`, { is_pinned }), 400, 'VALIDATION_ERROR'),
    ))
})

describe('feedback', () => {
  const give = (body: object) => api.post(`${talk.path}/message/${ids[1]}/feedback`, body)

  test.each(['up', 'down'])('%s is kept, with its comment', async (rating) => {
    expect((await give({ rating, comment: 'Because.' })).status).toBe(200)
    expect((await talk.message(ids[1]!)).feedback).toEqual({ rating, comment: 'Because.' })
  })

  test('null takes it back', async () => {
    await give({ rating: 'up' })
    await give({ rating: null })
    expect((await talk.message(ids[1]!)).feedback).toBeNull()
  })

  test('wrong feedback is 400', () =>
    everyRow([{}, { rating: 'great' }, { rating: 1 }, { rating: 'up', comment: 5 }], async (body) =>
      expectError(await give(body), 400, 'VALIDATION_ERROR'),
    ))
})

describe.skipIf(!target.model)('cancelling', () => {
  async function cancelled() {
    const own = await newConversation()
    const stream = await openStream(`${own.path}/query`, { query: 'say partial\nhang', is_stream: true })
    await stream.seen(({ type }) => type === 'response')
    const id = stream.events[0]!.data.message_id
    const reply = await api.post(`${own.path}/message/${id}/cancel`)
    await stream.done()
    return { own, stream, id, reply }
  }

  test('answers the message', async () => {
    const { reply, id } = await cancelled()
    expect(dataOf(reply).id).toBe(id)
  })

  test('the stream ends with an error event cancelled, then [DONE]', async () => {
    const { stream } = await cancelled()
    expect(stream.events.at(-1)).toMatchObject({ type: 'error', text: 'cancelled' })
    expect(stream.wire().endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('the message is completed, keeps its partial text, and says cancelled', async () => {
    const { own, id } = await cancelled()
    expect(await own.message(id)).toMatchObject({
      ai_resolution_status: 'completed',
      response: 'partial',
      error_message: 'cancelled',
    })
  })

  test('the next query runs', async () => {
    const { own } = await cancelled()
    expect((await own.answer('say next')).text).toBe('next')
  })

  test('of a message that is complete changes nothing', async () => {
    const { status } = await api.post(`${talk.path}/message/${ids[0]}/cancel`)
    expect([status, (await talk.message(ids[0]!)).error_message]).toEqual([200, null])
  })
})
