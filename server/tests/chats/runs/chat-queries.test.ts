import { expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { shapeOf, textOf } from '../../support/chats/events.ts'
import { UNKNOWN_ID } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { answer, inOrder, type Script } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const invalid = { status: 400, body: { error_code: 'VALIDATION_ERROR' } }
const MESSAGE_ID = '6740a1b2c3d4e5f6a7b8c9d0'

/** Messages sent to the model in request `index`, without the instructions. */
const conversation = (requests: { body: any }[], index: number) =>
  requests[index]!.body.messages.filter((message: any) => message.role !== 'system').map(
    (message: any) => `${message.role}: ${message.content}`,
  )

/** Answers with the number of the request, after a pause. */
const counting =
  (waitMs = 0): Script =>
  (_request, index) =>
    answer(...(waitMs > 0 ? [{ waitMs }] : []), `answer ${index}`)

test('a blocking query answers with the text and the id of its message, and nothing else', async () => {
  const { ask, message } = await startTestChat({ script: () => answer('Hel', 'lo') })
  const { status, headers, body } = await ask('Hi')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(body).toEqual({ data: { text: 'Hello', message_id: expect.stringMatching(/^[0-9a-f]{24}$/) } })
  expect(await message(body.data.message_id)).toMatchObject({ query: 'Hi', response: 'Hello' })
})

test('the agent gets its instructions, the query as it was sent, and nothing of a blank kind', async () => {
  const { newAgent, newChat, ask, model } = await startTestChat()
  const agent = await newAgent({ name: 'Pirate', instructions: 'Speak like a pirate.' })
  await ask('  Hi\n', {}, await newChat({}, agent))
  const [system, ...rest] = model.requests[0]!.body.messages
  expect(system.role).toBe('system')
  expect(system.content).toMatch(/^Speak like a pirate\.\n\nToday is \d{4}-\d\d-\d\d\.$/)
  expect(rest).toEqual([{ role: 'user', content: '  Hi\n' }])
})

test('wrong fields are refused, and nothing is stored', async () => {
  const { call, path, history, model } = await startTestChat()
  await everyRow(
    [
      ['no query', {}],
      ['null', { query: null }],
      ['an empty query', { query: '' }],
      ['a blank query', { query: ' \n\t ' }],
      ['a query that is a number', { query: 1 }],
      ['a query of 200,001 characters', { query: 'x'.repeat(200_001) }],
      ['a query with a zero character', { query: 'a\u0000' }],
      ['a message id that is too short', { query: 'a', message_id: 'abc' }],
      ['a message id with other letters', { query: 'a', message_id: 'g'.repeat(24) }],
      ['a message id of 25 characters', { query: 'a', message_id: 'a'.repeat(25) }],
      ['a message id that is a number', { query: 'a', message_id: 123456 }],
      ['is_stream as a text', { query: 'a', is_stream: 'true' }],
      ['is_stream as null', { query: 'a', is_stream: null }],
      ['pin_response as a number', { query: 'a', pin_response: 1 }],
      ['an e-mail that is none', { query: 'a', virtual_user_email: 'ada' }],
      ['an empty e-mail', { query: 'a', virtual_user_email: '' }],
      ['an e-mail of 255 characters', { query: 'a', virtual_user_email: `${'a'.repeat(243)}@example.com` }],
      ['files that are no list', { query: 'a', uploaded_files: 'x' }],
      ['21 files', { query: 'a', uploaded_files: Array.from({ length: 21 }, () => UNKNOWN_ID) }],
      ['a file that is a number', { query: 'a', uploaded_files: [1] }],
      ['shortcut fields that are no list', { query: 'a', shortcut_fields_with_values: {} }],
      ['a shortcut field without a name', { query: 'a', shortcut_fields_with_values: [{ field_value: 'x' }] }],
      [
        'a shortcut field with a boolean',
        { query: 'a', shortcut_fields_with_values: [{ field_name: 'a', field_value: true }] },
      ],
    ],
    async (_name, fields) => {
      expect(await call('POST', `${path}/query`, fields)).toMatchObject(invalid)
      expect((await history()).total).toBe(0)
      expect(model.requests).toHaveLength(0)
    },
  )
})

test('everything that may be null or empty is taken as absent, and unknown fields are ignored', async () => {
  const { ask } = await startTestChat()
  const fields = {
    message_id: null,
    job_id: null,
    virtual_user_email: null,
    uploaded_files: [],
    shortcut_id: null,
    shortcut_fields_with_values: [],
    unknown: { a: 1 },
  }
  expect((await ask('Hi', fields)).status).toBe(200)
})

test('what a query names and is not there is 404, and nothing is stored', async () => {
  const { ask, history } = await startTestChat()
  await everyRow(
    [
      ['job_id', UNKNOWN_ID, 'JOB_NOT_FOUND'],
      ['job_id', 'x', 'JOB_NOT_FOUND'],
      ['shortcut_id', UNKNOWN_ID, 'SHORTCUT_NOT_FOUND'],
      ['uploaded_files', [UNKNOWN_ID], 'FILE_NOT_FOUND'],
    ],
    async (name, value, error_code) => {
      expect(await ask('Hi', { [name]: value })).toMatchObject({ status: 404, body: { error_code } })
      expect((await history()).total).toBe(0)
    },
  )
})

test('a query of 200,000 characters is taken', async () => {
  const { ask } = await startTestChat()
  expect((await ask('x'.repeat(200_000))).status).toBe(200)
})

test('the id of a message may be chosen, in either case', async () => {
  const { ask, message, history } = await startTestChat()
  const { body } = await ask('Hi', { message_id: MESSAGE_ID.toUpperCase() })
  expect(body.data.message_id).toBe(MESSAGE_ID)
  for (const id of [MESSAGE_ID, MESSAGE_ID.toUpperCase()]) {
    expect((await message(id)).id).toBe(MESSAGE_ID)
    expect((await history(`from_message=${id}`)).messages).toHaveLength(1)
  }
})

test('fifty equal requests at once run once, and all get the one answer', async () => {
  const { ask, model, history } = await startTestChat({ script: counting(50) })
  const replies = await Promise.all(Array.from({ length: 50 }, () => ask('Hi', { message_id: MESSAGE_ID })))
  for (const reply of replies) {
    expect(reply).toMatchObject({ status: 200, body: { data: { text: 'answer 0', message_id: MESSAGE_ID } } })
  }
  expect(model.requests).toHaveLength(1)
  expect((await history()).total).toBe(1)
})

test('a finished message answers a retry at once, blocking or as the stream that it was', async () => {
  const { ask, stream, model } = await startTestChat({ script: () => answer({ reasoning: 'Hm' }, 'Hel', 'lo') })
  const first = await (await stream('Hi', { message_id: MESSAGE_ID })).rest()
  const again = await (await stream('Hi', { message_id: MESSAGE_ID })).rest()
  expect(shapeOf(again)).toBe(shapeOf(first))
  expect(again[0]).toEqual(first[0])
  expect(again.at(-1)).toEqual(first.at(-1))
  expect([textOf(again, 'reasoning'), textOf(again)]).toEqual(['Hm', 'Hello'])
  expect((await ask('Hi', { message_id: MESSAGE_ID })).body.data.text).toBe('Hello')
  expect(model.requests).toHaveLength(1)
})

test('a running message answers a retry when it ends, or as its stream from the start', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { ask, stream, model } = await startTestChat({ script: () => answer('Hel', { until: promise }, 'lo') })
  const first = await stream('Hi', { message_id: MESSAGE_ID })
  await first.until('response')
  const blocking = ask('Hi', { message_id: MESSAGE_ID })
  const second = await stream('Hi', { message_id: MESSAGE_ID })
  resolve()
  expect(textOf(await second.rest())).toBe('Hello')
  expect((await blocking).body).toEqual({ data: { text: 'Hello', message_id: MESSAGE_ID } })
  expect(textOf(await first.rest())).toBe('lo')
  expect(model.requests).toHaveLength(1)
})

