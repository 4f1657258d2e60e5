import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ChatOpenAI } from '@langchain/openai'
import type OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf } from '../support/drive/drive.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { answer, inOrder } from '../support/models/model-server.ts'
import { chatsOf, clientOf, dataUrl, said } from '../support/openai.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('the client of OpenAI lists agents, and asks them by id or name', async () => {
  const started = await startTestChat({ script: inOrder(answer('Once'), answer('Twice')) })
  const { owner, agentId, newAgent } = started
  const client = clientOf(started)
  const { data } = await client.models.list()
  expect(data).toMatchObject([{ id: agentId, object: 'model', owned_by: owner.workspaceId, name: 'Guide' }])
  expect(await client.models.retrieve('Guide')).toMatchObject({ id: agentId })

  for (const [model, text] of [
    [agentId, 'Once'],
    ['Guide', 'Twice'],
  ]) {
    const completion = await client.chat.completions.create({
      model: model!,
      messages: [{ role: 'user', content: 'How often?' }],
    })
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
    })
    expect(completion.usage!.total_tokens).toBe(completion.usage!.prompt_tokens + completion.usage!.completion_tokens)
    expect(completion.usage!.prompt_tokens).toBeGreaterThan(0)
  }

  const other = await newAgent({ name: 'Guide' })
  const asked = client.chat.completions.create({ model: 'Guide', messages: [{ role: 'user', content: 'Which?' }] })
  await expect(asked).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
    param: 'model',
    message: expect.stringContaining(`2 agents are named Guide: use an id (${agentId}, ${other})`),
  })
})

test('a conversation that the client keeps is the memory, and one chat', async () => {
  const started = await startTestChat({ script: inOrder(answer('Salt.'), answer('Sugar.'), answer('Pepper.')) })
  const client = clientOf(started)
  const ask = (messages: OpenAI.ChatCompletionMessageParam[]) =>
    client.chat.completions.create({ model: 'Guide', messages, user: 'ada@example.org' })
  const first = [
    { role: 'system', content: 'Answer in one word.' },
    { role: 'user', content: 'What is in the sea?' },
  ] as const
  await ask([...first])
  await ask([...first, { role: 'assistant', content: 'Salt.' }, { role: 'user', content: 'And in a cake?' }])
  expect(said(started, 1)).toEqual(['What is in the sea?', 'Salt.', 'And in a cake?'])
  expect(started.model.requests[1]!.body.messages[0].content).toContain('Answer in one word.')
  expect(await chatsOf(started)).toHaveLength(1)

  // The history as the client changed it counts, and not what was answered.
  await ask([...first, { role: 'assistant', content: 'Fish!' }, { role: 'user', content: 'And on the table?' }])
  expect(said(started, 2)).toEqual(['What is in the sea?', 'Fish!', 'And on the table?'])
  const chats = await chatsOf(started)
  expect(chats).toHaveLength(2)
  expect(chats.map(({ title }: { title: string }) => title)).toEqual(['What is in the sea?', 'What is in the sea?'])
  const { owner, succeed } = started
  const { virtual_users } = (await succeed('GET', `/workspaces/${owner.workspaceId}/virtual-users`)).data
  expect(virtual_users).toMatchObject([{ email: 'ada@example.org' }])
})

test('a stream brings text, reasoning and usage, and a client that leaves ends the run', async () => {
  const reply = { steps: [{ reasoning: 'Hm' }, 'Mus', 'tard'] }
  const started = await startTestChat({ script: inOrder(reply, reply, { steps: ['Mus', { hang: true }] }) })
  const client = clientOf(started)
  const request = { model: 'Guide', messages: [{ role: 'user' as const, content: 'What?' }], stream: true as const }
  const stream = await client.chat.completions.create({ ...request, stream_options: { include_usage: true } })
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta as Record<string, unknown>))
  expect(deltas[0]).toMatchObject({ role: 'assistant' })
  expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Mustard')
  expect(deltas.map(({ reasoning_content }) => reasoning_content ?? '').join('')).toBe('Hm')
  expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('stop')
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  const { agentId: agent_id } = started
  const whole = await client.chat.completions.stream(request).finalChatCompletion()
  expect(whole).toMatchObject({ docent: { agent_id, message_id: whole.id.replace('chatcmpl-', '') } })

  const left = await client.chat.completions.create(request)
  for await (const { choices } of left) if (choices[0]?.delta.content) break
  await vi.waitFor(async () => {
    const [chat] = await chatsOf(started)
    const { messages } = (await started.succeed('GET', `/agents/${started.agentId}/chats/${chat.id}/messages`)).data
    expect(messages[0]).toMatchObject({ response: 'Mus', ai_resolution_status: 'completed' })
  })
})

