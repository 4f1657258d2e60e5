import { setTimeout as delay } from 'node:timers/promises'

/** Waits for the next turn. @throws the signal's reason */
export type Pace = (signal: AbortSignal) => Promise<void>

/** Spreads requests to a source, however many ask at once. */
export function createPace(perSecond: number): Pace {
  const everyMs = 1000 / perSecond
  let next = 0
  return async (signal) => {
    signal.throwIfAborted()
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + everyMs
    if (at > now) await delay(at - now, undefined, { signal })
  }
}
