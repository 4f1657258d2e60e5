import type { Logger } from '../../telemetry/logger.ts'
import { logModelFailure } from '../failures/failure-log.ts'
import { ModelNotAvailableError } from '../failures/model.errors.ts'
import type { EmbeddingModel } from '../model.ts'
import type { ModelsConfig } from '../models.config.ts'
import { getProvider, splitModelId } from '../providers.ts'
import { createLocalEmbedding } from './embeddings.local.ts'
import { createRemoteEmbedding } from './embeddings.remote.ts'

/**
 * The embedding model of this server, or `undefined` when none is set: retrieval is lexical then. Nothing is loaded
 * or asked yet.
 * @param logger gets what a provider said of a failure
 * @throws ModelNotAvailableError that says what to set or to install
 */
export function createEmbeddings(config: ModelsConfig, logger?: Logger): EmbeddingModel | undefined {
  const model = findEmbedding(config)
  return (
    model && {
      ...model,
      async embed(texts, options) {
        try {
          return await model.embed(texts, options)
        } catch (error) {
          if (!options.signal.aborted) logModelFailure(logger, model.id, error)
          throw error
        }
      },
    }
  )
}

function findEmbedding(config: ModelsConfig): EmbeddingModel | undefined {
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