test('pictures and files go along, inside the request or by id', async () => {
  const script = inOrder(answer('One red point.'), answer('Tides.'), answer('Both.'), answer('All.'))
  const site = await startReceiver((_, response) =>
    response.setHeader('content-type', 'text/plain').end('Spring tides follow the full moon.'),
  )
  const started = await startTestChat({
    script,
    settings: { DOCENT_MODELS_THAT_SEE: 'openai-compatible/*', DOCENT_OUTBOUND_ALLOW: new URL(site.url).host },
  })
  const client = clientOf(started)
  const content = [
    { type: 'text' as const, text: 'What is this?' },
    { type: 'image_url' as const, image_url: { url: PICTURE } },
  ]
  await client.chat.completions.create({ model: 'Guide', messages: [{ role: 'user', content }] })
  expect(JSON.stringify(started.model.requests[0]!.body.messages)).toContain('data:image/png;base64,')

  const file_data = dataUrl('High tide comes twice a day.')
  await client.responses.create({
    model: 'Guide',
    input: [{ role: 'user', content: [{ type: 'input_file', filename: 'tides.txt', file_data }] }],
  })
  expect(JSON.stringify(started.model.requests[1]!.body.messages)).toContain('High tide comes twice a day.')

  const upload = await driveOf(started).upload('Low tide too.', 'low.txt')
  await client.responses.create({
    model: 'Guide',
    input: [{ role: 'user', content: [{ type: 'input_file', file_id: upload }] }],
  })
  expect(JSON.stringify(started.model.requests[2]!.body.messages)).toContain('Low tide too.')

  const ask = (part: object) =>
    client.responses.create({ model: 'Guide', input: [{ role: 'user', content: [{ type: 'input_file', ...part }] }] })
  await ask({ file_url: `${site.url}/half%E0%A4encoded.txt` })
  expect(JSON.stringify(started.model.requests[3]!.body.messages)).toContain('Spring tides follow the full moon.')
  const param = 'input.0.content.0'
  await expect(ask({ file_url: 'nowhere' })).rejects.toMatchObject({ status: 400, param })
  await expect(ask({ file_data: 'data:text/plain;base64,%%%' })).rejects.toMatchObject({ status: 400, param })
})

test('a response goes on with an earlier one or its conversation, and branches from its middle', async () => {
  const script = inOrder(...['A', 'B', 'C', 'D', 'E'].map((text) => answer(text)))
  const started = await startTestChat({ script })
  const client = clientOf(started)
  const ask = (input: string, rest: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> = {}) =>
    client.responses.create({ model: 'Guide', input, ...rest })
  const first = await ask('1')
  expect(first).toMatchObject({ object: 'response', status: 'completed', output_text: 'A' })
  const second = await ask('2', { previous_response_id: first.id })
  expect(said(started, 1)).toEqual(['1', 'A', '2'])
  expect(second.conversation!.id).toBe(first.conversation!.id)
  await ask('3', { conversation: second.conversation!.id })
  expect(said(started, 2)).toEqual(['1', 'A', '2', 'B', '3'])
  expect(await chatsOf(started)).toHaveLength(1)

  const branch = await ask('4', { previous_response_id: first.id, instructions: 'Be brief.' })
  expect(said(started, 3)).toEqual(['1', 'A', '4'])
  expect(branch.conversation!.id).not.toBe(first.conversation!.id)
  expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id, output_text: 'A' })

  const missing = `resp_${'0'.repeat(24)}`
  await expect(ask('5', { previous_response_id: missing })).rejects.toMatchObject({ status: 404 })
})

test('a streamed response has its tools as items, and its citations as annotations', async () => {
  const script = inOrder(
    answer({ toolCall: { name: 'search_knowledge', arguments: { query: 'high tide' } } }),
    answer('Twice a day [1].'),
  )
  const started = await startTestChat({ script })
  const drive = driveOf(started)
  const folderId = await drive.newFolder('Harbour')
  const content = 'High tide comes twice a day.'
  const fileId = await drive.addFile(folderId, { title: 'tides.txt', content, index: true })
  const file = `/knowledge-bases/${folderId}/data-sources/${fileId}`
  await expect.poll(async () => (await started.succeed('GET', file)).data.status).toBe('successful')
  await started.succeed('PATCH', `/agents/${started.agentId}`, { knowledge_base_ids: [folderId] })
  const client = clientOf(started)
  const stream = client.responses.stream({ model: 'Guide', input: 'How often is high tide?' })
  const types: string[] = []
  for await (const { type } of stream) types.push(type)
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.file_search_call.in_progress',
    'response.file_search_call.searching',
    'response.file_search_call.completed',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
    ...types.filter((type) => type === 'response.output_text.delta'),
    'response.output_text.annotation.added',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  const { output } = await stream.finalResponse()
  expect(output).toMatchObject([
    { type: 'file_search_call', status: 'completed', queries: ['high tide'] },
    {
      type: 'message',
      content: [
        {
          type: 'output_text',
          text: 'Twice a day [1].',
          annotations: [{ type: 'file_citation', file_id: fileId, filename: 'tides.txt', index: 12 }],
        },
      ],
    },
  ])

  const found = await client.vectorStores.search(folderId, { query: 'high tide' })
  expect(found.data).toMatchObject([
    { file_id: fileId, filename: 'tides.txt', content: [{ type: 'text', text: 'High tide comes twice a day.' }] },
  ])
})

