/** Calls that run, to be cancelled by another request. */
export interface Calls {
  /** @returns the signal that ends it; the newest call of a key is the one that can be cancelled */
  begin(key: string): AbortSignal
  cancel(key: string): void
}

/** Longer than a call takes: what is older is forgotten. */
const MOST = 10_000

export function createCalls(): Calls {
  const running = new Map<string, AbortController>()
  return {
    begin(key) {
      const controller = new AbortController()
      running.delete(key)
      running.set(key, controller)
      if (running.size > MOST) running.delete(running.keys().next().value!)
      return controller.signal
    },
    cancel(key) {
      running.get(key)?.abort(new Error('The client cancelled the request'))
      running.delete(key)
    },
  }
}
