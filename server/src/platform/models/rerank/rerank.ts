import { ModelNotAvailableError } from '../failures/model.errors.ts'
import type { RerankModel } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import type { ModelsConfig } from '../models.config.ts'
import { getProvider, splitModelId } from '../providers.ts'
import { createRerankEndpoint } from './rerank-endpoint.ts'

/** Choice of a workspace that has nothing ordered anew. */
export const NO_RERANKING = 'none'

/**
 * The reranker of this id. Nothing is asked yet.
 * @param own providers of the workspace that it is for
 * @throws ModelNotAvailableError for a provider without rerankers, or one that is not there
 */
export function createReranker(
  config: ModelsConfig,
  { id, own = [] }: { id: string; own?: readonly ModelProvider[] },
): RerankModel {
  const { providerId, model } = splitModelId(id)
  const isBuiltin = providerId === 'builtin'
  const provider = isBuiltin ? undefined : getProvider(config, providerId, own)
  if (provider?.kind !== 'openai-compatible')
    throw new ModelNotAvailableError(
      `${provider?.label ?? 'Built in'} has no rerankers. Take a model of an OpenAI-compatible server that has /rerank at its address, such as Jina, vLLM or LiteLLM`,
    )
  const chosenIn = 'under Settings → Models'
  return createRerankEndpoint({ id, provider: { ...provider, chosenIn }, model })
}

/** Name of the environment's reranker, as people are shown it; null: there is none. */
export const rerankerOfServer = ({ rerank }: ModelsConfig): string | null =>
  rerank?.url ? (rerank.model ?? new URL(rerank.url).host) : null

/** The environment's reranker; undefined where none is set. Nothing is asked yet. */
export function createServerReranker({ rerank }: ModelsConfig): RerankModel | undefined {
  if (!rerank?.url) return undefined
  const { url, model, apiKey } = rerank
  const provider: ModelProvider = {
    id: 'rerank',
    kind: 'openai-compatible',
    label: 'The reranker',
    baseUrl: url,
    apiKey,
    keySetting: 'DOCENT_RERANK_API_KEY',
    urlSetting: 'DOCENT_RERANK_URL',
    chosenIn: 'in DOCENT_RERANK_MODEL',
  }
  return createRerankEndpoint({ id: model ?? new URL(url).host, provider, model })
}
