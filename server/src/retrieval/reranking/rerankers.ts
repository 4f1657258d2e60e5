import type { Clock } from '../../platform/clock.ts'
import { logModelFailure } from '../../platform/models/failures/failure-log.ts'
import { ModelError } from '../../platform/models/failures/model.errors.ts'
import type { RerankModel } from '../../platform/models/model.ts'
import type { ModelsConfig, RerankConfig } from '../../platform/models/models.config.ts'
import { createServerReranker } from '../../platform/models/rerank/rerank.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { type Metrics, SECONDS } from '../../platform/telemetry/metrics.ts'

export interface RerankersOptions {
  modelsConfig: ModelsConfig & { rerank: RerankConfig }
  clock: Clock
  metrics: Metrics
  logger: Logger
}

/** Failures in a row after which a model is left alone, and for how long: searches would all wait for it. */
const MOST_FAILURES = 3
const REST_MS = 30_000

/** Orders the passages of a search anew. */
export interface Reranker {
  /** Passages that it orders. */
  depth: number
  /** One score a text, the higher the better; undefined where the model failed, which is logged and counted. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[] | undefined>
}

export type Rerankers = ReturnType<typeof createRerankers>

/** Finds the reranker of a search, and sees to it that a search outlives it. */
export function createRerankers({ modelsConfig, clock, metrics, logger }: RerankersOptions) {
  const { depth, timeoutMs } = modelsConfig.rerank
  const ofServer = createServerReranker(modelsConfig)
  const count = metrics.counter({
    name: 'docent_rerankings_total',
    help: 'Searches that a reranker was to order, by how that ended: ok, cancelled, resting (it was left alone after failures), or the kind of failure.',
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
    find(): Reranker | undefined {
      return ofServer && { depth, score: (query, texts, signal) => score(ofServer, query, texts, signal) }
    },
  }
}
