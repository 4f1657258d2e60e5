/** Runs what it is given, so many at once, the others in the order in which they came. */
export type Limit = <T>(run: () => Promise<T>) => Promise<T>

export function createLimit(atOnce: number): Limit {
  const waiting: (() => void)[] = []
  let running = 0

  return async (run) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await run()
    } finally {
      // The place goes to the next one without becoming free in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
