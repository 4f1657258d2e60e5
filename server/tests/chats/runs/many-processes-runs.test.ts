import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ReadEvent, shapeOf, textOf, withoutPings } from '../../support/chats/events.ts'
import { startReceiver } from '../../support/http/receiver.ts'
import { answer } from '../../support/models/model-server.ts'
import { gate, SLOWLY, startManyProcesses } from '../../support/processes/many-processes.ts'

let many: Awaited<ReturnType<typeof startManyProcesses>>
beforeAll(async () => {
  many = await startManyProcesses({ apis: 2, workers: 1 })
}, SLOWLY)
afterAll(() => many.close(), SLOWLY)

let count = 0
/** A name of its own for each test, so that the model tells their queries apart. */
const named = (query: string) => `${query} (${++count})`
const newMessageId = () => `${++count}`.padStart(24, 'a')

/** Expects of a resumed stream the events of the first one after that event; deltas may come in one. */
function expectRest(whole: ReadEvent[], rest: ReadEvent[], after: number) {
  const known = new Map(whole.map((event) => [event.sequence_number, event]))
  const expected = withoutPings(whole).filter(({ sequence_number }) => sequence_number > after)
  let position = 0
  for (const event of withoutPings(rest)) {
    if (event.type !== 'response' && event.type !== 'reasoning') {
      expect(event).toEqual(expected[position++])
      continue
    }
    let text = ''
    while (expected[position] && expected[position]!.sequence_number <= event.sequence_number) {
      expect(expected[position]!.type).toBe(event.type)
      text += expected[position++]!.text
    }
    expect(event.text).toBe(text)
    expect(known.get(event.sequence_number)?.type).toBe(event.type)
  }
  expect(position).toBe(expected.length)
}

describe('a stream that another process runs', { timeout: SLOWLY }, () => {
  test('goes on where it was, event by event and character by character', async () => {
    const { api, newChat } = many
    const query = named('Tell')
    const tokens = Array.from({ length: 150 }, (_, i) => ['Wörter ', '"quoted"\n', '👋🏽', `${i} `, '日本語 '][i % 5]!)
    const long = 'läng '.repeat(6_000)
    const paused = gate()
    many.answer(query, {
      steps: [
        { reasoning: 'Hm, ' },
        { reasoning: 'so.' },
        ...tokens.slice(0, 60),
        { until: paused.isOpen },
        long,
        ...tokens.slice(60),
      ],
      tokenDelayMs: 3,
    })
    const path = await newChat()
    const messageId = newMessageId()
    const first = await api(0).stream(path, { query, message_id: messageId })
    const begun: ReadEvent[] = []
    while (textOf(begun).length < tokens.slice(0, 40).join('').length) begun.push((await first.next())!)
    const middle = begun[Math.floor(begun.length / 2)]!.sequence_number
    const others = await Promise.all([
      api(1).follow(path, messageId, middle),
      api(1).follow(path, messageId),
      api(1).stream(path, { query, message_id: messageId }),
    ])
    // All have what there was before anything more comes.
    const early = await Promise.all(others.map(async (other) => [(await other.next())!]))
    paused.open()
    const late = api(1).follow(path, messageId, middle)
    const whole = [...begun, ...(await first.rest())]
    expect(textOf(whole)).toBe([...tokens.slice(0, 60), long, ...tokens.slice(60)].join(''))
    const rests = await Promise.all(others.map(async (other, i) => [...early[i]!, ...(await other.rest())]))
    expectRest(whole, rests[0]!, middle)
    expectRest(whole, rests[1]!, -1)
    expectRest(whole, rests[2]!, -1)
    expectRest(whole, await (await late).rest(), middle)
    expectRest(whole, await (await api(1).follow(path, messageId, middle)).rest(), middle)
    expect(many.asked.filter((asked) => asked === query)).toHaveLength(1)
  })

  test('comes as it is said, not when it is over', async () => {
    const { api, newChat } = many
    const query = named('Slowly')
    const second = gate()
    const last = gate()
    many.answer(query, answer('One ', { until: second.isOpen }, 'two ', { until: last.isOpen }, 'three'))
    const path = await newChat()
    const messageId = newMessageId()
    const first = await api(0).stream(path, { query, message_id: messageId })
    await first.until('response')
    const other = await api(1).follow(path, messageId)
    expect(textOf(await other.until('response'))).toBe('One ')
    second.open()
    await first.until('response')
    expect(textOf(await other.until('response'))).toBe('two ')
    last.open()
    expect(textOf(await other.rest())).toBe('three')
  })

  test('is heard of by a blocking query with the same id, and by one that waits', async () => {
    const { api, newChat } = many
    const query = named('Wait')
    const open = gate()
    many.answer(query, answer('It ', { until: open.isOpen }, 'is.'))
    const path = await newChat()
    const messageId = newMessageId()
    const first = await api(0).stream(path, { query, message_id: messageId })
    await first.until('response')
    const again = api(1).call('POST', `${path}/query`, { query, message_id: messageId })
    await delay(300)
    open.open()
    expect((await again).body.data).toEqual({ text: 'It is.', message_id: messageId })
    expect(shapeOf(await first.rest())).toBe('response end_response')
  })
})

