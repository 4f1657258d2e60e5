/** Hands an item in. Resolves with the result at its place; rejects with the failure of the whole batch. */
export type InBatches<T, R> = (item: T) => Promise<R>

export interface BatchesOptions<T> {
  /** Most items of a batch; the rest waits for the next. */
  largest: number
  /**
   * Key of an item: a batch takes only the first of those with the same key, so that they are done one after another.
   */
  keyOf?(item: T): string
  /** Called when the last batch has ended and nothing waits. */
  onIdle?(): void
}

/**
 * Does in one step what would otherwise be done item by item: while one batch is under way the next gathers, so that no
 * item waits for company that may not come.
 * @param run gives as many results as there are items, in their order
 */
export function createBatches<T, R>(
  run: (items: T[]) => Promise<R[]>,
  { largest, keyOf, onIdle }: BatchesOptions<T>,
): InBatches<T, R> {
  let waiting: { item: T; settle: PromiseWithResolvers<R> }[] = []
  let isUnderWay = false

  /** The next batch, in the order in which its items came. */
  function take(): typeof waiting {
    const keys = new Set<string>()
    const batch: typeof waiting = []
    const later: typeof waiting = []
    for (const each of waiting) {
      const key = keyOf?.(each.item)
      const goes = batch.length < largest && (key === undefined || !keys.has(key))
      if (key !== undefined) keys.add(key)
      if (goes) batch.push(each)
      else later.push(each)
    }
    waiting = later
    return batch
  }

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = take()
      try {
        const results = await run(batch.map(({ item }) => item))
        batch.forEach(({ settle }, index) => {
          settle.resolve(results[index]!)
        })
      } catch (error) {
        for (const { settle } of batch) settle.reject(error)
      }
    }
    isUnderWay = false
    onIdle?.()
  }

  return (item) => {
    const settle = Promise.withResolvers<R>()
    waiting.push({ item, settle })
    if (!isUnderWay) {
      isUnderWay = true
      // Items that come before the next turn of the event loop go with it; a failure rejects for those who wait.
      setImmediate(() => {
        runAll().catch(() => {})
      })
    }
    return settle.promise
  }
}
