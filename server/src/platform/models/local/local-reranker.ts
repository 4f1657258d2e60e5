import { ModelError } from '../failures/model.errors.ts'
import { shortReason } from '../failures/short-reason.ts'
import type { RerankModel } from '../model.ts'
import { findLocalModel, LIBRARY } from './local-folder.ts'
import { createLocalThread, type LocalThread } from './local-thread.ts'

interface LocalReranker {
  id: string
  /** Absolute, or relative to where the server was started. */
  folder: string
  /** The module that runs it, by its name or URL. */
  library?: string
  /** Threads of the server's rerankers: each holds a whole model, so all who use a folder share one. */
  threads: Map<string, LocalThread>
}

/**
 * A cross-encoder on disk, as ONNX in the folder layout of transformers.js: it reads question and text together, and gives
 * one number, or two of which the second one speaks for the text. Texts of a search that has ended are not read.
 * @throws ModelNotAvailableError when the folder holds no such model or the library is not installed
 */
export function createLocalReranker({ id, folder, library = LIBRARY, threads }: LocalReranker): RerankModel {
  const model = findLocalModel(folder, 'reranker', library)
  const key = `${library} ${model.folder}`
  const thread =
    threads.get(key) ??
    createLocalThread(model, {
      isUsable: ([score = Number.NaN]) => Number.isFinite(score),
      failure: (why) => new ModelError('provider', `The reranker ${id} failed`, { detail: shortReason(why) }),
    })
  threads.set(key, thread)
  return {
    id,
    async score(query, texts, { signal }) {
      // One failure is enough: the rest of the texts need not be read.
      const failed = new AbortController()
      const either = AbortSignal.any([signal, failed.signal])
      const scores = texts.map((text) => thread.run({ text, query }, { isUrgent: true, signal: either }))
      try {
        return (await Promise.all(scores)).map(([score]) => score as number)
      } catch (error) {
        failed.abort(error)
        throw error
      }
    },
  }
}
