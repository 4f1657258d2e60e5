import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { isBusy } from './errors.ts'
import type { GroupCommit, Write } from './group-commit.ts'
import { isConnectionLost } from './postgres-errors.ts'

const PATIENCE_MS = 10_000

/**
 * Durable writes on PostgreSQL, each in a transaction of its own, as many at once as there are connections: PostgreSQL
 * itself lets commits share their flush. Writes that shared a transaction here would hold each other's locks for longer,
 * and two groups that touch the same rows in a different order would wait for each other for ever.
 *
 * A write that lost a deadlock, or its connection before the commit was sent, is run again.
 * @param onCommitted told of each transaction that came onto the disk, with the number of its writes
 */
export function createSeparateCommits<S>(db: Kysely<S>, onCommitted?: (writes: number) => void): GroupCommit<S> {
  /** The last write of each line that is not stored yet. */
  const lines = new Map<string, Promise<unknown>>()

  async function commit<R>(write: Write<S, R>): Promise<R> {
    const deadline = Date.now() + PATIENCE_MS
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 500)) {
      try {
        // The write may throw at once, before it has a promise.
        const result = await db.transaction().execute(async (tx) => write(tx))
        onCommitted?.(1)
        return result
      } catch (error) {
        if (!(isBusy(error) || isConnectionLost(error)) || Date.now() + pauseMs > deadline) throw error
        // Two that met once would otherwise meet again.
        await delay(pauseMs * (0.5 + Math.random()))
      }
    }
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
  }
}
