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
/**
 * While writes follow one another a commit waits for as long as more of them come, because it costs nearly the same for
 * many as for one: in steps of half of what the last one took, from 20 to 100 ms, half a second in all.
 */
const STREAM_MS = 200
const STEP_MIN_MS = 20
const STEP_MAX_MS = 100
const GATHER_MAX_MS = 500

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

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
  let tookMs = 0

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

  /** Commits what waits; failures are told to those whose writes are in the commit. */
  function drain(): void {
    enqueue(commitNext).catch(() => {})
  }

  function push(write: W): Promise<void> {
    const settle = Promise.withResolvers<void>()
    waiting.push({ write, settle })
    if (!draining) {
      draining = true
      drain()
    }
    return settle.promise
  }

  async function commitNext(): Promise<void> {
    await gather()
    const entries = takeBatch()
    const startedAt = performance.now()
    try {
      await commit(entries.map(({ write }) => write))
      for (const { settle } of entries) settle.resolve()
    } catch (error) {
      for (const { settle } of entries) settle.reject(error)
    }
    committedAt = performance.now()
    tookMs = committedAt - startedAt
    draining = waiting.length > 0
    // Back to the end of the line: under a stream of writes, what must run alone gets its turn, too.
    if (draining) drain()
  }

  async function gather(): Promise<void> {
    const startedAt = performance.now()
    if (startedAt - committedAt > STREAM_MS) return pause(GATHER_MS)
    const stepMs = Math.min(STEP_MAX_MS, Math.max(STEP_MIN_MS, tookMs / 2))
    for (let before = 0; waiting.length > before; ) {
      if (isFull() || performance.now() - startedAt > GATHER_MAX_MS) return
      before = waiting.length
      await pause(stepMs)
    }
  }

  /** Whether the next commit would not take what comes now. */
  function isFull(): boolean {
    const size = waiting.reduce((sum, { write }) => sum + sizeOf(write), 0)
    return size >= maxSize || waiting.at(-1)?.write.kind !== waiting[0]?.write.kind
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
