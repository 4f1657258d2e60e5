export interface Ticker {
  /** @returns a function that ends it. */
  add(callback: () => void): () => void
}

/**
 * Calls everybody back at the same moment, every so often: what they write then shares a transaction and its disk flush,
 * where timers of their own would pay one each.
 */
export function createTicker(everyMs: number): Ticker {
  const callbacks = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  return {
    add(callback) {
      callbacks.add(callback)
      timer ??= setInterval(() => {
        for (const tick of callbacks) tick()
      }, everyMs)
      return () => {
        callbacks.delete(callback)
        if (callbacks.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
