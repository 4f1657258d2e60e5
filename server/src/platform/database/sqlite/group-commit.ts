import type { Kysely, Transaction } from 'kysely'

/** A write that shares its transaction with others: it may run twice, so it only issues SQL. */
export type Write<S, R> = (tx: Transaction<S>) => Promise<R>

export interface GroupCommit<S> {
  /**
   * Runs the write in a transaction shared with all that were handed in during the same few turns of the event loop,
   * and resolves once that transaction is on disk. A write that fails fails alone: the others are run again without it.
   * @param line writes of one line are stored in the order in which they were handed in, also if nobody waits for each
   */
  commit<R>(write: Write<S, R>, line?: string): Promise<R>
  /** Resolves when no write of the line is under way any more, whatever became of them. */
  settled(line: string): Promise<unknown>
}

interface Waiting<S> {
  write: Write<S, unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

const LARGEST_GROUP = 200
/** A group that still grows is waited for no longer than this many turns of the event loop. */
const MOST_TURNS = 5

/**
 * Durable writes at the price of one disk flush a group: with `synchronous=FULL` the flush is most of what a small
 * transaction costs.
 * @param onCommitted called for each transaction that came onto the disk, with the number of its writes
 */
export function createGroupCommit<S>(db: Kysely<S>, onCommitted?: (writes: number) => void): GroupCommit<S> {
  let waiting: Waiting<S>[] = []
  let isFlushing = false

  async function flush() {
    const group = waiting.slice(0, LARGEST_GROUP)
    waiting = waiting.slice(group.length)
    await commitTogether(db, group, onCommitted)
    // A turn of the loop between groups: the database answers within one, so a chain of writes would hold up all else.
    if (waiting.length > 0) flushSoon()
    else isFlushing = false
  }

  /**
   * Commits after the first turn of the event loop that brings no more writes: those of requests that came during the
   * last flush follow each other within a few. A failure rejects each of its writes.
   */
  function flushSoon(known = 0, turns = 0): void {
    setImmediate(() => {
      const isGrowing = waiting.length > known && waiting.length < LARGEST_GROUP && turns < MOST_TURNS
      if (isGrowing) flushSoon(waiting.length, turns + 1)
      else flush().catch(() => {})
    })
  }

  function commit<R>(write: Write<S, R>): Promise<R> {
    return new Promise((resolve, reject) => {
      waiting.push({ write, resolve: resolve as (value: unknown) => void, reject })
      if (isFlushing) return
      isFlushing = true
      flushSoon()
    })
  }

  // There is one line for all.
  return { commit, settled: () => commit(async () => {}) }
}

async function commitTogether<S>(
  db: Kysely<S>,
  group: Waiting<S>[],
  onCommitted?: (writes: number) => void,
): Promise<void> {
  try {
    const results = await db.transaction().execute(async (tx) => {
      const values: unknown[] = []
      for (const { write } of group) values.push(await write(tx))
      return values
    })
    onCommitted?.(group.length)
    group.forEach((item, index) => {
      item.resolve(results[index])
    })
  } catch (error) {
    if (group.length === 1) return group[0]!.reject(error)
    for (const item of group) await commitTogether(db, [item], onCommitted)
  }
}