test('a failed message answers a retry with its failure', async () => {
  const script = inOrder(answer('Half', { cut: true }))
  const { ask, stream } = await startTestChat({ script })
  const first = await ask('Hi', { message_id: MESSAGE_ID })
  expect(first).toMatchObject({ status: 500, body: { error_code: 'AGENT_FAILED' } })
  expect((await ask('Hi', { message_id: MESSAGE_ID })).body).toEqual(first.body)
  const events = await (await stream('Hi', { message_id: MESSAGE_ID })).rest()
  expect(shapeOf(events)).toBe('metadata response error')
  expect([textOf(events), events.at(-1)!.text]).toEqual(['Half', first.body.message])
})

test('the same id with other content, or in another chat, is a conflict; how it is sent is not content', async () => {
  const { ask, newChat, newAgent, history } = await startTestChat({ script: counting() })
  const fields = { message_id: MESSAGE_ID, virtual_user_email: 'ada@example.com' }
  await ask('Hi', fields)
  const conflict = { status: 400, body: { error_code: 'MESSAGE_ID_CONFLICT' } }
  expect(await ask('Ho', fields)).toMatchObject(conflict)
  expect(await ask('Hi', { ...fields, pin_response: true })).toMatchObject(conflict)
  expect(await ask('Hi', { message_id: MESSAGE_ID })).toMatchObject(conflict)
  expect(await ask('Hi', { ...fields, is_stream: true }, await newChat())).toMatchObject(conflict)
  expect(await ask('Hi', fields, await newChat({}, await newAgent()))).toMatchObject(conflict)
  expect((await ask('Hi', { ...fields, is_stream: true })).status).toBe(200)
  expect((await ask('Hi', { ...fields, is_stream: false })).body.data.text).toBe('answer 0')
  expect((await history()).total).toBe(1)
})

