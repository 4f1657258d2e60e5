import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startModelServer } from '../../../server/tests/support/models/model-server.ts'
import { startTestApp } from '../../../server/tests/support/test-app.ts'
import { Docent, newObjectId } from '../index.ts'

/** A line to the server that breaks: `plan(n)` says after how many bytes of answer connection number n is cut. */
async function startLine(target: string, plan: (connection: number) => number) {
  let connections = 0
  const open = new Set<Socket>()
  const line = createServer((client) => {
    let left = plan(connections++)
    const server = connect({ host: '127.0.0.1', port: Number(new URL(target).port) })
    for (const socket of [client, server]) open.add(socket.on('error', () => {}))
    client.pipe(server)
    server.on('data', (chunk) => {
      client.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) for (const socket of [client, server]) socket.destroy()
    })
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
    if (left <= 0) for (const socket of [client, server]) socket.destroy()
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    line.close()
  })
  return { url: `http://127.0.0.1:${(line.address() as { port: number }).port}`, connections: () => connections }
}

const WORDS = Array.from({ length: 60 }, (_, index) => `w${index} `)

async function startAgent(plan: (connection: number) => number) {
  const model = await startModelServer({ script: () => ({ steps: WORDS, tokenDelayMs: 5 }) })
  onTestFinished(() => model.close())
  const app = await startTestApp({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/test',
  })
  const direct = new Docent({ baseUrl: app.url, apiKey: app.owner.apiKey })
  const agent = await direct.agents.create({ name: 'Agent', tools: [] })
  const chat = await direct.chats.create(agent.id)
  const line = await startLine(app.url, plan)
  const client = new Docent({ baseUrl: line.url, apiKey: app.owner.apiKey })
  return { client, direct, line, model, path: [agent.id, chat.id] as const }
}

test('a stream whose connection breaks again and again comes whole, and the agent answers once', async () => {
  const { client, line, model, path } = await startAgent((connection) => (connection < 3 ? 1500 : Number.MAX_VALUE))
  let text = ''
  const numbers: number[] = []
  for await (const event of client.chats.stream(...path, { query: 'Count' })) {
    numbers.push(event.sequence_number)
    if (event.type === 'response') text += event.text
  }
  expect(text).toBe(WORDS.join(''))
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  expect(line.connections()).toBeGreaterThan(3)
  expect(model.requests).toHaveLength(1)
})

test('a query whose answer got lost is asked again, and the agent answers once', async () => {
  const { client, line, model, direct, path } = await startAgent((connection) =>
    connection === 0 ? 30 : Number.MAX_VALUE,
  )
  expect((await client.chats.query(...path, { query: 'Count' })).text).toBe(WORDS.join(''))
  expect(line.connections()).toBe(2)
  expect(model.requests).toHaveLength(1)
  expect((await direct.chats.messages.list(...path)).total).toBe(1)
})

test('what is made comes once, though its answer got lost', async () => {
  const { client, direct, line } = await startAgent((connection) => (connection === 0 ? 30 : Number.MAX_VALUE))
  const { id } = await client.agents.create({ name: 'Once' })
  expect(line.connections()).toBe(2)
  const made = (await direct.agents.list()).agents.filter(({ name }) => name === 'Once')
  expect(made.map((agent) => agent.id)).toEqual([id])
})

test('what could do harm twice is not sent twice: a sign-in, and a call that says so', async () => {
  const { client, line } = await startAgent(() => 0)
  const lost = { code: 'CONNECTION_FAILED' }
  await expect(client.session.create('dct_wrong')).rejects.toMatchObject(lost)
  expect(line.connections()).toBe(1)
  await expect(client.agents.create({ name: 'Once' }, { maxRetries: 0 })).rejects.toMatchObject(lost)
  expect(line.connections()).toBe(2)
})

test('a line that stays broken ends the stream with an error', async () => {
  const { client, path } = await startAgent((connection) => (connection === 0 ? 1500 : 0))
  const read = async () => {
    for await (const _ of client.chats.stream(...path, { query: 'Count' }));
  }
  await expect(read()).rejects.toMatchObject({ name: 'DocentError', code: 'CONNECTION_FAILED' })
})

test('a run that fails ends the stream with what went wrong', async () => {
  const { direct, model, path } = await startAgent(() => 0)
  await model.close()
  const read = async () => {
    for await (const _ of direct.chats.stream(...path, { query: 'Count' }));
  }
  await expect(read()).rejects.toMatchObject({ name: 'DocentError', code: 'AGENT_FAILED' })
})

test('a run that somebody cancels ends the stream as cancelled', async () => {
  const { direct, path } = await startAgent(() => 0)
  const stream = direct.chats.stream(...path, { query: 'Count' })
  const read = async () => {
    for await (const event of stream)
      if (event.type === 'metadata') await direct.chats.messages.cancel(...path, stream.messageId)
  }
  await expect(read()).rejects.toMatchObject({ code: 'CANCELLED' })
})

test('too many requests are waited out', async () => {
  const app = await startTestApp({ DOCENT_RATE_LIMIT: '2', DOCENT_RATE_BURST: '2' })
  const client = new Docent({ baseUrl: app.url, apiKey: app.owner.apiKey })
  const answers = await Promise.all([1, 2, 3].map(() => client.me()))
  expect(answers).toHaveLength(3)
  const impatient = new Docent({ baseUrl: app.url, apiKey: app.owner.apiKey, maxRetries: 0 })
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => impatient.me()))
  expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
})

test('an answer that does not come in time is given up', async () => {
  const model = await startModelServer({ script: () => ({ silence: true }) })
  onTestFinished(() => model.close())
  const app = await startTestApp({
    OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/test',
  })
  const client = new Docent({ baseUrl: app.url, apiKey: app.owner.apiKey, maxRetries: 0 })
  const agent = await client.agents.create({ name: 'Agent', tools: [] })
  const chat = await client.chats.create(agent.id)
  const question = { query: 'Anyone?', message_id: newObjectId() }
  const query = client.chats.query(agent.id, chat.id, question, { timeoutMs: 100 })
  await expect(query).rejects.toMatchObject({ status: 0, code: 'TIMEOUT' })
  await client.chats.messages.cancel(agent.id, chat.id, question.message_id)
})

test('a folder that is followed over a connection that breaks misses nothing and repeats nothing', async () => {
  const { client, direct, line } = await startAgent((connection) => (connection < 3 ? 1500 : Number.MAX_VALUE))
  const { id } = await direct.knowledgeBases.create({ knowledge_base_name: 'Shelf' })
  const names = Array.from({ length: 8 }, (_, at) => `${at}`)
  let isBegun = false
  const addAll = async () => {
    for (const name of names) await direct.dataSources.pushed.put(id, name, { title: name, text: name })
  }
  const created: string[] = []
  let adding: Promise<void> | undefined
  for await (const event of client.knowledgeBases.follow(id, {
    onOpen() {
      if (!isBegun) adding = addAll()
      isBegun = true
    },
  })) {
    expect(event.type).not.toBe('reset')
    if (event.type === 'created') created.push(event.data_source_id)
    if (created.length === names.length) break
  }
  await adding
  expect(new Set(created).size).toBe(names.length)
  expect(line.connections()).toBeGreaterThan(3)
})
