import { Docent } from '@docent/sdk'
import { generateText, type ModelMessage, streamText } from 'ai'
import { expect, test } from 'vitest'
import { answer, startModelServer } from '../../server/tests/support/models/model-server.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { createDocent, docent as ofEnvironment } from './index.ts'

/** A server with an agent that knows one document, on which it is asked to rely by the built-in model. */
async function startPotter(settings: Record<string, string> = {}, model?: string) {
  const { url, owner } = await startTestApp(settings)
  const client = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  const folder = await client.knowledgeBases.create({ knowledge_base_name: 'Workshop' })
  const file_id = await client.files.upload(new Blob(['The kiln in workshop three fires at 1240 degrees.']), {
    name: 'kiln.txt',
  })
  await client.dataSources.add(folder.id, { file_id, data_source_title: 'kiln.txt' })
  await client.knowledgeBases.waitUntilIndexed(folder.id)
  const agent = await client.agents.create({ name: 'Potter', knowledge_base_ids: [folder.id], model })
  return { url, client, agent, docent: createDocent({ baseUrl: `${url}/v1`, apiKey: owner.apiKey }) }
}

const PROMPT = 'Which kiln fires in workshop three?'

test('generateText gives the answer, its sources and its usage, and the person it was asked for', async () => {
  const { docent, client, agent } = await startPotter()
  const result = await generateText({ model: docent('Potter', { virtualUser: 'ada@example.com' }), prompt: PROMPT })
  expect(result.text).toContain('1240')
  expect(result.sources).toContainEqual(
    expect.objectContaining({ sourceType: 'document', filename: 'kiln.txt', mediaType: expect.any(String) }),
  )
  expect(result.finishReason).toBe('stop')
  expect(result.usage.inputTokens).toBeGreaterThan(0)
  expect(result.usage.outputTokens).toBeGreaterThan(0)
  const { chats } = await client.chats.list(agent.id, { virtual_user_email: 'ada@example.com' })
  expect(chats).toHaveLength(1)
})

test('streamText gives text piece by piece, then sources and usage', async () => {
  const { docent, agent } = await startPotter()
  const result = streamText({ model: docent.languageModel(agent.id), prompt: PROMPT })
  const pieces: string[] = []
  for await (const piece of result.textStream) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.join('')).toContain('1240')
  expect(await result.sources).toContainEqual(expect.objectContaining({ filename: 'kiln.txt' }))
  expect((await result.usage).outputTokens).toBeGreaterThan(0)
})

test('a conversation that goes on is one chat, whose earlier messages the agent knows', async () => {
  await using model = await startModelServer({ script: () => answer('Por', 'celain') })
  const { docent, client, agent } = await startPotter(
    { OPENAI_BASE_URL: model.openaiUrl, OPENAI_API_KEY: 'key' },
    'openai/gpt-5',
  )
  const messages: ModelMessage[] = [{ role: 'user', content: 'My clay is stoneware.' }]
  const first = await generateText({ model: docent('Potter'), messages, instructions: 'Be brief.' })
  messages.push(...first.response.messages, { role: 'user', content: 'What is my clay?' })
  const second = await generateText({ model: docent('Potter'), messages, instructions: 'Be brief.' })
  expect(second.text).toBe('Porcelain')
  const asked = JSON.stringify(model.requests.at(-1)!.body)
  for (const part of ['My clay is stoneware.', 'Porcelain', 'What is my clay?', 'Be brief.'])
    expect(asked).toContain(part)
  const { chats } = await client.chats.list(agent.id)
  expect(chats).toHaveLength(1)
})

test('a file of another kind than pictures and PDF comes with its question', async () => {
  await using model = await startModelServer({ script: () => answer('Three.') })
  const { docent } = await startPotter({ OPENAI_BASE_URL: model.openaiUrl, OPENAI_API_KEY: 'key' }, 'openai/gpt-5')
  const data = new TextEncoder().encode('kiln,degrees\nWorkshop three,1240\n')
  for (const filename of ['kilns.csv', undefined]) {
    const content = [
      { type: 'text' as const, text: 'How many kilns are there?' },
      { type: 'file' as const, data, mediaType: 'text/csv', filename },
    ]
    const { text } = await generateText({ model: docent('Potter'), messages: [{ role: 'user', content }] })
    expect(text).toBe('Three.')
    expect(JSON.stringify(model.requests.at(-1)!.body)).toContain('1240')
  }
})

test('a question that is aborted ends, and what cannot be asked says why', async () => {
  const { docent, url } = await startPotter()
  const ask = (model: ReturnType<typeof docent>, abortSignal?: AbortSignal) =>
    generateText({ model, prompt: 'Hello?', maxRetries: 0, abortSignal })
  await expect(ask(docent('Nobody'))).rejects.toMatchObject({ statusCode: 404 })
  await expect(ask(createDocent({ baseUrl: url, apiKey: 'wrong' })('Potter'))).rejects.toMatchObject({
    statusCode: 401,
  })
  await expect(ask(docent('Potter'), AbortSignal.abort(new Error('enough')))).rejects.toThrow()
  expect(() => docent.embeddingModel('Potter')).toThrow('No such embeddingModel')
  expect(() => ofEnvironment('Potter')).toThrow('DOCENT_URL')
})
