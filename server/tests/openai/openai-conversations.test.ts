import type OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { manualClock } from '../support/clock.ts'
import { driveOf } from '../support/drive/drive.ts'
import { answer, inOrder } from '../support/models/model-server.ts'
import { chatsOf, clientOf, dataUrl, said } from '../support/openai.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

type Messages = OpenAI.ChatCompletionMessageParam[]

const KILN = 'The kiln is fired at 1187 degrees.'

/** The last request to the model, as text. */
const asked = ({ model }: Awaited<ReturnType<typeof startTestChat>>) => JSON.stringify(model.requests.at(-1)!.body)

test('a question that is too long is refused before anything is kept, and its chat goes on', async () => {
  const started = await startTestChat({ script: inOrder(answer('Salt.'), answer('Sugar.')) })
  const client = clientOf(started)
  const ask = (messages: Messages) => client.chat.completions.create({ model: 'Guide', messages })
  const long = 'x'.repeat(200_001)
  const first: Messages = [{ role: 'user', content: 'What is in the sea?' }]
  await ask(first)
  const next: Messages = [...first, { role: 'assistant', content: 'Salt.' }]
  const refused = { status: 400, param: 'messages.2', message: expect.stringContaining('at most 200000 characters') }
  await expect(ask([...next, { role: 'user', content: long }])).rejects.toMatchObject(refused)
  const streamed = client.chat.completions.create({
    model: 'Guide',
    messages: [{ role: 'user', content: long }],
    stream: true,
  })
  await expect(streamed).rejects.toMatchObject({ ...refused, param: 'messages.0' })
  await expect(client.responses.create({ model: 'Guide', input: long })).rejects.toMatchObject({
    ...refused,
    param: 'input',
  })
  await ask([...next, { role: 'user', content: 'And in a cake?' }])
  expect(await chatsOf(started)).toHaveLength(1)
})

test('a question that is refused gives the chat back that it would have continued', async () => {
  const started = await startTestChat({ script: inOrder(answer('Salt.'), answer('Sugar.')) })
  const client = clientOf(started)
  const ask = (content: OpenAI.ChatCompletionUserMessageParam['content'], before: Messages = []) =>
    client.chat.completions.create({ model: 'Guide', messages: [...before, { role: 'user', content }] })
  await ask('What is in the sea?')
  const before: Messages = [
    { role: 'user', content: 'What is in the sea?' },
    { role: 'assistant', content: 'Salt.' },
  ]
  const missing = ask([{ type: 'file', file: { file_id: '0'.repeat(24) } }], before)
  await expect(missing).rejects.toMatchObject({ status: 404, param: 'messages.2.content.0' })
  await ask('And in a cake?', before)
  expect(await chatsOf(started)).toHaveLength(1)
})

test('a question whose run failed, or was left, is asked again in the chat that it continued', async () => {
  const held = Promise.withResolvers<void>()
  const started = await startTestChat({
    script: async (_request, index) => {
      if (index === 1) await held.promise
      return answer(['Salt.', 'Slow.', 'Sugar.'][index] ?? 'Nothing more.')
    },
  })
  const client = clientOf(started)
  const before: Messages = [
    { role: 'user', content: 'What is in the sea?' },
    { role: 'assistant', content: 'Salt.' },
  ]
  const ask = (content: OpenAI.ChatCompletionUserMessageParam['content'], signal?: AbortSignal) =>
    client.chat.completions.create({ model: 'Guide', messages: [...before, { role: 'user', content }] }, { signal })
  await client.chat.completions.create({ model: 'Guide', messages: before.slice(0, 1) })

  const file_data = dataUrl('%PDF-1.7 and nothing else', 'application/pdf')
  const torn = ask([{ type: 'file', file: { filename: 'torn.pdf', file_data } }])
  await expect(torn).rejects.toMatchObject({ status: 400 })
  const leaving = new AbortController()
  const left = ask('And in a cake?', leaving.signal)
  await expect.poll(() => started.model.requests.length).toBe(2)
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  const [chat] = await chatsOf(started)
  const newest = async () => {
    const path = `/agents/${started.agentId}/chats/${chat!.id}/messages?order=desc&page_size=1`
    return (await started.succeed('GET', path)).data.messages[0]
  }
  await expect.poll(async () => (await newest()).error_message).toBe('cancelled')
  held.resolve()
  expect((await ask('And in a cake?')).choices[0]!.message.content).toBe('Sugar.')
  expect(await chatsOf(started)).toHaveLength(1)
})

