import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLocalEmbedding } from './local-embedding.ts'

// The library is large and not a dependency: in its place stands one with the same two exports whose model answers
// with the length of the text, slowly, and with its options on request.
const LIBRARY = `
export const env = {}
export async function pipeline(task, folder, options) {
  return async (text, { pooling, normalize }) => {
    if (text === 'options') {
      const told = [task === 'feature-extraction', folder.endsWith('model'), options.dtype === 'q8', options.subfolder === 'onnx',
        env.allowRemoteModels === false, pooling === 'mean', !normalize]
      return { data: Float32Array.from(told, Number) }
    }
    if (text.includes('explode')) throw new Error('bad tensor')
    if (text.includes('die')) process.exit(1)
    if (text.includes('unknown')) return { data: Float32Array.of(0, 0) }
    if (text.includes('nothing')) return { data: Float32Array.of(NaN) }
    await new Promise((done) => setTimeout(done, 5))
    return { data: Float32Array.of(text.length, 1) }
  }
}`

let root: string
let library: string
const signal = new AbortController().signal

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docent-embeddings-'))
  library = pathToFileURL(join(root, 'library.mjs')).href
  await writeFile(join(root, 'library.mjs'), LIBRARY)
  for (const name of ['model', 'e5-model']) {
    await mkdir(join(root, name, 'onnx'), { recursive: true })
    for (const file of ['config.json', 'tokenizer.json', 'onnx/model_quantized.onnx']) {
      await writeFile(join(root, name, file), '{}')
    }
  }
})
afterAll(() => rm(root, { recursive: true }))

const open = (name = 'model') => createLocalEmbedding({ id: `local/${name}`, folder: join(root, name), library })
const lengthOf = (vector?: Float32Array) => Math.round((vector?.[0] ?? 0) / (vector?.[1] ?? 1))

test('gives one vector of length 1 a text, in their order', async () => {
  const vectors = await open().embed(['a', 'bbb', 'cc'], { purpose: 'document', signal })
  expect(vectors.map(lengthOf)).toEqual([1, 3, 2])
  expect(Math.hypot(...(vectors[1] ?? []))).toBeCloseTo(1, 6)
})

test('runs the weights that are there, offline, with mean pooling', async () => {
  const [vector] = await open('model').embed(['options'], { purpose: 'document', signal })
  expect([...(vector ?? [])].map((value) => value > 0)).toEqual(Array(7).fill(true))
})

test('a text of which a static model knows no word has a vector of zeros', async () => {
  const [vector, other] = await open().embed(['unknown', 'bbb'], { purpose: 'document', signal })
  expect([...vector!]).toEqual([0, 0])
  expect(lengthOf(other)).toBe(3)
})

test('models that were trained on a prompt get it', async () => {
  const [vector] = await open('e5-model').embed(['ab'], { purpose: 'query', signal })
  expect(lengthOf(vector)).toBe('query: ab'.length)
})

test('a query passes documents that wait', async () => {
  const model = open()
  const order: string[] = []
  const documents = model
    .embed(Array(10).fill('document'), { purpose: 'document', signal })
    .then(() => order.push('documents'))
  const query = model.embed(['query'], { purpose: 'query', signal }).then(() => order.push('query'))
  await Promise.all([documents, query])
  expect(order).toEqual(['query', 'documents'])
})

test('what waits when it is cancelled is not computed', async () => {
  const model = open()
  const stop = new AbortController()
  const documents = model.embed(Array(5000).fill('document'), { purpose: 'document', signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(documents).rejects.toThrow('enough')
  expect(await model.embed(['a'], { purpose: 'document', signal })).toHaveLength(1)
})

test.each([
  ['a text that the model cannot take', 'explode', 'bad tensor'],
  ['a thread that dies', 'die', 'its thread ended'],
  ['an answer that is no number', 'nothing', 'it gave no numbers'],
])('%s fails alone', async (_name, text, detail) => {
  const model = open()
  const failing = model.embed([text], { purpose: 'document', signal })
  const other = model.embed(['abc'], { purpose: 'document', signal })
  await expect(failing).rejects.toMatchObject({
    code: 'AGENT_FAILED',
    message: 'The embedding model local/model failed (provider).',
    detail,
  })
  expect((await other).map(lengthOf)).toEqual([3])
})

test('without the library the error says how to install it', () => {
  expect(() =>
    createLocalEmbedding({ id: 'local/m', folder: join(root, 'model'), library: '@docent/not-there' }),
  ).toThrow(
    'Embedding models on disk need a library that is not installed. Run in the folder of Docent: npm install -w server --no-save --ignore-scripts @huggingface/transformers@4.3.1',
  )
})

test('a folder without a model says what belongs in it', () => {
  expect(() => createLocalEmbedding({ id: 'local/m', folder: root, library })).toThrow(
    /holds no embedding model: config\.json, tokenizer\.json and onnx\/model\.onnx are expected/,
  )
})
