import { embeddingPrompt } from '../embeddings/embedding-prompts.ts'
import { normalise } from '../embeddings/vectors.ts'
import { ModelError } from '../failures/model.errors.ts'
import { shortReason } from '../failures/short-reason.ts'
import type { EmbeddingModel } from '../model.ts'
import { findLocalModel, LIBRARY } from './local-folder.ts'
import { createLocalThread } from './local-thread.ts'

/**
 * An ONNX model on disk that makes vectors, in the folder layout of transformers.js. Queries pass documents that wait.
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
  const model = findLocalModel(folder, 'embedding model', library)
  const thread = createLocalThread(model, {
    isUsable: normalise,
    failure: (why) => new ModelError('provider', `The embedding model ${id} failed`, { detail: shortReason(why) }),
  })
  return {
    id,
    embed(texts, { purpose, signal }) {
      const prompt = embeddingPrompt(model.folder, purpose)
      const isUrgent = purpose === 'query'
      return Promise.all(texts.map((text) => thread.run({ text: prompt + text }, { isUrgent, signal })))
    },
  }
}