test('a conversation that is asked again, or otherwise, has the files of its earlier messages', async () => {
  const started = await startTestChat({ script: () => answer('Noted.') })
  const client = clientOf(started)
  const file = { filename: 'kiln.txt', file_data: dataUrl(KILN) }
  const messages: Messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Read this.' },
        { type: 'file', file },
      ],
    },
  ]
  const ask = (question?: string, key?: string) => {
    const next: Messages = question
      ? [
          { role: 'assistant', content: 'Noted.' },
          { role: 'user', content: question },
        ]
      : []
    const headers = key ? { 'idempotency-key': key } : {}
    return client.chat.completions.create({ model: 'Guide', messages: [...messages, ...next] }, { headers })
  }
  await ask()
  for (const question of ['How many degrees?', 'How many degrees?', 'How hot is it?']) {
    await ask(question)
    expect(asked(started)).toContain(KILN)
  }
  expect(await chatsOf(started)).toHaveLength(3)
  const [one, other] = [await ask('Which?', 'key-1'), await ask('Which?', 'key-1')]
  expect(other.id).toBe(one.id)
  await Promise.all([ask('How warm?'), ask('How warm?')])
  for (const { body } of started.model.requests.slice(-2)) expect(JSON.stringify(body)).toContain(KILN)
})

test('a response that branches from an earlier one has its files, for as long as their chat', async () => {
  const clock = manualClock()
  const started = await startTestChat({ script: () => answer('Noted.'), clock, alone: true })
  const client = clientOf(started)
  const upload = await driveOf(started).upload(KILN, 'kiln.txt')
  const first = await client.responses.create({
    model: 'Guide',
    input: [{ role: 'user', content: [{ type: 'input_file', file_id: upload }] }],
  })
  const after = (previous_response_id: string) =>
    client.responses.create({ model: 'Guide', input: 'How many degrees?', previous_response_id })
  await after(first.id)
  clock.pass(48 * 3600_000)
  const branch = await after(first.id)
  expect(branch.conversation!.id).not.toBe(first.conversation!.id)
  expect(asked(started)).toContain(KILN)

  // An upload that has expired is gone from a history that names its id, which asks all the same.
  await client.responses.create({
    model: 'Guide',
    input: [
      { role: 'user', content: [{ type: 'input_file', file_id: upload }] },
      { role: 'assistant', content: 'Something else.' },
      { role: 'user', content: 'How many degrees?' },
    ],
  })
  expect(asked(started)).not.toContain(KILN)
})

test('a damaged file is refused by its place, and does not stand in the way as one of an earlier message', async () => {
  const started = await startTestChat({ script: () => answer('Noted.') })
  const client = clientOf(started)
  const file_data = dataUrl('%PDF-1.7 and nothing else', 'application/pdf')
  const message: Messages[number] = {
    role: 'user',
    content: [
      { type: 'text', text: 'Read this.' },
      { type: 'file', file: { filename: 'torn.pdf', file_data } },
    ],
  }
  const request = { model: 'Guide', messages: [message] }
  const refused = { param: 'messages.0.content.1', message: expect.stringContaining('torn.pdf') }
  await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status: 400, ...refused })
  const streamed = client.chat.completions.stream(request).finalChatCompletion()
  await expect(streamed).rejects.toMatchObject({ type: 'invalid_request_error', ...refused })
  await client.chat.completions.create({
    model: 'Guide',
    messages: [message, { role: 'assistant', content: 'I cannot.' }, { role: 'user', content: 'Never mind.' }],
  })
})

test('calls of tools in a history are told as text, and tools that are not to be called are ignored', async () => {
  const started = await startTestChat({ script: () => answer('Bring a coat.') })
  const client = clientOf(started)
  const tools = [{ type: 'function' as const, function: { name: 'get_weather' } }]
  await client.chat.completions.create({
    model: 'Guide',
    tools,
    tool_choice: 'none',
    messages: [
      { role: 'user', content: 'Is it cold?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Kiel"}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: '4 °C' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Do I need a coat?' },
    ],
  })
  const told = [
    'Is it cold?',
    '(A tool was called: get_weather {"city":"Kiel"})\n\n(The tool answered: 4 °C)\n\nYes.',
    'Do I need a coat?',
  ]
  expect(said(started, 0)).toEqual(told)
  await client.responses.create({
    model: 'Guide',
    tools: [{ type: 'function', name: 'get_weather', parameters: null, strict: null }],
    tool_choice: 'none',
    input: [
      { role: 'user', content: 'Is it cold?' },
      { type: 'function_call', call_id: '1', name: 'get_weather', arguments: '{"city":"Kiel"}' },
      { type: 'function_call_output', call_id: '1', output: '4 °C' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Do I need a coat?' },
    ],
  })
  expect(said(started, 1)).toEqual(told)
  const unanswered = client.responses.create({
    model: 'Guide',
    input: [{ type: 'function_call_output', call_id: '1', output: '4 °C' }],
  })
  await expect(unanswered).rejects.toMatchObject({ status: 400, param: 'input.0.role' })
})
