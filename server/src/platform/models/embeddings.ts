import { createLocalEmbedding } from './embeddings.local.ts'
import { createRemoteEmbedding } from './embeddings.remote.ts'
import { ModelNotAvailableError } from './model.errors.ts'
import type { EmbeddingModel } from './model.ts'
import type { ModelsConfig } from './models.config.ts'
import { getProvider, splitModelId } from './providers.ts'

/**
 * The embedding model of this server, or `undefined` when none is set: retrieval is lexical then. Nothing is loaded
 * or asked yet.
 * @throws ModelNotAvailableError that says what to set or to install
 */
export function createEmbeddings(config: ModelsConfig): EmbeddingModel | undefined {
  const id = config.embedding
  if (!id) return undefined
  const { providerId, model } = splitModelId(id)
  if (providerId === 'local') return createLocalEmbedding({ id, folder: model })
  if (providerId === 'builtin' || providerId === 'anthropic') {
    throw new ModelNotAvailableError(`There are no embedding models of ${providerId}`)
  }
  const provider = getProvider(config, providerId)
  return createRemoteEmbedding({ id, provider, model, timeoutMs: config.timeouts.firstTokenMs })
}