test(
  'one message_id that two processes get at once is answered once, for both',
  async () => {
    const { api, newChat } = many
    for (const isStream of [false, true]) {
      const query = named('Twice')
      many.answer(query, answer('On', { waitMs: 300 }, 'ce'))
      const path = await newChat()
      const messageId = newMessageId()
      const texts = await Promise.all(
        [0, 1, 0, 1].map(async (index) => {
          const sent = { query, message_id: messageId }
          if (isStream) return textOf(await (await api(index).stream(path, sent)).rest())
          return (await api(index).call('POST', `${path}/query`, sent)).body.data.text
        }),
      )
      expect(texts).toEqual(['Once', 'Once', 'Once', 'Once'])
      expect(many.asked.filter((asked) => asked === query)).toHaveLength(1)
      const other = await api(1).call('POST', `${path}/query`, { query: 'Something else', message_id: messageId })
      expect(other).toMatchObject({ status: 400, body: { error_code: 'MESSAGE_ID_CONFLICT' } })
    }
  },
  SLOWLY,
)

describe('one chat', { timeout: SLOWLY }, () => {
  test('answers one message at a time, in order, whichever processes they came to', async () => {
    const { api, newChat, asked } = many
    const path = await newChat()
    const receiver = await startReceiver()
    const queries = ['a', 'b', 'c', 'd', 'e'].map(named)
    const gates = queries.map(gate)
    for (const [i, query] of queries.entries()) many.answer(query, answer({ until: gates[i]!.isOpen }, `to ${query}`))
    const isOurs = (query: string) => queries.includes(query)
    const accepted = async (number: number) =>
      expect.poll(async () => (await api(0).call('GET', `${path}/messages`)).body.data.total).toBe(number)
    const ask = (index: number, query: string) => api(index).call('POST', `${path}/query`, { query })
    const replies = [ask(0, queries[0]!)]
    await accepted(1)
    replies.push(ask(1, queries[1]!))
    await accepted(2)
    await api(0).call('POST', `${path}/async_query`, { query: queries[2]!, webhook_url: receiver.url })
    await accepted(3)
    replies.push(ask(0, queries[3]!))
    await accepted(4)
    replies.push(ask(1, queries[4]!))
    await accepted(5)
    for (const [i] of queries.entries()) {
      await expect.poll(() => asked.filter(isOurs)).toEqual(queries.slice(0, i + 1))
      await delay(i === 0 ? 1_000 : 100)
      expect(asked.filter(isOurs)).toHaveLength(i + 1)
      gates[i]!.open()
    }
    const texts = (await Promise.all(replies)).map(({ body }) => body.data.text)
    expect(texts).toEqual([0, 1, 3, 4].map((i) => `to ${queries[i]!}`))
    expect(JSON.parse((await receiver.next()).body).data.response).toBe(`to ${queries[2]!}`)
    // Each knew what was said before.
    const { messages } = many.model.requests.findLast(({ body }) => body.messages.at(-1).content === queries[4])!.body
    expect(messages.filter(({ role }: any) => role === 'user').map(({ content }: any) => content)).toEqual(queries)
  })

  test('lets sixteen wait, in all processes together', async () => {
    const { api, newChat } = many
    const path = await newChat()
    const query = named('Many')
    const open = gate()
    many.answer(query, answer({ until: open.isOpen }, 'Done'))
    const total = async () => (await api(0).call('GET', `${path}/messages`)).body.data.total
    const replies = Array.from({ length: 17 }, (_, i) => api(i % 2).call('POST', `${path}/query`, { query }))
    await expect.poll(total).toBe(17)
    for (const index of [0, 1])
      expect(await api(index).call('POST', `${path}/query`, { query })).toMatchObject({
        status: 429,
        body: { error_code: 'RATE_LIMITED' },
      })
    expect(await total()).toBe(17)
    open.open()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(replies.map(() => 200))
  })
})

