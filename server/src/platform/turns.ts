/** Lets so many works run at a time; the others wait, in the order in which they came. */
export type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** @throws the signal's reason, if it is aborted while the work waits. */
export function createTurns(atOnce: number): InTurn {
  const waiting = new Set<() => void>()
  let free = atOnce

  async function enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(go)
        reject(signal!.reason)
      }
      waiting.add(go)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  return async (work, signal) => {
    await enter(signal)
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next()
      } else free++
    }
  }
}