test('clashing ids at once: one is answered, all others are conflicts', async () => {
  const { ask, history } = await startTestChat({ script: counting(30) })
  const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(`query ${i}`, { message_id: MESSAGE_ID })))
  const statuses = replies.map((reply) => reply.body.error_code ?? 'answered').sort()
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 'MESSAGE_ID_CONFLICT'), 'answered'])
  expect((await history()).total).toBe(1)
})

test('a refused query leaves its id free', async () => {
  const { ask } = await startTestChat()
  expect((await ask('Hi', { message_id: MESSAGE_ID, job_id: UNKNOWN_ID })).status).toBe(404)
  expect((await ask('Hi', { message_id: MESSAGE_ID })).status).toBe(200)
})

test('another organization may use the same message id, and learns nothing', async () => {
  const { ask, services, call } = await startTestChat({ script: counting() })
  await ask('Hi', { message_id: MESSAGE_ID })
  const { apiKey: key } = await services.access.createOrganization('Other')
  const agent = (await call('POST', '/agents', { name: 'Theirs' }, { key })).body.data.id
  const chat = (await call('POST', `/agents/${agent}/chats`, {}, { key })).body.data.chat.id
  const body = { query: 'Something else', message_id: MESSAGE_ID }
  const reply = await call('POST', `/agents/${agent}/chats/${chat}/query`, body, { key })
  expect(reply.body).toEqual({ data: { text: 'answer 1', message_id: MESSAGE_ID } })
})

test('a chat answers one message at a time, in the order in which they came', async () => {
  let running = 0
  let most = 0
  const order: string[] = []
  const script: Script = async ({ body }) => {
    most = Math.max(most, ++running)
    order.push(body.messages.at(-1).content)
    await new Promise((resolve) => setTimeout(resolve, 10))
    running--
    return answer('ok')
  }
  const { stream } = await startTestChat({ script })
  const queries = Array.from({ length: 10 }, (_, i) => `query ${i}`)
  const readers = []
  for (const query of queries) readers.push(await stream(query))
  await Promise.all(readers.map((reader) => reader.rest()))
  expect(order).toEqual(queries)
  expect(most).toBe(1)
})

test('chats do not wait for each other', async () => {
  const { stream, newChat, ask, call, path } = await startTestChat({
    script: (_request, index) => (index === 0 ? answer({ hang: true }) : answer('ok')),
  })
  const busy = await stream('one')
  await busy.next()
  expect((await ask('two', {}, await newChat())).body.data.text).toBe('ok')
  await call('DELETE', path)
})

test('sixteen queries may wait in a chat, the next is 429 until there is room', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const script: Script = async (_request, index) => {
    if (index === 0) await held
    return answer(`answer ${index}`)
  }
  const { ask, stream, history } = await startTestChat({ script })
  const running = await stream('running')
  await running.next()
  const waiting = Array.from({ length: 16 }, (_, i) => ask(`waiting ${i}`))
  await expect.poll(async () => (await history()).total).toBe(17)
  const refused = await ask('one too many')
  expect(refused).toMatchObject({ status: 429, body: { error_code: 'RATE_LIMITED' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const stream17 = await ask('one too many', { is_stream: true })
  expect(stream17).toMatchObject({ status: 429, body: { error_code: 'RATE_LIMITED' } })
  release()
  const replies = await Promise.all(waiting)
  expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200))
  expect((await ask('now there is room')).status).toBe(200)
})

