import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

/** Folder of a model, and how to run it. */
export interface LocalModel {
  folder: string
  /** Path below the folder, '' for the folder itself. */
  weightsFolder: string
  dtype: string
  library: string
  /** Whether it scores a text for a question; else it makes a vector of a text. */
  scores: boolean
}

export interface LocalRequest {
  text: string
  /** Question that the text is scored for. */
  query?: string
}

/** A vector, or the one number of a score. */
export type LocalResult = { numbers: Float32Array } | { error: string }

interface Tensor {
  data: Float32Array
}

type Extract = (text: string, options: { pooling: string; normalize: boolean }) => Promise<Tensor>
type Tokenize = (text: string, options: { text_pair: string; padding: boolean; truncation: boolean }) => unknown
type Classify = (inputs: unknown) => Promise<{ logits: Tensor }>

interface Library {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean }
  pipeline(task: 'feature-extraction', folder: string, options: Record<string, unknown>): Promise<Extract>
  AutoTokenizer: { from_pretrained(folder: string): Promise<Tokenize> }
  AutoModelForSequenceClassification: {
    from_pretrained(folder: string, options: Record<string, unknown>): Promise<Classify>
  }
}

type Run = (request: LocalRequest) => Promise<Float32Array>

async function load(model: LocalModel): Promise<Run> {
  const library = (await import(model.library)) as Library
  library.env.allowRemoteModels = false
  library.env.allowLocalModels = true
  const options = {
    dtype: model.dtype,
    subfolder: model.weightsFolder,
    device: 'cpu',
    // The other half of the processors serves requests meanwhile.
    session_options: { intraOpNumThreads: Math.max(1, availableParallelism() >> 1) },
  }
  return model.scores ? loadScorer(library, model.folder, options) : loadEmbedder(library, model.folder, options)
}

async function loadEmbedder({ pipeline }: Library, folder: string, options: Record<string, unknown>): Promise<Run> {
  const extract = await pipeline('feature-extraction', folder, options)
  const pooling = poolingOf(folder)
  // Scaled by the one who asked: the library makes no numbers of zeros, which a static model gives for words it does not know.
  return async ({ text }) => Float32Array.from((await extract(text, { pooling, normalize: false })).data)
}

async function loadScorer(library: Library, folder: string, options: Record<string, unknown>): Promise<Run> {
  const tokenize = await library.AutoTokenizer.from_pretrained(folder)
  const classify = await library.AutoModelForSequenceClassification.from_pretrained(folder, options)
  return async ({ text, query = '' }) => {
    const { logits } = await classify(tokenize(query, { text_pair: text, padding: true, truncation: true }))
    const [first = Number.NaN, second] = logits.data
    return Float32Array.of(second === undefined ? first : second - first)
  }
}

/** Mean over the tokens, unless the model's own description says that its first token stands for the text. */
function poolingOf(folder: string): 'mean' | 'cls' {
  const file = join(folder, '1_Pooling', 'config.json')
  if (!existsSync(file)) return 'mean'
  return JSON.parse(readFileSync(file, 'utf8')).pooling_mode_cls_token === true ? 'cls' : 'mean'
}

const loading = load(workerData as LocalModel)
// Sent with each text that asks for it.
loading.catch(() => {})

parentPort?.on('message', (request: LocalRequest) => {
  // Numbers that could not be sent end the worker, and every waiting request fails.
  answer(request).catch((error) => {
    queueMicrotask(() => {
      throw error
    })
  })
})

async function answer(request: LocalRequest): Promise<void> {
  try {
    const run = await loading
    const numbers = await run(request)
    parentPort?.postMessage({ numbers } satisfies LocalResult, [numbers.buffer as ArrayBuffer])
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
}
