/** Calls that run, to be cancelled by another request. */
export interface Calls {
  /** The newest call of a key is the one that can be cancelled. */
  begin(key: string): FollowedCall
  cancel(key: string): void
}

/** A call for as long as it runs. */
export interface FollowedCall {
  /** Ends its work. */
  signal: AbortSignal
  end(): void
}

export function createCalls(): Calls {
  const running = new Map<string, AbortController>()
  return {
    begin(key) {
      const controller = new AbortController()
      running.set(key, controller)
      return {
        signal: controller.signal,
        end() {
          if (running.get(key) === controller) running.delete(key)
        },
      }
    },
    cancel(key) {
      running.get(key)?.abort(new Error('The client cancelled the request'))
    },
  }
}
