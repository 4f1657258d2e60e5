import type { Kysely } from 'kysely'
import { CommitUnansweredError, isDatabaseAway } from '../away-errors.ts'
import { isBusy } from '../errors.ts'
import { untilThere } from '../patience.ts'
import type { GroupCommit, Write } from '../sqlite/group-commit.ts'
import { transactionWithSteps } from '../statements/after-commit.ts'

const BUSY_PATIENCE_MS = 10_000
/** Patience of work at a connection, which fails soon; what can wait longer says so with `patiently`. */
const AWAY_PATIENCE_MS = 3_000

/**
 * Durable writes on PostgreSQL, each in a transaction of its own, as many at once as there are connections: PostgreSQL
 * itself lets commits share their flush. Writes that shared a transaction here would hold each other's locks for longer,
 * and two groups that touch the same rows in a different order would wait for each other for ever.
 *
 * A write that lost a deadlock, or its connection before the commit was sent, is run again.
 * @param onCommitted called for each transaction that came onto the disk, with the number of its writes
 */
export function createSeparateCommits<S>(db: Kysely<S>, onCommitted?: (writes: number) => void): GroupCommit<S> {
  /** The last write of each line that is not stored yet. */
  const lines = new Map<string, Promise<unknown>>()

  async function commit<R>(write: Write<S, R>): Promise<R> {
    // The write may throw at once, before it has a promise.
    const transaction = () => transactionWithSteps(db, async (tx) => write(tx))
    const result = await untilThere(transaction, patienceFor)
    onCommitted?.(1)
    return result
  }

  return {
    commit(write, line) {
      if (line === undefined) return commit(write)
      const before = lines.get(line)
      const committed = before ? before.then(() => commit(write)) : commit(write)
      const settled = committed
        .catch(() => {})
        .then(() => {
          if (lines.get(line) === settled) lines.delete(line)
        })
      lines.set(line, settled)
      return committed
    },
    settled: async (line) => lines.get(line),
  }
}

/** Patience, in milliseconds, for a failure that stored nothing and is nobody's fault; undefined for any other. */
function patienceFor(error: unknown): number | undefined {
  if (isBusy(error)) return BUSY_PATIENCE_MS
  return isDatabaseAway(error) && !(error instanceof CommitUnansweredError) ? AWAY_PATIENCE_MS : undefined
}
