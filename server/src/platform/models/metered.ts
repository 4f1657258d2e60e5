import type { Logger } from '../telemetry/logger.ts'
import { type Metrics, SECONDS } from '../telemetry/metrics.ts'
import { logModelFailure } from './failures/failure-log.ts'
import { ModelError } from './failures/model.errors.ts'
import type { LanguageModel } from './model.ts'

/** Agents may name any model: those beyond this number count together. */
const MOST_MODELS = 100

/** Wraps models so that their replies, tokens and first tokens are counted, and their failures logged. */
export function createMeter(metrics: Metrics, logger?: Logger): (model: LanguageModel) => LanguageModel {
  const replies = metrics.counter({
    name: 'docent_model_turns_total',
    help: 'Turns of a model, by how they ended: ok, cancelled, or the kind of failure.',
    labels: ['model', 'outcome'],
    mostSeries: MOST_MODELS * 3,
  })
  const tokens = metrics.counter({
    name: 'docent_model_tokens_total',
    help: 'Tokens as the provider counts them; cached_input is part of input, reasoning of output.',
    labels: ['model', 'kind'],
    mostSeries: MOST_MODELS * 4,
  })
  const firstToken = metrics.histogram({
    name: 'docent_model_first_token_seconds',
    help: 'Time from the request to a model until the first that it says, retries included.',
    labels: ['model'],
    buckets: SECONDS,
    mostSeries: MOST_MODELS,
  })

  return (model) => ({
    ...model,
    async generate(request, { onDeltas, signal }) {
      const startedAt = performance.now()
      let hasBegun = false
      try {
        const reply = await model.generate(request, {
          signal,
          onDeltas(deltas) {
            if (!hasBegun) firstToken([model.id], (performance.now() - startedAt) / 1000)
            hasBegun = true
            onDeltas(deltas)
          },
        })
        replies([model.id, 'ok'])
        const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = reply.usage
        tokens([model.id, 'input'], inputTokens)
        tokens([model.id, 'cached_input'], cachedInputTokens)
        tokens([model.id, 'output'], outputTokens)
        tokens([model.id, 'reasoning'], reasoningTokens)
        return reply
      } catch (error) {
        if (!signal.aborted) logModelFailure(logger, model.id, error)
        replies([model.id, signal.aborted ? 'cancelled' : error instanceof ModelError ? error.reason : 'internal'])
        throw error
      }
    },
  })
}
