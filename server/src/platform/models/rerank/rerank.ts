import { basename } from 'node:path'
import { ModelNotAvailableError } from '../failures/model.errors.ts'
import { localFolderOf } from '../local/local-folder.ts'
import { createLocalReranker } from '../local/local-reranker.ts'
import type { LocalThread } from '../local/local-thread.ts'
import type { RerankModel } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import type { ModelsConfig } from '../models.config.ts'
import { getProvider, splitModelId } from '../providers.ts'
import { createRerankEndpoint } from './rerank-endpoint.ts'

/** Choice of a workspace that has nothing reordered. */
export const NO_RERANKING = 'none'

/** Beginning of a model on the server's disk, before its folder. */
const LOCAL = 'local/'

/**
 * The reranker of this id: `PROVIDER/MODEL`, or `local/NAME` for a folder in `DATA_DIR/models`. Nothing is asked or
 * loaded yet.
 * @param own providers of the workspace that it is for
 * @throws ModelNotAvailableError for a provider without rerankers, or one that is not there
 */
export function createReranker(
  config: ModelsConfig,
  { id, own = [] }: { id: string; own?: readonly ModelProvider[] },
): RerankModel {
  const { providerId, model } = splitModelId(id)
  if (providerId === 'local') return localReranker(config, { id, folder: localFolderOf(config.folder ?? '', model) })
  const isBuiltin = providerId === 'builtin'
  const provider = isBuiltin ? undefined : getProvider(config, providerId, own)
  if (provider?.kind !== 'openai-compatible')
    throw new ModelNotAvailableError(
      `${provider?.label ?? 'Built in'} has no rerankers. Take a model of an OpenAI-compatible server that has /rerank at its address, such as Jina, vLLM or LiteLLM, or a model on disk as local/NAME`,
    )
  const chosenIn = 'under Settings → Models'
  return createRerankEndpoint({ id, provider: { ...provider, chosenIn }, model })
}

/** Name of the environment's reranker, as people are shown it; null: there is none. */
export function rerankerOfServer({ rerank }: ModelsConfig): string | null {
  const folder = localModelOf(rerank)
  if (folder !== undefined) return `${LOCAL}${basename(folder)}`
  return rerank?.url ? (rerank.model ?? new URL(rerank.url).host) : null
}

/**
 * The environment's reranker; undefined where none is set. Nothing is asked or loaded yet.
 * @throws ModelNotAvailableError for one on disk that is not there, or without the library that runs it
 */
export function createServerReranker(config: ModelsConfig): RerankModel | undefined {
  const { rerank } = config
  const folder = localModelOf(rerank)
  if (folder !== undefined) return localReranker(config, { id: `${LOCAL}${folder}`, folder })
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

/** Folder of the environment's reranker, where that is one on disk. */
const localModelOf = (rerank: ModelsConfig['rerank']): string | undefined =>
  rerank?.model?.startsWith(LOCAL) ? rerank.model.slice(LOCAL.length) : undefined

/** Threads of models on disk, by the server that they run in. */
const threadsOf = new WeakMap<ModelsConfig, Map<string, LocalThread>>()

function localReranker(config: ModelsConfig, model: { id: string; folder: string }): RerankModel {
  const threads = threadsOf.get(config) ?? new Map<string, LocalThread>()
  threadsOf.set(config, threads)
  return createLocalReranker({ ...model, threads })
}
