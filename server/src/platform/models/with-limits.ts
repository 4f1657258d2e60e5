import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from './model.errors.ts'
import type { GenerateOptions, LanguageModel, ModelDelta, ModelRequest, ModelTurn } from './model.ts'
import type { ModelClient, ModelProvider } from './model-provider.ts'

/** How long a model may take: to its first token (retries included), between tokens, and in all. Milliseconds. */
export interface ModelLimits {
  firstTokenMs: number
  idleMs: number
  totalMs: number
}

/** Waits before the second and the third attempt where the provider does not name one. */
const RETRY_DELAYS_MS = [250, 1000]
/** A provider that asks for a longer wait is believed: the turn fails at once instead of keeping people waiting. */
const MAX_RETRY_AFTER_MS = 5000

/**
 * A model that cannot hang: limits on time, retries before the first token, and cancellation that rejects at once.
 * Tokens cost no timer of their own: one is refreshed.
 */
export function withLimits(
  client: ModelClient,
  { provider, limits }: { provider: ModelProvider; limits: ModelLimits },
): LanguageModel {
  return {
    id: client.id,
    contextTokens: client.contextTokens,
    generate: (request, options) => generate(client, provider, limits, request, options),
  }
}

function generate(
  client: ModelClient,
  { label }: ModelProvider,
  { firstTokenMs, idleMs, totalMs }: ModelLimits,
  request: ModelRequest,
  { onDeltas, signal }: GenerateOptions,
): Promise<ModelTurn> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const work = new AbortController()
    let hasBegun = false
    let isOver = false
    const inAll = setTimeout(() => {
      stop(timeoutError(`${label} did not finish within ${seconds(totalMs)}`, 'DOCENT_MODEL_TOTAL_TIMEOUT'))
    }, totalMs)
    let toNext = setTimeout(() => {
      stop(
        timeoutError(
          `${label} sent no first token within ${seconds(firstTokenMs)}`,
          'DOCENT_MODEL_FIRST_TOKEN_TIMEOUT',
        ),
      )
    }, firstTokenMs)
    const cancel = () => stop(signal.reason)
    signal.addEventListener('abort', cancel)
    attempts().then(succeed, stop)

    async function attempts(): Promise<ModelTurn> {
      for (let attempt = 0; ; attempt++) {
        try {
          return await client.generate(request, { onDeltas: forward, onActivity: keepAlive, signal: work.signal })
        } catch (error) {
          const delayMs = hasBegun ? undefined : retryDelayMs(error, attempt)
          if (delayMs === undefined) throw error
          await sleep(delayMs, undefined, { signal: work.signal })
        }
      }
    }

    function forward(deltas: ModelDelta[]): void {
      if (isOver) return
      keepAlive()
      try {
        onDeltas(deltas)
      } catch (error) {
        stop(error)
      }
    }

    function keepAlive(): void {
      if (hasBegun) {
        toNext.refresh()
        return
      }
      hasBegun = true
      clearTimeout(toNext)
      if (isOver) return
      toNext = setTimeout(() => {
        stop(timeoutError(`${label} sent nothing more for ${seconds(idleMs)}`, 'DOCENT_MODEL_IDLE_TIMEOUT'))
      }, idleMs)
    }

    function stop(reason: unknown): void {
      if (isOver) return
      release()
      reject(reason)
      work.abort(reason)
    }

    function succeed(turn: ModelTurn): void {
      if (isOver) return
      release()
      resolve(turn)
    }

    function release(): void {
      isOver = true
      clearTimeout(inAll)
      clearTimeout(toNext)
      signal.removeEventListener('abort', cancel)
    }
  })
}

function retryDelayMs(error: unknown, attempt: number): number | undefined {
  const planned = RETRY_DELAYS_MS[attempt]
  if (!(error instanceof ModelError) || !error.isRetryable || planned === undefined) return undefined
  const { retryAfterMs } = error
  if (retryAfterMs !== undefined) return retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs : undefined
  // A connection that was kept too long is no sign of trouble: the next one is opened at once.
  if (attempt === 0 && error.reason === 'unreachable') return 0
  return planned * (0.8 + Math.random() * 0.4)
}

function timeoutError(what: string, setting: string): ModelError {
  return new ModelError('timeout', `${what}. The limit is ${setting}.`)
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}
