type Listener = (payload: string) => void

/** Listeners of each channel, in this process. */
export function createSubscriptions() {
  const channels = new Map<string, Set<Listener>>()
  return {
    subscribe(channel: string, listener: Listener): () => void {
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && channels.get(channel) === listeners) channels.delete(channel)
      }
    },
    tell(channel: string, payload: string): void {
      for (const listener of channels.get(channel) ?? []) listener(payload)
    },
    clear: () => channels.clear(),
  }
}
