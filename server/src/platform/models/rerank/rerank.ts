import type { RerankModel } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import type { ModelsConfig } from '../models.config.ts'
import { createRerankEndpoint } from './rerank-endpoint.ts'

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
