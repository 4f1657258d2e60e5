import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

/** Folder of a model, and how to run it. */
export interface LocalModel {
  folder: string
  /** Below the folder, '' for the folder itself. */
  weightsFolder: string
  dtype: string
  library: string
}

export interface LocalEmbeddingRequest {
  text: string
}

export type LocalEmbeddingResult = { vector: Float32Array } | { error: string }

type Extract = (text: string, options: { pooling: string; normalize: boolean }) => Promise<{ data: Float32Array }>

interface Library {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean }
  pipeline(task: 'feature-extraction', folder: string, options: Record<string, unknown>): Promise<Extract>
}

async function load({ folder, weightsFolder, dtype, library }: LocalModel): Promise<Extract> {
  const { env, pipeline } = (await import(library)) as Library
  env.allowRemoteModels = false
  env.allowLocalModels = true
  return pipeline('feature-extraction', folder, {
    dtype,
    subfolder: weightsFolder,
    device: 'cpu',
    // The other half of the processors serves requests meanwhile.
    session_options: { intraOpNumThreads: Math.max(1, availableParallelism() >> 1) },
  })
}

/** Mean over the tokens, unless the model's own description says that its first token stands for the text. */
function poolingOf(folder: string): 'mean' | 'cls' {
  const file = join(folder, '1_Pooling', 'config.json')
  if (!existsSync(file)) return 'mean'
  return JSON.parse(readFileSync(file, 'utf8')).pooling_mode_cls_token === true ? 'cls' : 'mean'
}

const model = workerData as LocalModel
const pooling = poolingOf(model.folder)
const loading = load(model)
// Sent with each text that asks for it.
loading.catch(() => {})

parentPort?.on('message', (request: LocalEmbeddingRequest) => {
  // A vector that could not be sent ends the worker, and every waiting request fails.
  answer(request).catch((error) => {
    queueMicrotask(() => {
      throw error
    })
  })
})

async function answer({ text }: LocalEmbeddingRequest): Promise<void> {
  try {
    const extract = await loading
    // Scaled by the one who asked: the library makes no numbers of zeros, which a static model gives for words it does not know.
    const { data } = await extract(text, { pooling, normalize: false })
    const vector = Float32Array.from(data)
    parentPort?.postMessage({ vector } satisfies LocalEmbeddingResult, [vector.buffer])
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
}
