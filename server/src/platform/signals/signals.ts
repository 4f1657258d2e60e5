/**
 * Short words between the processes of one installation, this one included: "cancel this message", "a task is there".
 * A signal is a hint and never the truth: it may be lost while a process is away from the database, so whoever waits for
 * one also looks into the database now and then.
 */
export interface Signals {
  /**
   * Tells every listener of the channel, in every process, soon. Never throws and never waits.
   * @param payload at most 7,000 bytes
   */
  publish(channel: string, payload: string): void
  /** @returns a function that ends it. */
  subscribe(channel: string, listener: (payload: string) => void): () => void
  close(): Promise<void>
}

/** For an installation of one process. */
export function createLocalSignals(): Signals {
  const listeners = new Map<string, Set<(payload: string) => void>>()
  return {
    publish(channel, payload) {
      setImmediate(() => {
        for (const listener of listeners.get(channel) ?? []) listener(payload)
      })
    },
    subscribe(channel, listener) {
      const ofChannel = listeners.get(channel) ?? new Set()
      listeners.set(channel, ofChannel.add(listener))
      return () => {
        ofChannel.delete(listener)
        if (ofChannel.size === 0) listeners.delete(channel)
      }
    },
    async close() {
      listeners.clear()
    },
  }
}
