import type { FolderReader } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { logModelFailure } from '../../platform/models/failures/failure-log.ts'
import { ModelError, ModelNotAvailableError } from '../../platform/models/failures/model.errors.ts'
import type { RerankModel } from '../../platform/models/model.ts'
import type { OwnModels } from '../../platform/models/model-set.ts'
import type { ModelsConfig, RerankConfig } from '../../platform/models/models.config.ts'
import { createReranker, createServerReranker, NO_RERANKING } from '../../platform/models/rerank/rerank.ts'
import { type Metrics, SECONDS } from '../../platform/telemetry/metrics.ts'

export interface RerankersOptions extends Pick<KernelParts, 'clock' | 'logger'> {
  modelsConfig: ModelsConfig & { rerank: RerankConfig }
  /** Providers and choices of a workspace, as they are now. */
  ownModels(of: { organizationId: string; workspaceId: string }): Promise<OwnModels>
  metrics: Metrics
}

/** Failures in a row after which a model is left alone, and for how long: searches would all wait for it. */
const MOST_FAILURES = 3
const REST_MS = 30_000
/** Models of workspaces that are kept, with their failures. */
const MOST_KEPT = 200

type Searcher = Pick<FolderReader, 'organizationId' | 'workspaceId'>

/** Reorders the passages of a search. */
export interface Reranker {
  /** Passages that it orders. */
  depth: number
  /** One score a text, the higher the better; undefined where the model failed, which is logged and counted. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[] | undefined>
}

export type Rerankers = ReturnType<typeof createRerankers>

/** Finds the reranker of a search, and sees to it that a search outlives it. */
export function createRerankers({ modelsConfig, ownModels, clock, metrics, logger }: RerankersOptions) {
  const { depth, timeoutMs } = modelsConfig.rerank
  const ofServer = createServerReranker(modelsConfig)
  const ofWorkspaces = createLruCache<RerankModel>(MOST_KEPT)
  const count = metrics.counter({
    name: 'docent_rerankings_total',
    help: 'Searches that a reranker was to order, by how that ended: ok, cancelled, resting (it was left alone after failures), absent (the chosen one is not there any more), or the kind of failure.',
    labels: ['outcome'],
  })
  const time = metrics.histogram({
    name: 'docent_reranking_seconds',
    help: 'Time that a search waited for a reranker.',
    buckets: SECONDS,
  })

  const failing = new WeakMap<RerankModel, { failures: number; restsUntil: number }>()

  function noteFailure(model: RerankModel): void {
    const failures = (failing.get(model)?.failures ?? 0) + 1
    const restsUntil = failures < MOST_FAILURES ? 0 : clock().getTime() + REST_MS
    failing.set(model, { failures, restsUntil })
  }

  /** @returns undefined also for a chosen model whose provider is not there any more */
  async function modelFor({ organizationId, workspaceId }: Searcher): Promise<RerankModel | undefined> {
    const own = workspaceId === null ? undefined : await ownModels({ organizationId, workspaceId })
    const id = own?.defaults.reranking
    if (!own || !id) return ofServer
    if (id === NO_RERANKING) return undefined
    const version = own.providers.find((provider) => id.startsWith(`${provider.id}/`))?.version ?? ''
    const known = ofWorkspaces.get(`${version} ${id}`)
    if (known) return known
    try {
      const model = createReranker(modelsConfig, { id, own: own.providers })
      ofWorkspaces.set(`${version} ${id}`, model)
      return model
    } catch (error) {
      if (!(error instanceof ModelNotAvailableError)) throw error
      count(['absent'])
      logger.warn({ model: id, reason: error.message }, 'a chosen reranker cannot be used; the order stays')
      return undefined
    }
  }

  async function score(
    model: RerankModel,
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<number[] | undefined> {
    if (clock().getTime() < (failing.get(model)?.restsUntil ?? 0)) {
      count(['resting'])
      return undefined
    }
    const startedAt = performance.now()
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const scores = await model.score(query, texts, { signal: AbortSignal.any([signal, limit]) })
      count(['ok'])
      failing.delete(model)
      return scores
    } catch (error) {
      if (signal.aborted) count(['cancelled'])
      signal.throwIfAborted()
      const failure = limit.aborted
        ? new ModelError('timeout', `The reranker ${model.id} gave no scores within ${timeoutMs / 1000} s`)
        : error
      noteFailure(model)
      count([failure instanceof ModelError ? failure.reason : 'internal'])
      if (failure instanceof ModelError) logModelFailure(logger, model.id, failure)
      else logger.error({ err: failure, model: model.id }, 'a reranker failed unexpectedly; the order stays')
      return undefined
    } finally {
      time([], (performance.now() - startedAt) / 1000)
    }
  }

  return {
    /** The reranker of a search; undefined where the engine's order is to stay. */
    async find(searcher: Searcher): Promise<Reranker | undefined> {
      const model = await modelFor(searcher)
      return model && { depth, score: (query, texts, signal) => score(model, query, texts, signal) }
    },
  }
}
