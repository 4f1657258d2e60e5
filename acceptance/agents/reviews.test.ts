import { describe, expect, test } from 'vitest'
import { api, dataOf, expectError, other } from '../support/api.ts'
import { makeKey, newConversation, whoAmI } from '../support/make.ts'
import { openStream } from '../support/stream.ts'
import { scripted, testOfTwo } from '../support/tests.ts'
import { anId, aTime, freshId } from '../support/values.ts'
import { until } from '../support/wait.ts'

const WRITE = 'say One moment.\ncall create_file {"name":"letter.md","content":"# Dear all"}\nsay Done.'
const ASK = 'call ask_person {"question":"Which colour?","options":["Red","Blue"]}\nsay Thank you.'
const AGENT = { tools: ['create_file', 'ask_person'], tools_needing_approval: ['create_file'] }

/** A message that waits for its review. */
async function waiting(script = WRITE) {
  const talk = await newConversation(AGENT)
  const { message_id, text, ...rest } = await talk.answer(script)
  const path = `${talk.path}/message/${message_id}`
  return {
    ...talk,
    id: message_id as string,
    text: text as string,
    answered: rest as any,
    path,
    decide: (decision: unknown) => api.post(`${path}/review`, decision),
    completed: () =>
      until('the message completes', async () => {
        const message = await talk.message(message_id, '?downloadable_output=true')
        return message.ai_resolution_status === 'completed' && message
      }),
  }
}

const inbox = async (query = '') => {
  const { workspace } = await whoAmI()
  return dataOf(await api.get(`/workspaces/${workspace.id}/reviews${query}`))
}

describe('a tool call that needs approval', () => {
  scripted('stops the run: the blocking answer says what is asked', async () => {
    const { text, answered, agent, chat, id } = await waiting()
    expect(text).toContain('One moment.')
    expect(text).toContain('create_file')
    expect(answered.ai_resolution_status).toBe('waiting')
    expect(answered.review).toEqual({
      id: anId,
      kind: 'approval',
      status: 'pending',
      agent_id: agent.id,
      chat_id: chat.id,
      message_id: id,
      asked_by: agent.id,
      tool_name: 'create_file',
      text: expect.any(String),
      arguments: { name: 'letter.md', content: '# Dear all' },
      changed_arguments: null,
      options: [],
      note: null,
      decided_at: null,
      decided_by: null,
      created_at: aTime,
      expires_at: aTime,
    })
  })

  scripted('the message waits, and Get message and the history say for what', async () => {
    const { message, id, answered, path } = await waiting()
    const stored = await message(id)
    expect(stored).toMatchObject({ ai_resolution_status: 'waiting', error_message: null, review: answered.review })
    const { messages } = dataOf(await api.get(`${path.split('/message/')[0]}/messages`))
    expect(messages[0].review).toEqual(answered.review)
  })

  scripted('approved, the same message goes on and makes the file', async () => {
    const { decide, completed, id } = await waiting()
    expect(dataOf(await decide({ decision: 'approve' })).id).toBe(id)
    const done = await completed()
    expect(done).toMatchObject({ id, error_message: null, review: null })
    expect(done.response).toContain('Done.')
    expect(Object.keys(done.downloadable_output)).toHaveLength(1)
  })

  scripted('rejected, it goes on without the file', async () => {
    const { decide, completed } = await waiting()
    await decide({ decision: 'reject', note: 'Not today' })
    expect(await completed()).toMatchObject({ error_message: null, downloadable_output: {} })
  })

  scripted('a stream tells it as review_request, and then [DONE]', async () => {
    const talk = await newConversation(AGENT)
    const stream = await openStream(`${talk.path}/query`, { query: WRITE, is_stream: true })
    const events = await stream.done()
    const last = events.at(-1)!
    expect(last).toMatchObject({ type: 'review_request', subtype: null, text: expect.any(String) })
    expect(last).not.toHaveProperty('elapsed_ms')
    expect(last.data).toMatchObject({ message_id: events[0]!.data.message_id, review: { status: 'pending' } })
    expect(stream.wire().endsWith('data: [DONE]\n\n')).toBe(true)
  })

  scripted('its events stay open while it waits, and go on after the review', async () => {
    const { path, decide } = await waiting()
    const stream = await openStream(`${path}/events`)
    await stream.seen(({ type }) => type === 'review_request')
    await decide({ decision: 'approve' })
    const events = await stream.done()
    const types = events.map(({ type, subtype }) => subtype ?? type)
    expect(types.indexOf('tool_call_result')).toBeGreaterThan(types.indexOf('review_request'))
    expect(types.at(-1)).toBe('end_response')
  })

  scripted('is decided once: the second decision is 409', async () => {
    const { decide } = await waiting()
    await decide({ decision: 'reject' })
    expectError(await decide({ decision: 'approve' }), 409, 'MESSAGE_NOT_WAITING')
  })

  for (const body of [
    {},
    { decision: 'perhaps' },
    { decision: 'answer', note: 'Red' },
    { decision: 'approve', note: 1 },
  ])
    scripted(`the decision ${JSON.stringify(body)} is 400, and the message waits on`, async () => {
      const { decide, message, id } = await waiting()
      expectError(await decide(body), 400, 'VALIDATION_ERROR')
      expect((await message(id)).ai_resolution_status).toBe('waiting')
    })

  scripted('can be cancelled', async () => {
    const { path, message, id } = await waiting()
    await api.post(`${path}/cancel`)
    expect(await message(id)).toMatchObject({ ai_resolution_status: 'completed', error_message: 'cancelled' })
  })

  scripted('can be deleted', async () => {
    const { path } = await waiting()
    expect((await api.delete(path)).status).toBe(200)
    expectError(await api.get(path), 404, 'MESSAGE_NOT_FOUND')
  })
})