test('the same idempotency key asks once, and with something else is refused', async () => {
  const started = await startTestChat({ script: inOrder(answer('Once'), answer('Twice')) })
  const client = clientOf(started)
  const ask = (text: string) =>
    client.chat.completions.create(
      {
        model: 'Guide',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text },
              { type: 'image_url', image_url: { url: PICTURE } },
            ],
          },
        ],
      },
      { headers: { 'idempotency-key': 'key-1' } },
    )
  const [one, other] = await Promise.all([ask('How often?'), ask('How often?')])
  expect(one.choices[0]!.message.content).toBe('Once')
  expect(other.id).toBe(one.id)
  expect(await chatsOf(started)).toHaveLength(1)
  await expect(ask('How long?')).rejects.toMatchObject({ status: 409 })
})

test('what is wrong is said in the form of OpenAI', async () => {
  const started = await startTestChat({ script: inOrder({ status: 400, body: 'no' }) })
  const client = clientOf(started)
  const ask = (rest: object) =>
    client.chat.completions.create({ model: 'Guide', messages: [{ role: 'user', content: 'Hi' }], ...rest })
  await expect(clientOf(started, 'dct_wrong').models.list()).rejects.toMatchObject({
    status: 401,
    type: 'authentication_error',
  })
  const withoutKey = await fetch(`${started.url}/openai/v1/models`)
  expect((await withoutKey.json()).error.message).toContain('authorization: Bearer')
  await expect(ask({ model: 'Nobody' })).rejects.toMatchObject({ status: 404, param: 'model' })
  await expect(ask({ messages: [] })).rejects.toMatchObject({ status: 400, param: 'messages' })
  await expect(ask({ messages: [{ role: 'assistant', content: 'Hi' }] })).rejects.toMatchObject({
    status: 400,
    param: 'messages.0.role',
    type: 'invalid_request_error',
  })
  await expect(ask({ tools: [{ type: 'function', function: { name: 'f' } }] })).rejects.toMatchObject({
    status: 400,
    param: 'tools',
  })
  const audio = { role: 'user', content: [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }] }
  await expect(ask({ messages: [audio] })).rejects.toMatchObject({
    status: 400,
    param: 'messages.0.content.0.type',
    message: expect.stringMatching(/messages\.0\.content\.0\.type: must be one of .*"image_url", "file"$/),
  })
  const respond = (item: object) => client.responses.create({ model: 'Guide', input: [item as never] })
  await expect(respond(audio)).rejects.toMatchObject({ status: 400, param: 'input.0.content.0.type' })
  await expect(respond({ type: 'computer_call_output', call_id: '1' })).rejects.toMatchObject({
    status: 400,
    param: 'input.0.type',
    message: expect.stringContaining('agents carry out their own tools'),
  })
  await expect(ask({})).rejects.toMatchObject({ status: 500, type: 'server_error', code: 'agent_failed' })
  await expect(client.vectorStores.search('0'.repeat(24), { query: 'x' })).rejects.toMatchObject({ status: 404 })
  const embedded = client.embeddings.create({ model: 'Guide', input: 'Hi' })
  await expect(embedded).rejects.toMatchObject({ status: 404, type: 'not_found_error', code: 'not_found' })
  const deleted = client.models.delete('Guide')
  await expect(deleted).rejects.toMatchObject({
    status: 405,
    type: 'invalid_request_error',
    code: 'method_not_allowed',
  })
})

test('the AI SDK and LangChain ask agents', async () => {
  const script = inOrder(answer('One'), answer('Tw', 'o'), answer('Three'), answer('Fo', 'ur'))
  const { url, owner } = await startTestChat({ script })
  const provider = createOpenAICompatible({ name: 'docent', baseURL: `${url}/openai/v1`, apiKey: owner.apiKey })
  const model = provider('Guide')
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Count' }] }]
  const { content } = await model.doGenerate({ prompt })
  expect(content).toMatchObject([{ type: 'text', text: 'One' }])
  const parts = []
  for await (const part of (await model.doStream({ prompt })).stream) parts.push(part)
  expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')).toBe('Two')

  const chat = new ChatOpenAI({ model: 'Guide', apiKey: owner.apiKey, configuration: { baseURL: `${url}/openai/v1` } })
  expect((await chat.invoke('Count')).text).toBe('Three')
  let text = ''
  for await (const chunk of await chat.stream('Count')) text += chunk.text
  expect(text).toBe('Four')
})
