import type { Logger } from '../../telemetry/logger.ts'
import { logModelFailure } from '../failures/failure-log.ts'
import { ModelNotAvailableError } from '../failures/model.errors.ts'
import { createLocalEmbedding } from '../local/local-embedding.ts'
import type { EmbeddingModel } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import type { ModelsConfig } from '../models.config.ts'
import { getProvider, splitModelId } from '../providers.ts'
import { createRemoteEmbedding } from './embeddings.remote.ts'

/**
 * The embedding model of this server, or `undefined` when none is set: retrieval is lexical then. Nothing is loaded
 * or asked yet.
 * @param logger gets what a provider said of a failure
 * @throws ModelNotAvailableError that says what to set or to install
 */
export const createEmbeddings = (config: ModelsConfig, logger?: Logger): EmbeddingModel | undefined =>
  config.embedding ? createEmbedding(config, { id: config.embedding, logger }) : undefined

/**
 * The embedding model of this id. Nothing is loaded or asked yet.
 * @param own providers of the workspace that it is for
 * @param folderOf the folder of a model on disk, by what follows `local/`; default: that is its path
 * @throws ModelNotAvailableError that says what to set or to install
 */
export function createEmbedding(
  config: ModelsConfig,
  {
    id,
    own = [],
    folderOf = (name) => name,
    logger,
  }: { id: string; own?: readonly ModelProvider[]; folderOf?: (name: string) => string; logger?: Logger | undefined },
): EmbeddingModel {
  const { providerId, model } = splitModelId(id)
  if (providerId === 'local') return withLog(createLocalEmbedding({ id, folder: folderOf(model) }), logger)
  const hasNone = providerId === 'builtin' || providerId === 'anthropic'
  const provider = hasNone ? undefined : getProvider(config, providerId, own)
  if (!provider || provider.kind === 'anthropic')
    throw new ModelNotAvailableError(`There are no embedding models of ${providerId}`)
  return withLog(createRemoteEmbedding({ id, provider, model, timeoutMs: config.timeouts.firstTokenMs }), logger)
}

function withLog(model: EmbeddingModel, logger: Logger | undefined): EmbeddingModel {
  return {
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
}
