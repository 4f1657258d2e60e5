import { describe, expect, test } from 'vitest'
import { MessageNotWaitingError } from '../../../src/chats/chats.errors.ts'
import { findMessage } from '../../../src/chats/messages/messages.store.ts'
import { shapeOf, textOf } from '../../support/chats/events.ts'
import { AGENT, CREATE, callThenTell, results, startReviews } from '../../support/chats/reviews.ts'
import { everyRow } from '../../support/every-row.ts'
import { startReceiver } from '../../support/http/receiver.ts'
import { answer, type Script } from '../../support/models/model-server.ts'
import { startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const ASK = {
  toolCall: { name: 'ask_person', arguments: { question: 'Which colour?', options: ['Red', 'Blue'] } },
}
async function startWaiting(call: object, options: Parameters<typeof startReviews>[1] = {}) {
  const app = await startReviews(call, options)
  const { workspace } = (await app.succeed('GET', '/me')).data
  return {
    ...app,
    inbox: async (query = '') => (await app.succeed('GET', `/workspaces/${workspace.id}/reviews?${query}`)).data,
    workspace,
  }
}

describe('a tool that needs approval', () => {
  test('stops the run; the blocking answer, the message and the inbox say what is asked', async () => {
    const { ask, path, message, inbox, call } = await startWaiting(CREATE)
    const { status, body } = await ask('Write to all', {}, path)
    expect(status).toBe(200)
    const { review, message_id } = body.data
    expect(body.data).toEqual({
      text: 'One moment. \n\nMay Guide use create_file?',
      message_id: expect.any(String),
      ai_resolution_status: 'waiting',
      review: {
        id: expect.any(String),
        kind: 'approval',
        status: 'pending',
        agent_id: path.split('/')[2],
        chat_id: path.split('/')[4],
        message_id,
        asked_by: path.split('/')[2],
        tool_name: 'create_file',
        text: 'May Guide use create_file?',
        arguments: CREATE.toolCall.arguments,
        changed_arguments: null,
        options: [],
        note: null,
        decided_at: null,
        decided_by: null,
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    })
    expect(Date.parse(review.expires_at) - Date.parse(review.created_at)).toBe(7 * 86_400_000)
    expect(await message(message_id, path)).toMatchObject({
      ai_resolution_status: 'waiting',
      response: 'One moment. ',
      error_message: null,
      review,
    })
    expect((await call('GET', `${path}/messages`)).body.data.messages[0].review).toEqual(review)
    expect(await inbox('status=pending')).toMatchObject({ reviews: [review], total: 1, has_more: false })
  })

  test('goes on when it is approved, in the background, as the same message', async () => {
    const { ask, path, succeed, completed, inbox, message, model } = await startWaiting(CREATE)
    const { message_id } = (await ask('Write', {}, path)).body.data
    const reviewed = await succeed('POST', `${path}/message/${message_id}/review`, { decision: 'approve' })
    expect(reviewed.data).toMatchObject({ id: message_id, review: null })
    const done = await completed(message_id)
    expect(done).toMatchObject({ response: 'One moment. \n\nDone: Created letter.md.', error_message: null })
    const { data } = await succeed('GET', `${path}/message/${message_id}?downloadable_output=true`)
    expect(await (await fetch(data.downloadable_output.file_1)).text()).toBe('# Dear all')
    expect(model.requests).toHaveLength(2)
    expect(await inbox('status=pending')).toMatchObject({ reviews: [], total: 0 })
    const [decided] = (await inbox()).reviews
    expect(decided).toMatchObject({ status: 'approved', note: null, decided_by: expect.any(String) })
    expect(await message(message_id, path)).toMatchObject({ review: null })
  })

  test('does nothing when it is rejected, and the model hears why', async () => {
    const { ask, path, succeed, completed } = await startWaiting(CREATE)
    const { message_id } = (await ask('Write', {}, path)).body.data
    await succeed('POST', `${path}/message/${message_id}/review`, { decision: 'reject', note: 'Too formal.' })
    const done = await completed(message_id)
    expect(done.response).toContain('rejected it. They say: “Too formal.” Do not try it again')
    const { data } = await succeed('GET', `${path}/message/${message_id}?downloadable_output=true`)
    expect(data.downloadable_output).toEqual({})
  })

  test('a stream says what is asked and ends; its events go on after the review', async () => {
    const { stream, path, succeed, url, owner } = await startWaiting(CREATE)
    const asked = await (await stream('Write', {}, path)).rest()
    expect(shapeOf(asked)).toBe('metadata response tool_call_start review_request')
    const request = asked.at(-1)!
    expect(request).toMatchObject({ text: 'May Guide use create_file?', data: { review: { status: 'pending' } } })
    const { message_id } = asked[0]!.data
    const follow = await fetch(
      `${url}/v1${path}/message/${message_id}/events?starting_after=${request.sequence_number}`,
      { headers: { 'x-api-key': owner.apiKey } },
    )
    await succeed('POST', `${path}/message/${message_id}/review`, { decision: 'approve' })
    const wire = await follow.text()
    const rest = wire
      .split('\n\n')
      .flatMap((frame) => frame.split('\n').filter((line) => line.startsWith('data: {')))
      .map((line) => JSON.parse(line.slice(6)))
      .filter(({ type }) => type !== 'ping')
    expect(shapeOf(rest)).toBe('tool_call_result response end_response')
    expect(textOf([...asked, ...rest])).toBe('One moment. \n\nDone: Created letter.md.')
    const numbers = [...asked, ...rest].map(({ sequence_number }) => sequence_number)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(rest[0].data.tool_call_id).toBe(
      asked.find(({ subtype }) => subtype === 'tool_call_start')!.data.tool_call_id,
    )
  })

  test('one who reads the events from before the question waits with it', async () => {
    const { ask, path, succeed, url, owner } = await startWaiting(CREATE)
    const { message_id } = (await ask('Write', {}, path)).body.data
    const events = fetch(`${url}/v1${path}/message/${message_id}/events`, { headers: { 'x-api-key': owner.apiKey } })
    const text = events.then((reply) => reply.text())
    await succeed('POST', `${path}/message/${message_id}/review`, { decision: 'reject' })
    const wire = await text
    for (const part of ['"metadata"', '"review_request"', '"end_response"', '[DONE]']) expect(wire).toContain(part)
    expect(wire.match(/"type":"review_request"/g)).toHaveLength(1)
  })

  test('is decided once, however many decide at the same time', async () => {
    const { ask, path, call, completed, model } = await startWaiting(CREATE)
    const { message_id } = (await ask('Write', {}, path)).body.data
    const decide = () => call('POST', `${path}/message/${message_id}/review`, { decision: 'approve' })
    const replies = await Promise.all(Array.from({ length: 8 }, decide))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    const { error_code } = replies.find(({ status }) => status === 409)!.body
    expect(error_code).toBe('MESSAGE_NOT_WAITING')
    await completed(message_id)
    expect(model.requests).toHaveLength(2)
  })

  test('other messages of the chat do not wait with it', async () => {
    const { ask, path, completed, succeed } = await startWaiting(CREATE)
    const { message_id } = (await ask('Write', {}, path)).body.data
    expect((await ask('And else?', {}, path)).body.data.ai_resolution_status).toBe('waiting')
    await succeed('POST', `${path}/message/${message_id}/review`, { decision: 'approve' })
    expect((await completed(message_id)).response).toContain('Done')
  })

  test('wrong decisions are refused, and the message waits on', async () => {
    const { ask, path, call, message } = await startWaiting(CREATE)
    const { message_id } = (await ask('Write', {}, path)).body.data
    await everyRow(
      [
        [{}, 'decision'],
        [{ decision: 'maybe' }, 'decision'],
        [{ decision: 'answer', note: 'Red' }, 'decision'],
        [{ decision: 'approve', note: 5 }, 'note'],
      ],
      async (decision, field) => {
        const { status, body } = await call('POST', `${path}/message/${message_id}/review`, decision)
        expect([status, body.error_code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', field])
        expect((await message(message_id, path)).ai_resolution_status).toBe('waiting')
      },
    )
  })
})

describe('a question to the person', () => {
  test('is in the stream with its options; the answer goes to the model', async () => {
    const { stream, path, succeed, completed } = await startWaiting(ASK)
    const asked = await (await stream('Paint it', {}, path)).rest()
    expect(asked.at(-1)).toMatchObject({
      type: 'review_request',
      text: 'Which colour?',
      data: { review: { kind: 'question', options: ['Red', 'Blue'], arguments: null } },
    })
    const { message_id } = asked[0]!.data
    await succeed('POST', `${path}/message/${message_id}/review`, { decision: 'answer', note: 'Green' })
    expect((await completed(message_id)).response).toBe('One moment. \n\nDone: Green')
  })

  test('an answer without a text is refused; approving with a note answers it', async () => {
    const { ask, path, call, completed } = await startWaiting(ASK)
    const { message_id } = (await ask('Paint it', {}, path)).body.data
    const refused = await call('POST', `${path}/message/${message_id}/review`, { decision: 'answer', note: '  ' })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'note'])
    await call('POST', `${path}/message/${message_id}/review`, { decision: 'approve', note: 'Red' })
    expect((await completed(message_id)).response).toContain('Done: Red')
  })

  test('a question without words is the model’s to mend, and asks nobody', async () => {
    const wrong = { toolCall: { name: 'ask_person', arguments: { question: ' ' } } }
    const { ask, path, inbox } = await startWaiting(wrong)
    expect((await ask('Hi', {}, path)).body.data.text).toContain('The arguments are not valid')
    expect((await inbox()).total).toBe(0)
  })
})

test('whoever saw a message wait decides nothing about what it waits for by now', async () => {
  const script: Script = ({ body }) => (results(body).length < 2 ? answer(ASK as never) : answer('Done'))
  const { ask, path, succeed, inbox, services, owner } = await startWaiting(ASK, { script })
  const id = (await ask('Paint it', {}, path)).body.data.message_id
  const seen = (await findMessage(services.db, owner.organizationId, id))!
  const [first] = (await inbox()).reviews
  await succeed('POST', `${path}/message/${id}/review`, { decision: 'answer', note: 'Red' })
  const pending = async () => (await inbox('status=pending')).reviews.map((review: any) => review.id)
  await expect.poll(pending).toEqual([expect.not.stringMatching(first.id)])
  const [second] = await pending()
  const late = services.reviews.decide(owner as never, seen, { decision: 'answer', note: 'Blue', arguments: null })
  await expect(late).rejects.toThrow(MessageNotWaitingError)
  await services.reviews.cancel(seen)
  expect(await pending()).toEqual([second])
  await succeed('POST', `${path}/message/${id}/review`, { decision: 'answer', note: 'Blue' })
})

test('the webhook of an asynchronous query comes when the run is finished, not when it waits', async () => {
  const receiver = await startReceiver()
  const { path, succeed, message } = await startWaiting(CREATE, { settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' } })
  const { data } = await succeed('POST', `${path}/async_query`, { query: 'Write', webhook_url: receiver.url })
  const id = data.message_id
  await expect.poll(async () => (await message(id, path)).ai_resolution_status).toBe('waiting')
  expect(receiver.received).toHaveLength(0)
  await succeed('POST', `${path}/message/${id}/review`, { decision: 'approve' })
  const { body } = await receiver.next()
  expect(JSON.parse(body)).toMatchObject({
    status: 'success',
    data: {
      id,
      response: 'One moment. \n\nDone: Created letter.md.',
      downloadable_output: { file_1: expect.any(String) },
    },
  })
})

test('an agent that is deleted takes what waits of it out of the inbox, and its webhook hears of it', async () => {
  const receiver = await startReceiver()
  const { path, succeed, message, inbox } = await startWaiting(ASK, {
    settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
  const { data } = await succeed('POST', `${path}/async_query`, { query: 'Ask', webhook_url: receiver.url })
  await expect.poll(async () => (await message(data.message_id, path)).ai_resolution_status).toBe('waiting')
  await succeed('DELETE', path.slice(0, path.indexOf('/chats')))
  await expect.poll(async () => (await inbox('status=pending')).total).toBe(0)
  expect((await inbox('status=cancelled')).total).toBe(1)
  expect(JSON.parse((await receiver.next()).body)).toMatchObject({
    status: 'error',
    error_message: expect.stringContaining('The agent was deleted'),
    data: { id: data.message_id },
  })
})

test('nobody decides: the message comes to a clear end, and so does its webhook', async () => {
  const receiver = await startReceiver()
  const { path, succeed, completed, inbox, call } = await startWaiting(CREATE, {
    settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8', DOCENT_REVIEW_TTL: '1.5' },
  })
  const { data } = await succeed('POST', `${path}/async_query`, { query: 'Write', webhook_url: receiver.url })
  const ended = await completed(data.message_id)
  expect(ended.error_message).toBe(
    'Nobody decided within 1.5 seconds what the answer waited for: May Guide use create_file?',
  )
  expect(JSON.parse((await receiver.next()).body)).toMatchObject({
    status: 'error',
    error_message: ended.error_message,
  })
  expect((await inbox('status=expired')).total).toBe(1)
  const late = await call('POST', `${path}/message/${data.message_id}/review`, { decision: 'approve' })
  expect(late.status).toBe(409)
})

test('a message that waits can be cancelled and deleted', async () => {
  const { ask, path, succeed, inbox, call } = await startWaiting(CREATE)
  const first = (await ask('Write', {}, path)).body.data.message_id
  const { data } = await succeed('POST', `${path}/message/${first}/cancel`)
  expect(data).toMatchObject({
    ai_resolution_status: 'completed',
    error_message: 'cancelled',
    response: 'One moment. ',
  })
  expect((await inbox('status=cancelled')).total).toBe(1)
  const second = (await ask('Again', {}, path)).body.data.message_id
  await succeed('DELETE', `${path}/message/${second}`)
  expect((await call('GET', `${path}/message/${second}`)).status).toBe(404)
  expect((await inbox()).total).toBe(1)
})

test('a chat that is deleted while a message of it waits ends the delivery of that message', async () => {
  const receiver = await startReceiver()
  const { path, succeed, message, workspace, inbox } = await startWaiting(CREATE, {
    settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
  const { data } = await succeed('POST', `${path}/async_query`, { query: 'Write', webhook_url: receiver.url })
  await expect.poll(async () => (await message(data.message_id, path)).ai_resolution_status).toBe('waiting')
  await succeed('DELETE', path)
  const deliveries = async () =>
    (await succeed('GET', `/workspaces/${workspace.id}/webhook-deliveries`)).data.deliveries.map(
      ({ status }: any) => status,
    )
  await expect.poll(deliveries).toEqual(['failed'])
  expect(receiver.received).toEqual([])
  expect((await inbox()).total).toBe(0)
})

test('the same message_id again, while it waits, says again what is asked', async () => {
  const { ask, path, stream, model } = await startWaiting(CREATE)
  const message_id = 'd'.repeat(24)
  const first = (await ask('Write', { message_id }, path)).body
  expect((await ask('Write', { message_id }, path)).body).toEqual(first)
  const events = await (await stream('Write', { message_id }, path)).rest()
  expect(events.at(-1)!.type).toBe('review_request')
  expect(model.requests).toHaveLength(1)
})

describe.each(STACKS)('on %s', (stack) => {
  test('a review outlives the server: the run goes on where it was after a kill', async () => {
    const { first, again, path, model } = await startRestartable(callThenTell(CREATE), { stack, agent: AGENT })
    const asked = await first.call('POST', `${path}/query`, { query: 'Write' })
    const { message_id } = asked.body.data
    await first.end('SIGKILL')
    const second = await again()
    const waiting = await second.call('GET', `${path}/message/${message_id}`)
    expect(waiting.body.data).toMatchObject({ ai_resolution_status: 'waiting', review: asked.body.data.review })
    await second.call('POST', `${path}/message/${message_id}/review`, { decision: 'approve' })
    const message = async () => (await second.call('GET', `${path}/message/${message_id}`)).body.data
    await expect.poll(async () => (await message()).ai_resolution_status, { timeout: 60_000 }).toBe('completed')
    expect((await message()).response).toBe('One moment. \n\nDone: Created letter.md.')
    expect(model.requests).toHaveLength(2)
    await second.end('SIGTERM')
  })
})

test('reviews are in the inbox of their own workspace only, and only its keys see it', async () => {
  const { ask, path, services, call, workspace } = await startWaiting(CREATE)
  await ask('Write', {}, path)
  const other = await services.access.createOrganization('Other')
  const { status } = await call('GET', `/workspaces/${workspace.id}/reviews`, undefined, { key: other.apiKey })
  expect(status).toBe(403)
  const own = await call('GET', `/workspaces/${other.workspaceId}/reviews`, undefined, { key: other.apiKey })
  expect(own.body.data.reviews).toEqual([])
})
