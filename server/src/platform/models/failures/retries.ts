import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from './model.errors.ts'

/** Waits before the second and the third attempt where the provider does not name one. */
const DELAYS_MS = [250, 1000]
/** A provider that asks for a longer wait is believed: failing at once is better than keeping people waiting. */
const MAX_RETRY_AFTER_MS = 5000

/**
 * Tries again, at most twice, what may do better in a moment.
 * @param mayRetry asked after each failure; false ends the retries
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { signal, mayRetry = () => true }: { signal: AbortSignal; mayRetry?: () => boolean },
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const delayMs = mayRetry() ? delayAfter(error, failures) : undefined
      if (delayMs === undefined) throw error
      await sleep(delayMs, undefined, { signal })
    }
  }
}

function delayAfter(error: unknown, failures: number): number | undefined {
  const planned = DELAYS_MS[failures]
  if (!(error instanceof ModelError) || !error.isRetryable || planned === undefined) return undefined
  const { retryAfterMs } = error
  if (retryAfterMs !== undefined) return retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs : undefined
  // A connection that was kept too long is no sign of trouble: the next one is opened at once.
  if (failures === 0 && error.reason === 'unreachable') return 0
  return planned * (0.8 + Math.random() * 0.4)
}
