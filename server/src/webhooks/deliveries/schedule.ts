const JITTER = 0.1
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000

/**
 * The pause before the next attempt, after this many `attempts`; undefined when there is none. Up to 10 % shorter or
 * longer, so that what failed together does not come back together, but never shorter than the receiver asked for.
 */
export function nextDelayMs(
  delays: number[],
  {
    attempts,
    retryAfterMs = 0,
    random = Math.random,
  }: { attempts: number; retryAfterMs?: number; random?: () => number },
): number | undefined {
  const delay = delays[attempts - 1]
  if (delay === undefined) return undefined
  const spread = delay * (1 + JITTER * (2 * random() - 1))
  return Math.round(Math.max(spread, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)))
}