describe('what another process runs', { timeout: SLOWLY }, () => {
  async function begin(name: string) {
    const query = named(name)
    many.answer(query, answer('Half', { hang: true }))
    const path = await many.newChat()
    const messageId = newMessageId()
    const reader = await many.api(0).stream(path, { query, message_id: messageId })
    await reader.until('response')
    return { path, messageId, reader, at: `${path}/message/${messageId}` }
  }

  test('is cancelled, keeps what it said, and tells its reader', async () => {
    const { at, reader } = await begin('Cancel')
    const cancelled = await many.api(1).call('POST', `${at}/cancel`, {})
    expect(cancelled).toMatchObject({
      status: 200,
      body: { data: { response: 'Half', error_message: 'cancelled', ai_resolution_status: 'completed' } },
    })
    const rest = withoutPings(await reader.rest())
    expect([shapeOf(rest), rest.at(-1)!.text]).toEqual(['error', 'cancelled'])
  })

  test('ends when its message is deleted', async () => {
    const { at, reader } = await begin('Delete')
    expect((await many.api(1).call('DELETE', at)).status).toBe(200)
    expect(withoutPings(await reader.rest()).at(-1)!.text).toBe('cancelled')
    expect((await many.api(0).call('GET', at)).status).toBe(404)
  })

  test('ends when its chat is deleted, with what waits behind it', async () => {
    const { path, reader } = await begin('Chat')
    const waiting = await many.api(1).stream(path, { query: named('Next') })
    await waiting.until('metadata')
    expect((await many.api(1).call('DELETE', path)).status).toBe(200)
    expect(withoutPings(await reader.rest()).at(-1)!.text).toBe('cancelled')
    expect(withoutPings(await waiting.rest()).at(-1)!.text).toBe('cancelled')
    expect((await many.api(0).call('GET', path.replace(/chats.*/, 'chats'))).body.data.chats).not.toContainEqual(
      expect.objectContaining({ id: path.split('/').at(-1) }),
    )
  })
})

test(
  'a review that another process decides lets the run go on once, and its readers hear the rest',
  async () => {
    const { api, newAgent, newChat } = many
    const agent = await newAgent({ tools: ['create_file'], tools_needing_approval: ['create_file'] })
    const path = await newChat(agent)
    const query = named('Make it')
    many.answer(
      query,
      answer('First. ', { toolCall: { name: 'create_file', arguments: { name: 'one.md', content: '# One' } } }),
      answer('It is there.'),
    )
    const asked = await api(0).call('POST', `${path}/query`, { query })
    expect(asked.body.data.ai_resolution_status).toBe('waiting')
    const { message_id } = asked.body.data
    const readers = await Promise.all([api(0).follow(path, message_id), api(1).follow(path, message_id)])
    const before = await Promise.all(readers.map((reader) => reader.until('review_request')))
    const decide = (index: number) =>
      api(index).call('POST', `${path}/message/${message_id}/review`, { decision: 'approve' })
    const decisions = await Promise.all([decide(1), decide(0), decide(1)])
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    for (const [i, reader] of readers.entries()) {
      const events = [...before[i]!, ...(await reader.rest())]
      expect(shapeOf(events)).toBe(
        'metadata response tool_call_start review_request tool_call_result response end_response',
      )
      expect(textOf(events)).toBe('First. \n\nIt is there.')
    }
    expect(many.asked.filter((each) => each === query)).toHaveLength(2)
  },
  SLOWLY,
)

test(
  'an asynchronous query is answered by a worker, and followed from every process that has the API',
  async () => {
    const { api, newChat } = many
    const receiver = await startReceiver()
    const path = await newChat()
    const query = named('Later')
    const open = gate()
    many.answer(query, answer('In ', 'the ', { until: open.isOpen }, 'background.'))
    const sent = await api(0).call('POST', `${path}/async_query`, { query, webhook_url: receiver.url })
    const { message_id } = sent.body.data
    const readers = await Promise.all([0, 1].map((index) => api(index).follow(path, message_id)))
    const begun = await Promise.all(readers.map((reader) => reader.until('response')))
    open.open()
    const [one, two] = await Promise.all(
      readers.map(async (reader, i) => withoutPings([...begun[i]!, ...(await reader.rest())])),
    )
    expect([textOf(one!), textOf(two!)]).toEqual(['In the background.', 'In the background.'])
    expect(two!.at(-1)).toEqual(one!.at(-1))
    expect(JSON.parse((await receiver.next()).body).data.response).toBe('In the background.')
    expect(many.asked.filter((each) => each === query)).toHaveLength(1)
  },
  SLOWLY,
)
