import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError } from '../support/api.ts'
import { makeAgent, makeKey, newConversation, whoAmI } from '../support/make.ts'
import { openStream } from '../support/stream.ts'
import { scripted } from '../support/tests.ts'
import { anId, freshId, malformedIds, uniqueEmail } from '../support/values.ts'
import { until } from '../support/wait.ts'

let shared: Awaited<ReturnType<typeof newConversation>>
beforeAll(async () => {
  shared = await newConversation()
})

describe('a blocking query', () => {
  test('answers {text, message_id}', async () => {
    expect(await shared.answer('say Hello there')).toMatchObject({ text: expect.any(String), message_id: anId })
  })

  scripted('has the whole text of the answer', async () => {
    expect((await shared.answer('say Hello there, friend')).text).toBe('Hello there, friend')
  })

  test('is_stream false is a blocking one', async () => {
    expect((await shared.ask('say x', { is_stream: false })).headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('a member without permissions may ask', async () => {
    const { agent } = await newConversation({ visibility: 'organization' })
    const member = apiOf((await makeKey({})).key)
    const { chat } = dataOf(await member.post(`/agents/${agent.id}/chats`))
    expect((await member.post(`/agents/${agent.id}/chats/${chat.id}/query`, { query: 'say x' })).status).toBe(200)
  })

  scripted('a model that fails is 500 AGENT_FAILED', async () => {
    expectError(await shared.ask('fail'), 500, 'AGENT_FAILED')
  })

  scripted('a model that breaks off in the middle is 500 AGENT_FAILED, and its text stays', async () => {
    const message_id = freshId()
    expectError(await shared.ask('say half of\nwait 50\nfail', { message_id }), 500, 'AGENT_FAILED')
    const message = await shared.message(message_id)
    expect(message).toMatchObject({ ai_resolution_status: 'completed', error_message: expect.any(String) })
    expect(message.error_message).not.toBe('')
  })

  scripted('the model sees what was said before in the chat', async () => {
    const talk = await newConversation()
    await talk.answer('say The password is heron')
    const { messages } = JSON.parse((await talk.answer('echo')).text)
    expect(messages.map(({ role }: any) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(messages[2].content).toBe('The password is heron')
  })

  scripted("the model gets the agent's instructions", async () => {
    const talk = await newConversation({ instructions: 'Speak like a heron.' })
    expect(JSON.parse((await talk.answer('echo')).text).messages[0].content).toContain('Speak like a heron.')
  })

  scripted('the chats of an agent know nothing of each other', async () => {
    const { agent, answer } = await newConversation()
    await answer('say secret heron')
    const other = dataOf(await api.post(`/agents/${agent.id}/chats`)).chat
    const { text } = dataOf(await api.post(`/agents/${agent.id}/chats/${other.id}/query`, { query: 'echo' }))
    expect(text).not.toContain('secret heron')
  })

  scripted('a client that leaves does not stop the run', async () => {
    const talk = await newConversation()
    const message_id = freshId()
    const stream = await openStream(`${talk.path}/query`, {
      query: 'say one\nwait 300\nsay  two',
      is_stream: true,
      message_id,
    })
    await stream.seen(({ type }) => type === 'response')
    stream.leave()
    const message = await until('completed', async () => {
      const found = await talk.message(message_id)
      return found.ai_resolution_status === 'completed' && found
    })
    expect(message.response.replace(/\s+/g, ' ')).toBe('one two')
  })

  scripted('a second query in a chat waits for its turn', async () => {
    const talk = await newConversation()
    const query = { query: 'wait 150\nsay first', is_stream: true }
    const first = await openStream(`${talk.path}/query`, query)
    await first.seen(({ type }) => type === 'metadata')
    const { messages } = JSON.parse((await talk.answer('echo')).text)
    expect(messages.at(-2)).toMatchObject({ role: 'assistant', content: 'first' })
    await first.done()
  })

  scripted('more than 16 waiting queries in a chat are 429 with Retry-After', async () => {
    const talk = await newConversation()
    const running = await openStream(`${talk.path}/query`, { query: 'hang', is_stream: true })
    const { data } = await running.seen(({ type }) => type === 'metadata')
    const ids = Array.from({ length: 17 }, freshId)
    const replies: any[] = []
    const asked = ids.map((message_id) => talk.ask('say x', { message_id }).then((reply) => replies.push(reply)))
    // Requests cut off when the test ends fail.
    Promise.all(asked).catch(() => {})
    const refused = await until('refused', async () => replies.find(({ status }) => status === 429))
    expectError(refused, 429, 'RATE_LIMITED')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await api.post(`${talk.path}/message/${data.message_id}/cancel`)
    await until('answered', async () => replies.length === 17)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(16)
  })
})

describe('what a query must look like: anything else is 400 VALIDATION_ERROR', () => {
  const wrong: [string, object][] = [
    ['no query and no shortcut', {}],
    ['an empty query', { query: '' }],
    ['a blank query', { query: ' \n\t ' }],
    ['null as query', { query: null }],
    ['a number as query', { query: 5 }],
    ['a query of 200,001 characters', { query: 'x'.repeat(200_001) }],
    ['a message_id of 23 characters', { message_id: 'a'.repeat(23) }],
    ['a message_id of 25 characters', { message_id: 'a'.repeat(25) }],
    ['a message_id that is not hexadecimal', { message_id: 'g'.repeat(24) }],
    ['a number as message_id', { message_id: 123 }],
    ['"true" as pin_response', { pin_response: 'true' }],
    ['1 as pin_response', { pin_response: 1 }],
    ['text as uploaded_files', { uploaded_files: freshId() }],
    ['21 uploaded files', { uploaded_files: Array.from({ length: 21 }, freshId) }],
    ['a number among the uploaded files', { uploaded_files: [1] }],
    ['an empty virtual_user_email', { virtual_user_email: '' }],
    ['a virtual_user_email that is none', { virtual_user_email: 'nobody' }],
    ['a number as job_id', { job_id: 1 }],
    ['a number as shortcut_id', { shortcut_id: 1 }],
    ['fields that are no list', { shortcut_fields_with_values: {} }],
    ['a field without a name', { shortcut_fields_with_values: [{ field_value: 'x' }] }],
    ['a boolean as field value', { shortcut_fields_with_values: [{ field_name: 'a', field_value: true }] }],
  ]
  test('of a blocking or streamed query', () =>
    everyRow([...wrong, ['"true" as is_stream', { is_stream: 'true' }] as [string, object]], async (_, fields) => {
      expectError(
        await api.post(`${shared.path}/query`, { query: 'say x', ...fields, ...onlyGiven(fields) }),
        400,
        'VALIDATION_ERROR',
      )
    }))

  test('of an async query', () =>
    everyRow(wrong, async (_, fields) => {
      const body = { query: 'say x', webhook_url: 'https://example.com/', ...fields, ...onlyGiven(fields) }
      expectError(await api.post(`${shared.path}/async_query`, body), 400, 'VALIDATION_ERROR')
    }))

  test('validation comes before existence', async () => {
    expectError(await api.post(`/agents/${freshId()}/chats/${freshId()}/query`, {}), 400, 'VALIDATION_ERROR')
  })

  test('a list as body', async () => {
    expectError(await api.post(`${shared.path}/query`, []), 400, 'VALIDATION_ERROR')
  })
})

/** The first case is about a query that is not there. */
const onlyGiven = (fields: object) => (Object.keys(fields).length === 0 ? { query: undefined } : {})

describe('what a query names must exist', () => {
  test('an agent that is not there is 404 AGENT_NOT_FOUND', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(
        await api.post(`/agents/${id}/chats/${shared.chat.id}/query`, { query: 'x' }),
        404,
        'AGENT_NOT_FOUND',
      ),
    ))

  test('a chat of another agent is 404 CHAT_NOT_FOUND', async () => {
    const { id } = await makeAgent()
    expectError(await api.post(`/agents/${id}/chats/${shared.chat.id}/query`, { query: 'x' }), 404, 'CHAT_NOT_FOUND')
  })

  const names: [string, string, (id: string) => object][] = [
    ['job_id', 'JOB_NOT_FOUND', (job_id) => ({ job_id })],
    ['shortcut_id', 'SHORTCUT_NOT_FOUND', (shortcut_id) => ({ shortcut_id })],
    ['uploaded file', 'FILE_NOT_FOUND', (id) => ({ uploaded_files: [id] })],
  ]
  const ids: [string, string][] = [['unknown', freshId()], ...malformedIds]
  test('what a query names and is not there is 404', () =>
    everyRow(
      names.flatMap(([field, code, fields]) => ids.map(([what, id]) => [field, what, code, fields(id)] as const)),
      async (_, __, code, fields) => expectError(await shared.ask('say x', fields), 404, code),
    ))
})

describe('message_id', () => {
  test('is the id of the message', async () => {
    const message_id = freshId()
    expect((await shared.answer('say x', { message_id })).message_id).toBe(message_id)
  })

  test('in upper case is the same id, in lower case', async () => {
    const message_id = freshId()
    expect((await shared.answer('say x', { message_id: message_id.toUpperCase() })).message_id).toBe(message_id)
  })

  test('null is as good as none', async () => {
    expect((await shared.answer('say x', { message_id: null })).message_id).toEqual(anId)
  })

  test('the same with the same content answers the first result, without a second run', async () => {
    const talk = await newConversation()
    const message_id = freshId()
    const first = await talk.answer('say x', { message_id })
    expect(await talk.answer('say x', { message_id })).toEqual(first)
    expect((await api.get(`${talk.path}/messages`)).body.data.total).toBe(1)
  })

  scripted('of 20 equal posts at once one runs, and all get its answer', async () => {
    const talk = await newConversation()
    const message_id = freshId()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => talk.answer('wait 100\nsay once', { message_id })),
    )
    expect(answers).toEqual(Array(20).fill({ text: 'once', message_id }))
    expect((await api.get(`${talk.path}/messages`)).body.data.total).toBe(1)
  })

  test('the same id with another query, pin or person is 400 MESSAGE_ID_CONFLICT', () =>
    everyRow(
      [
        ['another query', { query: 'say other' }],
        ['another pin', { pin_response: true }],
        ['another person', { virtual_user_email: uniqueEmail() }],
      ],
      async (_, fields) => {
        const message_id = freshId()
        await shared.answer('say x', { message_id })
        expectError(await shared.ask('say x', { message_id, ...fields }), 400, 'MESSAGE_ID_CONFLICT')
      },
    ))

  test('the same in another chat is 400 MESSAGE_ID_CONFLICT', async () => {
    const message_id = freshId()
    await shared.answer('say x', { message_id })
    const other = await newConversation()
    expectError(await other.ask('say x', { message_id }), 400, 'MESSAGE_ID_CONFLICT')
  })

  scripted(
    'a stream may ask again for what was asked without one: the events are replayed from the start',
    async () => {
      const message_id = freshId()
      await shared.answer('say Hello there', { message_id })
      const stream = await openStream(`${shared.path}/query`, { query: 'say Hello there', message_id, is_stream: true })
      const events = await stream.done()
      expect(events[0]).toMatchObject({ type: 'metadata', data: { message_id } })
      expect(
        events
          .filter(({ type }) => type === 'response')
          .map(({ text }) => text)
          .join(''),
      ).toBe('Hello there')
    },
  )

  scripted('a running one is answered when it ends', async () => {
    const talk = await newConversation()
    const message_id = freshId()
    const first = talk.answer('wait 200\nsay done', { message_id })
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await talk.answer('wait 200\nsay done', { message_id })).toEqual(await first)
  })
})

describe('virtual_user_email', () => {
  test('of nobody makes the virtual user', async () => {
    const email = uniqueEmail()
    await shared.answer('say x', { virtual_user_email: email })
    const { workspace } = await whoAmI()
    const found = dataOf(await api.get(`/workspaces/${workspace.id}/virtual-users?email=${encodeURIComponent(email)}`))
    expect(found.virtual_users).toMatchObject([{ email, name: null, metadata: {} }])
  })

  test('of 20 queries at once makes one', async () => {
    const virtual_user_email = uniqueEmail()
    const talks = await Promise.all(Array.from({ length: 4 }, () => newConversation()))
    await Promise.all(Array.from({ length: 20 }, (_, i) => talks[i % 4]!.answer('say x', { virtual_user_email })))
    const { workspace } = await whoAmI()
    const path = `/workspaces/${workspace.id}/virtual-users?email=${encodeURIComponent(virtual_user_email)}`
    expect(dataOf(await api.get(path)).virtual_users).toHaveLength(1)
  })

  test('of a removed one restores the profile', async () => {
    const { workspace } = await whoAmI()
    const path = `/workspaces/${workspace.id}/virtual-users`
    const made = dataOf(await api.post(path, { email: uniqueEmail(), name: 'Ada' }))
    await api.delete(`${path}/${made.id}`)
    await shared.answer('say x', { virtual_user_email: made.email })
    expect(dataOf(await api.get(`${path}/${made.id}`)).name).toBe('Ada')
  })
})

test('an agent on builtin/extractive answers from its folder, offline', async () => {
  const folder = dataOf(await api.post('/knowledge-bases', { knowledge_base_name: `Birds ${freshId()}` }))
  const form = new FormData()
  form.set('file', new Blob(['The heron catches frogs at dawn near the old mill.']), 'heron.txt')
  const file_id = dataOf(await api.post('/uploaded-files', form))
  const path = `/knowledge-bases/${folder.id}/data-sources`
  await api.post(`${path}/documents`, { file_id, data_source_title: 'Herons' })
  await until('indexed', async () => (await api.get(path)).body.data.data_sources_count.successful === 1)
  const talk = await newConversation({ model: 'builtin/extractive', knowledge_base_ids: [folder.id] })
  expect((await talk.answer('When does the heron catch frogs?')).text).toContain('at dawn')
})