test('earlier messages of the chat are the memory of the agent, those of other chats are not', async () => {
  const { ask, newChat, model } = await startTestChat({ script: counting() })
  const other = await newChat()
  await ask('elsewhere', {}, other)
  await ask('one')
  await ask('two')
  await ask('three')
  expect(conversation(model.requests, 3)).toEqual([
    'user: one',
    'assistant: answer 1',
    'user: two',
    'assistant: answer 2',
    'user: three',
  ])
})

test('a waiting message remembers what was answered while it waited', async () => {
  const { ask, model } = await startTestChat({ script: counting(20) })
  await Promise.all([ask('one'), ask('two')])
  expect(conversation(model.requests, 1)).toHaveLength(3)
})

test('what failed before it said anything is not remembered, what was said is', async () => {
  const script = inOrder(
    answer('Half', { cut: true }),
    { status: 400, body: { error: { message: 'no' } } },
    answer('ok'),
  )
  const { ask, model } = await startTestChat({ script })
  await ask('one')
  await ask('two')
  await ask('three')
  expect(conversation(model.requests, 2)).toEqual(['user: one', 'assistant: Half', 'user: three'])
})

test('a long chat is remembered from its end, as far as it fits', async () => {
  // Nothing is summed up: that is the matter of chat-memory.test.ts.
  const script: Script = ({ body }) =>
    /<turn>/.test(body.messages.at(-1).content) ? { status: 400 } : answer('word '.repeat(110))
  const settings = { DOCENT_MODEL_CONTEXT_TOKENS: '1000' }
  const { ask, model } = await startTestChat({ script, settings })
  for (let i = 0; i < 8; i++) await ask(`query ${i}`)
  const last = model.requests.findLastIndex(({ body }) => body.messages.at(-1).content === 'query 7')
  const remembered = conversation(model.requests, last)
  expect(remembered.at(-1)).toBe('user: query 7')
  expect(remembered.at(-3)).toBe('user: query 6')
  expect(remembered.length).toBeLessThan(8)
  expect(remembered[0]).toMatch(/^user: query/)
})

test('a deleted message leaves the memory, too', async () => {
  const { ask, call, path, model } = await startTestChat({ script: counting() })
  await ask('keep this')
  const { body } = await ask('my number is 4711')
  await call('DELETE', `${path}/message/${body.data.message_id}`)
  await ask('what is my number?')
  expect(conversation(model.requests, 2)).toEqual([
    'user: keep this',
    'assistant: answer 0',
    'user: what is my number?',
  ])
})

test('the person of a query is found by e-mail in any case, made when unknown, restored when removed', async () => {
  const { ask, call, owner, services } = await startTestChat({ alone: true })
  const users = `/workspaces/${owner.workspaceId}/virtual-users`
  await ask('Hi', { virtual_user_email: ' Ada@Example.com ' })
  const listed = async () => (await call('GET', users)).body.data.virtual_users
  const [ada, ...others] = await listed()
  expect(others).toEqual([])
  expect(ada).toMatchObject({ email: 'Ada@Example.com', name: null, metadata: {} })
  await ask('Hi', { virtual_user_email: 'ADA@example.com' })
  await call('DELETE', `${users}/${ada.id}`)
  expect(await listed()).toEqual([])
  await ask('Hi', { virtual_user_email: 'ada@example.com' })
  expect((await listed()).map((user: any) => user.id)).toEqual([ada.id])
  await ask('Hi')
  const rows = await services.db.selectFrom('message').select('virtual_user_id').orderBy('id').execute()
  expect(rows.map((row) => row.virtual_user_id)).toEqual([ada.id, ada.id, ada.id, null])
})

test('a refused query makes no person', async () => {
  const { ask, call, owner } = await startTestChat()
  await ask('Hi', { virtual_user_email: 'ada@example.com', job_id: UNKNOWN_ID })
  const { body } = await call('GET', `/workspaces/${owner.workspaceId}/virtual-users`)
  expect(body.data.virtual_users).toEqual([])
})

test('an agent that was changed answers the next query in its new way', async () => {
  const { ask, call, agentId, model } = await startTestChat()
  await call('PATCH', `/agents/${agentId}`, { instructions: 'Be brief.' })
  await ask('Hi')
  expect(model.requests[0]!.body.messages[0].content).toMatch(/^Be brief\./)
})
