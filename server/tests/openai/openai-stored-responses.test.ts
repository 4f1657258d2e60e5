import { expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { AGENT, CREATE, callThenTell } from '../support/chats/reviews.ts'
import { driveOf } from '../support/drive/drive.ts'
import { answer, inOrder } from '../support/models/model-server.ts'
import { clientOf } from '../support/openai.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

type Started = Awaited<ReturnType<typeof startTestChat>>

/** Opens a stream, and waits until the agent has said something. @returns the rest of it, and the response's id */
async function beginToSay(started: Started) {
  const stream = await clientOf(started).responses.create({ model: 'Guide', input: 'What?', stream: true })
  const events = stream[Symbol.asyncIterator]()
  let id = ''
  for (;;) {
    const { value, done } = await events.next()
    if (done) throw new Error('nothing was said')
    if (value.type === 'response.created') id = value.response.id
    if (value.type === 'response.output_text.delta') return { events, id }
  }
}

test('a response is read as it was told', async () => {
  const script = inOrder(
    answer({ toolCall: { name: 'search_knowledge', arguments: { query: 'high tide' } } }),
    answer('Nothing is said of it.'),
  )
  const started = await startTestChat({ script })
  const folderId = await driveOf(started).newFolder('Harbour')
  await started.succeed('PATCH', `/agents/${started.agentId}`, { knowledge_base_ids: [folderId] })
  const client = clientOf(started)
  const { output_text: _, ...told } = await client.responses.create({ model: 'Guide', input: 'How often?' })
  expect(told.output.map(({ type }) => type)).toEqual(['file_search_call', 'message'])
  expect(await client.responses.retrieve(told.id)).toMatchObject(told)
  const streamed = client.responses.retrieve(told.id, { stream: true })
  await expect(streamed).rejects.toMatchObject({
    status: 400,
    param: 'stream',
    message: expect.stringContaining('read whole'),
  })
})

test('a response that failed or was cancelled is read as that', async () => {
  const script = inOrder({ status: 400, body: 'no' }, { steps: ['Mus', { hang: true }] })
  const started = await startTestChat({ script })
  const client = clientOf(started)
  const stream = client.responses.stream({ model: 'Guide', input: 'What?' })
  const failures: { id: string; error: unknown }[] = []
  for await (const event of stream) if (event.type === 'response.failed') failures.push(event.response)
  const [{ id, error }] = failures as [(typeof failures)[0]]
  expect(await client.responses.retrieve(id)).toMatchObject({ status: 'failed', error, output: [] })

  const cancelled = await beginToSay(started)
  const { docent } = (await client.responses.retrieve(cancelled.id)) as unknown as { docent: Record<string, string> }
  const path = `/agents/${docent.agent_id}/chats/${docent.chat_id}/message/${docent.message_id}`
  await started.succeed('POST', `${path}/cancel`)
  expect(await client.responses.retrieve(cancelled.id)).toMatchObject({
    status: 'cancelled',
    error: null,
    output: [{ type: 'message', status: 'incomplete', content: [{ text: 'Mus' }] }],
  })
})

test('a response that is on its way is read as far as it is stored', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = await startTestChat({ script: inOrder({ steps: ['Mus', { until: promise }, 'tard'] }) })
  const client = clientOf(started)
  const { events, id } = await beginToSay(started)
  expect(await client.responses.retrieve(id)).toMatchObject({ status: 'in_progress', error: null, model: 'Guide' })
  resolve()
  while (!(await events.next()).done);
  expect(await client.responses.retrieve(id)).toMatchObject({ status: 'completed', output_text: 'Mustard' })
})

test('a response that waits for a person is read as what it asks', async () => {
  const started = await startTestChat({ script: callThenTell(CREATE) })
  await started.succeed('PATCH', `/agents/${started.agentId}`, AGENT)
  const client = clientOf(started)
  const told = await client.responses.create({ model: 'Guide', input: 'Write a letter.' })
  expect(told).toMatchObject({
    status: 'completed',
    output_text: expect.stringContaining('May Guide use create_file?'),
  })
  expect(await client.responses.retrieve(told.id)).toMatchObject({
    status: 'completed',
    output_text: told.output_text,
  })
})
