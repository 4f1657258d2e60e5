import { DocentError } from './errors.ts'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8_000
/** A server that wants to be left alone for longer is not waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000

/** Codes of temporary errors, in addition to those that the server marks itself. */
const TEMPORARY = new Set(['CONNECTION_FAILED', 'TIMEOUT', 'REQUEST_IN_PROGRESS'])

/** Whether the same request may succeed a little later. */
export function isTemporary(error: unknown): error is DocentError {
  if (!(error instanceof DocentError)) return false
  // A run that failed has ended: to send its query again would tell the same.
  if (error.code === 'AGENT_FAILED') return false
  return error.status === 429 || error.status >= 500 || TEMPORARY.has(error.code)
}

/**
 * Milliseconds before attempt number `attempt` + 1, or undefined if it makes no sense to wait: what the server asks for
 * with Retry-After (seconds or a date), else twice as long each time, with jitter so that clients do not retry at the
 * same moment.
 */
export function retryDelayMs(attempt: number, retryAfter: string | null, now = Date.now()): number | undefined {
  if (retryAfter) {
    const askedMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
    if (askedMs > LONGEST_RETRY_AFTER_MS) return undefined
    if (askedMs >= 0) return askedMs
  }
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
}

/** Waits. @throws the signal's reason when it is aborted meanwhile. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
