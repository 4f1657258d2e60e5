import { afterEach, describe, expect, test } from 'vitest'
import { wordVector } from '../../../../tests/support/models/model-embeddings.ts'
import { type ModelServer, type Script, startModelServer } from '../../../../tests/support/models/model-server.ts'
import type { ModelsConfig } from '../models.config.ts'
import { createEmbeddings } from './embeddings.ts'

let server: ModelServer
afterEach(() => server?.close())

const signal = new AbortController().signal
const timeouts = { firstTokenMs: 10_000, idleMs: 10_000, totalMs: 10_000 }

async function start(embedding: string, script?: Script, limits = timeouts) {
  server = await startModelServer({ script })
  const config: ModelsConfig = {
    embedding,
    timeouts: limits,
    openai: { apiKey: 'secret', baseUrl: server.openaiUrl },
    google: { apiKey: 'secret', baseUrl: server.googleUrl },
    ollama: { baseUrl: server.url },
    openaiCompatible: { baseUrl: server.openaiUrl },
  }
  const model = createEmbeddings(config)
  if (!model) throw new Error('no model')
  return model
}

const unit = (text: string) => {
  const vector = wordVector(text)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function expectVectors(vectors: Float32Array[], texts: string[]) {
  expect(vectors).toHaveLength(texts.length)
  for (const [index, text] of texts.entries()) {
    const expected = unit(text)
    expect(Math.max(...expected.map((value, at) => Math.abs(value - (vectors[index]?.[at] ?? 9))))).toBeLessThan(1e-6)
  }
}

describe.each(['openai/text-embedding-3-small', 'openai-compatible/x', 'ollama/y', 'google/gemini-embedding-001'])(
  '%s',
  (id) => {
    test('gives one vector of length 1 a text, in their order, over many requests', async () => {
      const texts = Array.from({ length: 150 }, (_, index) => `text number ${index} ${'word '.repeat(index % 7)}`)
      const model = await start(id)
      expectVectors(await model.embed(texts, { purpose: 'document', signal }), texts)
      expect(server.requests).toHaveLength(3)
      expectVectors(await model.embed(['one alone'], { purpose: 'query', signal }), ['one alone'])
    })

    test('no texts need no request', async () => {
      const model = await start(id)
      expect(await model.embed([], { purpose: 'document', signal })).toEqual([])
      expect(server.requests).toHaveLength(0)
    })

    test('an overloaded provider is asked again, a wrong key is reported', async () => {
      const busy = { status: 503, headers: { 'retry-after': '0' } }
      const wrongKey = { status: 401, body: { error: { message: 'no', status: 'UNAUTHENTICATED' } } }
      const replies = [busy, undefined, wrongKey]
      const model = await start(id, (_request, index) => replies[index])
      expectVectors(await model.embed(['a'], { purpose: 'query', signal }), ['a'])
      await expect(model.embed(['a'], { purpose: 'query', signal })).rejects.toMatchObject({ reason: 'key' })
    })

    test('a model that it does not know is to be chosen elsewhere than one for answers', async () => {
      const body = { error: { message: 'The model does not exist', code: 'model_not_found', status: 'NOT_FOUND' } }
      const model = await start(id, () => ({ status: 404, body }))
      await expect(model.embed(['a'], { purpose: 'query', signal })).rejects.toThrow(
        /another one under Settings → Models or in DOCENT_EMBEDDING_MODEL \(unknown-model, 404\)/,
      )
    })

    test('a provider that hangs ends with the limit', async () => {
      const model = await start(id, () => ({ silence: true }), { ...timeouts, firstTokenMs: 40 })
      await expect(model.embed(['a'], { purpose: 'query', signal })).rejects.toThrow(
        /sent no vectors within 0.04 s. The limit is DOCENT_MODEL_FIRST_TOKEN_TIMEOUT/,
      )
    })

    test('cancelling rejects with its reason', async () => {
      const stop = new AbortController()
      const model = await start(id, () => {
        stop.abort(new Error('enough'))
        return { silence: true }
      })
      await expect(model.embed(['a'], { purpose: 'query', signal: stop.signal })).rejects.toThrow('enough')
    })

    test.each([
      ['another number of vectors', { data: [], embeddings: [] }],
      ['no vectors at all', { hello: 1 }],
    ])('%s is no answer', async (_name, body) => {
      const model = await start(id, () => ({ status: 200, body }))
      await expect(model.embed(['a', 'b'], { purpose: 'query', signal })).rejects.toMatchObject({
        reason: 'unreadable',
      })
    })
  },
)

test('vectors that come out of order are put right', async () => {
  const data = [
    { index: 1, embedding: [0, 2] },
    { index: 0, embedding: [3, 0] },
  ]
  const model = await start('openai-compatible/x', () => ({ status: 200, body: { data } }))
  const vectors = await model.embed(['a', 'b'], { purpose: 'document', signal })
  expect(vectors.map((vector) => [...vector])).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test('an empty text gets a vector too', async () => {
  const model = await start('openai/text-embedding-3-small')
  await model.embed(['', 'b'], { purpose: 'document', signal })
  expect(server.requests[0]?.body).toMatchObject({ input: [' ', 'b'], encoding_format: 'base64' })
})

test('models that were trained on a prompt get it', async () => {
  const model = await start('ollama/nomic-embed-text:v1.5')
  await model.embed(['cats'], { purpose: 'query', signal })
  await model.embed(['cats'], { purpose: 'document', signal })
  expect(server.requests.map((request) => request.body.input)).toEqual([
    ['search_query: cats'],
    ['search_document: cats'],
  ])
})

test('Google is told what the vectors are for', async () => {
  const model = await start('google/gemini-embedding-001')
  await model.embed(['cats'], { purpose: 'query', signal })
  await model.embed(['cats', 'dogs'], { purpose: 'document', signal })
  expect(server.requests[0]?.body.taskType).toBe('RETRIEVAL_QUERY')
  expect(server.requests[1]?.body.requests[0].taskType).toBe('RETRIEVAL_DOCUMENT')
})

test.each([
  ['anthropic/x', /no embedding models of anthropic/],
  ['openai/x', /set OPENAI_API_KEY/],
  ['acme/x', /no model provider "acme"/],
  ['local//nowhere/at/all', /\/nowhere\/at\/all holds no embedding model/],
  ['nonsense', /provider\/model/],
])('%s is refused at once', (embedding, message) => {
  expect(() => createEmbeddings({ embedding, timeouts })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) }),
  )
})

test('no setting is no model', () => {
  expect(createEmbeddings({ timeouts })).toBeUndefined()
})
