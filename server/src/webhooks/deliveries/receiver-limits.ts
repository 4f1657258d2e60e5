/** Concurrent deliveries of one organization to one receiver. */
const MOST_AT_ONCE = 8

/** Concurrency limiter for each receiver, so that a slow one takes no more than its share of the workers. */
export interface ReceiverLimits {
  isFull(receiver: string): boolean
  /** @returns false at the limit. */
  enter(receiver: string): boolean
  leave(receiver: string): void
}

export function createReceiverLimits(most = MOST_AT_ONCE): ReceiverLimits {
  const taken = new Map<string, number>()
  const isFull = (receiver: string) => (taken.get(receiver) ?? 0) >= most
  return {
    isFull,
    enter(receiver) {
      if (isFull(receiver)) return false
      taken.set(receiver, (taken.get(receiver) ?? 0) + 1)
      return true
    },
    leave(receiver) {
      const left = (taken.get(receiver) ?? 1) - 1
      if (left > 0) taken.set(receiver, left)
      else taken.delete(receiver)
    },
  }
}
