/** Hands an item in. Resolves with the result at its place; rejects with the failure of the whole batch. */
export type InBatches<T, R> = (item: T) => Promise<R>

/**
 * Does in one step what would otherwise be done item by item: while one batch is under way the next gathers, so that no
 * item waits for company that may not come.
 * @param run gives as many results as there are items, in their order
 * @param largest what is more waits for the batch after
 */
export function createBatches<T, R>(run: (items: T[]) => Promise<R[]>, largest: number): InBatches<T, R> {
  let waiting: { item: T; settle: PromiseWithResolvers<R> }[] = []
  let isUnderWay = false

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largest)
      waiting = waiting.slice(batch.length)
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
  }

  return (item) => {
    const settle = Promise.withResolvers<R>()
    waiting.push({ item, settle })
    if (!isUnderWay) {
      isUnderWay = true
      // Items that come before the next turn of the event loop go with it; a failure is told to those who wait.
      setImmediate(() => {
        runAll().catch(() => {})
      })
    }
    return settle.promise
  }
}