describe('a question of the agent', () => {
  scripted('comes with its options, and the answer reaches the agent', async () => {
    const { answered, text, decide, completed } = await waiting(ASK)
    expect(text).toContain('Which colour?')
    expect(answered.review).toMatchObject({ kind: 'question', options: ['Red', 'Blue'], arguments: null })
    await decide({ decision: 'answer', note: 'Green' })
    expect(await completed()).toMatchObject({ response: expect.stringContaining('Thank you.'), error_message: null })
  })

  scripted('an answer without words is 400', async () => {
    const { decide } = await waiting(ASK)
    expectError(await decide({ decision: 'answer' }), 400, 'VALIDATION_ERROR')
  })
})

describe('the inbox of a workspace', () => {
  scripted('lists what waits, newest first', async () => {
    const first = await waiting()
    const second = await waiting(ASK)
    const { reviews, total, page, page_size, has_more } = await inbox('?status=pending&page_size=2')
    expect(reviews.map(({ message_id }: any) => message_id)).toEqual([second.id, first.id])
    expect({ page, page_size, isTotal: total >= 2, has_more: typeof has_more }).toEqual({
      page: 1,
      page_size: 2,
      isTotal: true,
      has_more: 'boolean',
    })
  })

  scripted('shows decided ones with who decided, what and when', async () => {
    const { id, decide } = await waiting()
    await decide({ decision: 'reject', note: 'No' })
    const { reviews } = await inbox('?status=rejected&page_size=1')
    expect(reviews[0]).toMatchObject({ message_id: id, note: 'No', decided_at: aTime, decided_by: anId })
  })

  for (const query of ['?status=open', '?page=0', '?page_size=101', '?page=x'])
    test(`${query} is 400`, async () => {
      const { workspace } = await whoAmI()
      expectError(await api.get(`/workspaces/${workspace.id}/reviews${query}`), 400, 'VALIDATION_ERROR')
    })

  test('of another workspace is 403', async () => {
    expectError(await api.get(`/workspaces/${freshId()}/reviews`), 403, 'FORBIDDEN')
  })

  testOfTwo('another organization decides nothing', async () => {
    const talk = await newConversation(AGENT)
    const { message_id } = await talk.answer('say Hi')
    const reply = await other.post(`${talk.path}/message/${message_id}/review`, { decision: 'approve' })
    expectError(reply, 404, 'AGENT_NOT_FOUND')
  })
})

test('a message that does not wait is 409, one that is not there 404', async () => {
  const talk = await newConversation()
  const { message_id } = await talk.answer('say Hi')
  const decide = (id: string) => api.post(`${talk.path}/message/${id}/review`, { decision: 'approve' })
  expectError(await decide(message_id), 409, 'MESSAGE_NOT_WAITING')
  expectError(await decide(freshId()), 404, 'MESSAGE_NOT_FOUND')
})

test('a key without the operation may not review', async () => {
  const talk = await newConversation()
  const { message_id } = await talk.answer('say Hi')
  const { key } = await makeKey({ scopes: { operations: ['messages.get'] } })
  const reply = await api.post(
    `${talk.path}/message/${message_id}/review`,
    { decision: 'approve' },
    { 'x-api-key': key },
  )
  expectError(reply, 403, 'FORBIDDEN')
})
