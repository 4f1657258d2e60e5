import { DomainError } from '../../platform/errors.ts'
import type { ModelSet } from '../../platform/models/model-set.ts'
import type { ModelCheck } from './models.schemas.ts'

/** Time limit for a model to answer: a person is waiting at a screen. */
const PATIENCE_MS = 30_000

/**
 * Asks a model for one word. It costs a few tokens; what it says is thrown away.
 * @param signal of the request: it ends the check when the client is gone
 */
export async function checkModel(models: ModelSet, id: string, signal: AbortSignal): Promise<ModelCheck> {
  const began = performance.now()
  let firstTokenMs: number | null = null
  let canConverse = true
  const outcome = (error: string | null): ModelCheck => ({
    model: id,
    answers: error === null,
    first_token_ms: firstTokenMs,
    error_message: error,
    can_converse: canConverse,
  })
  const timeout = AbortSignal.timeout(PATIENCE_MS)
  try {
    const model = models.resolve(id)
    canConverse = !model.onlyQuotes
    const request = { messages: [{ role: 'user' as const, content: 'Say OK.' }], tools: [], maxOutputTokens: 256 }
    await model.generate(request, {
      onDeltas() {
        firstTokenMs ??= Math.round(performance.now() - began)
      },
      signal: AbortSignal.any([signal, timeout]),
    })
    firstTokenMs ??= Math.round(performance.now() - began)
    return outcome(null)
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) return outcome(`It did not answer within ${PATIENCE_MS / 1000} seconds`)
    if (error instanceof DomainError) return outcome(error.message)
    throw error
  }
}
