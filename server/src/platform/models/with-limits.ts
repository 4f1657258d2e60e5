import { ModelError } from './failures/model.errors.ts'
import { withRetries } from './failures/retries.ts'
import type { GenerateOptions, LanguageModel, ModelDelta, ModelReply, ModelRequest } from './model.ts'
import type { ModelClient, ModelProvider } from './model-provider.ts'

/** How long a model may take: to its first token (retries included), between tokens, and in all. Milliseconds. */
export interface ModelLimits {
  firstTokenMs: number
  idleMs: number
  totalMs: number
}

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
): Promise<ModelReply> {
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
    withRetries(() => client.generate(request, { onDeltas: forward, onActivity: keepAlive, signal: work.signal }), {
      signal: work.signal,
      mayRetry: () => !hasBegun && !isOver,
    }).then(succeed, stop)

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

    function succeed(reply: ModelReply): void {
      if (isOver) return
      release()
      resolve(reply)
    }

    function release(): void {
      isOver = true
      clearTimeout(inAll)
      clearTimeout(toNext)
      signal.removeEventListener('abort', cancel)
    }
  })
}

export function timeoutError(what: string, setting: string): ModelError {
  return new ModelError('timeout', `${what}. The limit is ${setting}`)
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}
