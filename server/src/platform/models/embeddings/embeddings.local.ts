import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ModelError, ModelNotAvailableError } from '../failures/model.errors.ts'
import { shortReason } from '../failures/short-reason.ts'
import type { EmbeddingModel } from '../model.ts'
import { embeddingPrompt } from './embedding-prompts.ts'
import type { LocalEmbeddingRequest, LocalEmbeddingResult, LocalModel } from './embeddings.local.worker.ts'
import { normalise } from './vectors.ts'

const LIBRARY = '@huggingface/transformers'
/**
 * Leaves package.json and the lock file as they are. Without its install scripts: they download libraries for graphics
 * cards from outside the registry.
 */
const INSTALL = `npm install -w server --no-save --ignore-scripts ${LIBRARY}@4.3.1`

/** Variants of a model's weights, best first, by the name of their file. */
const WEIGHTS = [
  ['model.onnx', 'fp32'],
  ['model_fp16.onnx', 'fp16'],
  ['model_quantized.onnx', 'q8'],
  ['model_int8.onnx', 'int8'],
  ['model_uint8.onnx', 'uint8'],
  ['model_q4.onnx', 'q4'],
] as const

interface Job {
  text: string
  signal: AbortSignal
  resolve(vector: Float32Array): void
  reject(reason: unknown): void
}

/**
 * An ONNX model on disk, in the folder layout of transformers.js, in a thread of its own: it blocks the thread that
 * it runs in. One text at a time; queries pass documents that wait. The thread starts with the first text and does
 * not keep the process alive.
 * @param folder absolute, or relative to where the server was started
 * @param library the module that runs it, by its name or URL
 * @throws ModelNotAvailableError when the folder holds no such model or the library is not installed
 */
export function createLocalEmbedding({
  id,
  folder,
  library = LIBRARY,
}: {
  id: string
  folder: string
  library?: string
}): EmbeddingModel {
  const model = findModel(folder, library)
  const waiting: Record<'query' | 'document', Job[]> = { query: [], document: [] }
  let worker: Worker | undefined
  let running: Job | undefined

  function next(): void {
    if (running) return
    running = nextJob()
    if (!running) {
      worker?.unref()
      return
    }
    worker ??= start()
    worker.ref()
    worker.postMessage({ text: running.text } satisfies LocalEmbeddingRequest)
  }

  function nextJob(): Job | undefined {
    for (;;) {
      const job = waiting.query.shift() ?? waiting.document.shift()
      if (!job?.signal.aborted) return job
      job.reject(job.signal.reason)
    }
  }

  function start(): Worker {
    const started = new Worker(new URL('./embeddings.local.worker.ts', import.meta.url), { workerData: model })
    started.on('message', (result: LocalEmbeddingResult) => {
      if ('vector' in result && normalise(result.vector)) end((job) => job.resolve(result.vector))
      else end((job) => job.reject(failure('error' in result ? result.error : 'it gave no numbers')))
    })
    // A thread that dies takes its text with it; the next text gets a new thread.
    started.on('error', (error) => lose(error.message))
    started.on('exit', () => lose('its thread ended'))
    function lose(why: string) {
      if (worker !== started) return
      worker = undefined
      end((job) => job.reject(failure(why)))
    }
    return started
  }

  function end(settle: (job: Job) => void): void {
    const job = running
    running = undefined
    if (job) settle(job)
    next()
  }

  function failure(why: string): ModelError {
    return new ModelError('provider', `The embedding model ${id} failed`, { detail: shortReason(why) })
  }

  return {
    id,
    embed(texts, { purpose, signal }) {
      const prompt = embeddingPrompt(model.folder, purpose)
      const jobs = texts.map(
        (text) =>
          new Promise<Float32Array>((resolve, reject) =>
            waiting[purpose].push({ text: prompt + text, signal, resolve, reject }),
          ),
      )
      next()
      return Promise.all(jobs)
    },
  }
}

function findModel(path: string, library: string): LocalModel {
  const folder = resolve(path)
  const weightsFolder = existsSync(resolve(folder, 'onnx')) ? 'onnx' : ''
  const files = existsSync(folder) ? readdirSync(resolve(folder, weightsFolder)) : []
  const [, dtype] = WEIGHTS.find(([file]) => files.includes(file)) ?? []
  if (!dtype || !existsSync(resolve(folder, 'config.json')) || !existsSync(resolve(folder, 'tokenizer.json'))) {
    throw new ModelNotAvailableError(
      `The folder ${folder} holds no embedding model: config.json, tokenizer.json and onnx/model.onnx are expected`,
    )
  }
  return { folder, weightsFolder, dtype, library: locate(library) }
}

function locate(library: string): string {
  if (library.startsWith('file:')) return library
  try {
    const require = createRequire(import.meta.url)
    // An empty package of that name stands where another dependency would bring the library along unasked.
    const { exports } = require(`${library}/package.json`) as { exports?: unknown }
    if (exports) return library
  } catch {
    // Not installed, or it keeps its package.json to itself and then is the real one.
    if (isInstalled(library)) return library
  }
  throw new ModelNotAvailableError(
    `Embedding models on disk need a library that is not installed. Run in the folder of Docent: ${INSTALL}`,
  )
}

function isInstalled(library: string): boolean {
  try {
    createRequire(import.meta.url).resolve(library)
    return true
  } catch {
    return false
  }
}
