/** Runs `work` once it has a permit, and releases it afterwards. */
export type FairSemaphore = <T>(owner: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

export interface FairSemaphoreOptions {
  atOnce: number
  /**
   * Whether an owner that waits while another holds more than half of the permits gets one beyond `atOnce`, at most half
   * as many again. For long work: without it, an owner waits until some of it ends. Default false.
   */
  mayExceed?: boolean
}

interface Waiting {
  owner: string
  begin(): void
}

/**
 * Semaphore that shares its permits between owners: one alone may take them all, and while others wait gets no more than
 * half of them. The next permit goes to the owner that has the fewest, and within an owner to the one that came first.
 */
export function createFairSemaphore({ atOnce, mayExceed = false }: FairSemaphoreOptions): FairSemaphore {
  const fairShare = Math.max(1, Math.floor(atOnce / 2))
  const waiting = new Set<Waiting>()
  const running = new Map<string, number>()
  let total = 0

  const count = (owner: string): number => running.get(owner) ?? 0

  /** Permits that would be taken if no owner held more than its share. */
  const fairTotal = (): number => running.values().reduce((sum, held) => sum + Math.min(held, fairShare), 0)

  const hasPermitFor = (owner: string): boolean =>
    total < atOnce || (mayExceed && count(owner) < fairShare && fairTotal() < Math.max(2, atOnce))

  function next(): Waiting | undefined {
    let best: Waiting | undefined
    for (const one of waiting) if (!best || count(one.owner) < count(best.owner)) best = one
    return best
  }

  function fill(): void {
    for (let one = next(); one && hasPermitFor(one.owner); one = next()) {
      waiting.delete(one)
      take(one.owner)
      one.begin()
    }
  }

  function take(owner: string): void {
    running.set(owner, count(owner) + 1)
    total++
  }

  function release(owner: string): void {
    if (count(owner) === 1) running.delete(owner)
    else running.set(owner, count(owner) - 1)
    total--
    fill()
  }

  async function acquire(owner: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(one)
        reject(signal!.reason)
      }
      const one: Waiting = {
        owner,
        begin() {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.add(one)
      fill()
    })
  }

  return async (owner, work, signal) => {
    await acquire(owner, signal)
    try {
      return await work()
    } finally {
      release(owner)
    }
  }
}
