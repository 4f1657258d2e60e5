import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onnxCrossEncoder } from '../../../../tests/support/models/onnx-model.ts'
import { createLocalReranker } from './local-reranker.ts'

// The library is large and not a dependency: in its place stands one with the same exports, whose model scores a text by its
// length and tells of how it was loaded and asked. The last test runs the real one, where it is there.
const LIBRARY = `
export const env = {}
let loaded
export const AutoTokenizer = {
  from_pretrained: async () => (text, { text_pair, padding, truncation }) => ({ text, text_pair, padding, truncation }),
}
export const AutoModelForSequenceClassification = {
  from_pretrained: async (folder, options) => {
    loaded = { folder, ...options }
    return async ({ text, text_pair, padding, truncation }) => {
      if (text_pair === 'loaded') {
        const told = loaded.folder.endsWith('model') && loaded.dtype === 'q8' && loaded.subfolder === 'onnx' && padding
          && truncation && env.allowRemoteModels === false
        return { logits: { data: Float32Array.of(told ? 1 : 0) } }
      }
      if (text_pair === 'explode') throw new Error('bad tensor')
      if (text_pair === 'nothing') return { logits: { data: Float32Array.of(NaN) } }
      if (text === 'two labels') return { logits: { data: Float32Array.of(1, text_pair.length) } }
      await new Promise((done) => setTimeout(done, 5))
      return { logits: { data: Float32Array.of(text_pair.length) } }
    }
  },
}`

let root: string
let library: string
const signal = new AbortController().signal

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docent-reranker-'))
  library = pathToFileURL(join(root, 'library.mjs')).href
  await writeFile(join(root, 'library.mjs'), LIBRARY)
  await mkdir(join(root, 'model', 'onnx'), { recursive: true })
  for (const file of ['config.json', 'tokenizer.json', 'onnx/model_quantized.onnx'])
    await writeFile(join(root, 'model', file), '{}')
})
afterAll(() => rm(root, { recursive: true }))

const threads = new Map()
const open = () => createLocalReranker({ id: 'local/model', folder: join(root, 'model'), library, threads })

test('gives one score a text, in their order, of one label or of two', async () => {
  expect(await open().score('question', ['a', 'bbb', 'cc'], { signal })).toEqual([1, 3, 2])
  expect(await open().score('two labels', ['aaaa'], { signal })).toEqual([3])
})

test('runs the weights that are there, offline, on whole pairs', async () => {
  expect(await open().score('question', ['loaded'], { signal })).toEqual([1])
})

test.each([
  ['a text that the model cannot take', 'explode', 'bad tensor'],
  ['a score that is no number', 'nothing', 'it gave no numbers'],
])('%s fails the search’s order, and the next search has its own', async (_name, text, detail) => {
  await expect(open().score('question', ['a', text, 'b'], { signal })).rejects.toMatchObject({
    message: 'The reranker local/model failed (provider).',
    detail,
  })
  expect(await open().score('question', ['abc'], { signal })).toEqual([3])
})

test('texts of a search that has ended are not read', async () => {
  const stop = new AbortController()
  const long = open().score('question', Array(5000).fill('text'), { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(long).rejects.toThrow('enough')
  expect(await open().score('question', ['a'], { signal })).toEqual([1])
})

test('a folder without a model, and a missing library, say what to do', () => {
  const of = (folder: string, name: string) => () =>
    createLocalReranker({ id: 'local/m', folder, library: name, threads })
  expect(of(root, library)).toThrow(
    /holds no reranker: config\.json, tokenizer\.json and onnx\/model\.onnx are expected/,
  )
  expect(of(join(root, 'model'), '@docent/not-there')).toThrow(
    /^Rerankers on disk need a library that is not installed/,
  )
})

/** URL of the real library's main file, where somebody installed it to test with. */
const REAL_LIBRARY = process.env.DOCENT_TEST_TRANSFORMERS

test.runIf(REAL_LIBRARY)(
  'the real library runs a cross-encoder: the text that shares most words comes first',
  async () => {
    const folder = join(root, 'cross-encoder')
    await mkdir(join(folder, 'onnx'), { recursive: true })
    const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'how', 'hot', 'is', 'the', 'kiln', 'lamp', 'a']
    const write = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value))
    await write('config.json', { model_type: 'bert', architectures: ['BertForSequenceClassification'], num_labels: 1 })
    await write('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 512 })
    await write('tokenizer.json', {
      version: '1.0',
      added_tokens: [],
      normalizer: { type: 'BertNormalizer', lowercase: true, clean_text: true, handle_chinese_chars: true },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      },
    })
    await writeFile(join(folder, 'onnx', 'model.onnx'), onnxCrossEncoder({ lastSpecial: 3 }))
    const real = createLocalReranker({ id: 'local/cross-encoder', folder, library: REAL_LIBRARY as string, threads })
    const before = process.env.VIPSHOME
    expect(await real.score('How hot is the kiln', ['the lamp', 'the kiln is hot', 'a lamp'], { signal })).toEqual([
      1, 4, 0,
    ])
    // The library's pictures set it.
    if (before === undefined) delete process.env.VIPSHOME
  },
)
