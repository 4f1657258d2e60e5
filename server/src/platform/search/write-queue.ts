/** Writes of one space, in order; those of one kind that stand next to each other are committed as one. */
export interface WriteQueue<W extends { kind: string }> {
  /** Resolves when the write's commit is done, and rejects with what that commit failed with. */
  push(write: W): Promise<void>
  /** Runs something while no write is under way; later writes wait for it. */
  exclusively<T>(run: () => Promise<T>): Promise<T>
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>
  isIdle(): boolean
}

interface Entry<W> {
  write: W
  settle: PromiseWithResolvers<void>
}

/** Long enough for requests that arrive together, short enough not to be felt. */
const GATHER_MS = 2
/** While writes follow one another each commit waits for more of them: it costs the same for one as for many. */
const GATHER_IN_STREAM_MS = 20
const STREAM_MS = 200

/** @param maxSize largest sum of `sizeOf` in a commit; a single larger write still is one */
export function createWriteQueue<W extends { kind: string }>({
  commit,
  sizeOf,
  maxSize,
}: {
  commit(writes: W[]): Promise<void>
  sizeOf(write: W): number
  maxSize: number
}): WriteQueue<W> {
  let waiting: Entry<W>[] = []
  let tail: Promise<unknown> = Promise.resolve()
  let pending = 0
  let draining = false
  let committedAt = Number.NEGATIVE_INFINITY

  function enqueue<T>(run: () => Promise<T>): Promise<T> {
    pending += 1
    const result = tail.then(run)
    tail = result
      .catch(() => {})
      .finally(() => {
        pending -= 1
      })
    return result
  }

  function push(write: W): Promise<void> {
    const settle = Promise.withResolvers<void>()
    waiting.push({ write, settle })
    if (!draining) {
      draining = true
      enqueue(async () => {
        const isStream = performance.now() - committedAt < STREAM_MS
        await new Promise((resolve) => setTimeout(resolve, isStream ? GATHER_IN_STREAM_MS : GATHER_MS))
        await commitNext()
      })
    }
    return settle.promise
  }

  async function commitNext(): Promise<void> {
    const entries = takeBatch()
    try {
      await commit(entries.map(({ write }) => write))
      for (const { settle } of entries) settle.resolve()
    } catch (error) {
      for (const { settle } of entries) settle.reject(error)
    }
    committedAt = performance.now()
    draining = waiting.length > 0
    // Back to the end of the line: under a stream of writes, what must run alone gets its turn, too.
    if (draining) enqueue(commitNext)
  }

  function takeBatch(): Entry<W>[] {
    let size = 0
    let count = 0
    const kind = waiting[0]?.write.kind
    for (const { write } of waiting) {
      size += sizeOf(write)
      if (write.kind !== kind || (count > 0 && size > maxSize)) break
      count += 1
    }
    const batch = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return batch
  }

  return {
    push,
    exclusively: enqueue,
    idle: async () => {
      while (pending > 0) await tail
    },
    isIdle: () => pending === 0,
  }
}
