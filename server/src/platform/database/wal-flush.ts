import { type FileHandle, open } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'

/** The wait for the disk, away from the thread that answers requests. */
export interface WalFlush {
  /** Runs a transaction whose commit leaves its bytes to the system; `flush` must follow before anyone is told of it. */
  unflushed<R>(transaction: () => Promise<R>): Promise<R>
  /**
   * Resolves when all that was committed before the call is on disk. A failure is for ever: what the system could not
   * write it may have dropped, so that a later success would prove nothing.
   */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * With `synchronous=FULL` SQLite waits for the disk within `commit`, and the whole process with it. Here a commit only
 * writes to the log ahead (`synchronous=NORMAL`, which a power cut leaves consistent), and then the log is flushed by a
 * thread of the system's pool: the same promise to whoever waits for the flush, and none broken to anyone else.
 * @param path of the database
 * @param database open by the time of the first transaction
 */
export function createWalFlush(path: string, database: () => DatabaseSync): WalFlush {
  let isAhead: boolean | undefined
  let log: Promise<FileHandle> | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  /** Where a file system has no room for shared memory there is no log ahead, and SQLite keeps waiting itself. */
  function writesAhead(): boolean {
    isAhead ??= database().prepare('pragma journal_mode').get()?.journal_mode === 'wal'
    return isAhead
  }

  async function run(): Promise<void> {
    // SQLite has no locks on the log, which it would lose when another handle of this process closes.
    log ??= open(`${path}-wal`, 'r+')
    await (await log).datasync()
    running = undefined
  }

  return {
    async unflushed(transaction) {
      if (!writesAhead()) return transaction()
      database().exec('pragma synchronous = normal')
      try {
        return await transaction()
      } finally {
        database().exec('pragma synchronous = full')
      }
    },

    async flush() {
      if (!writesAhead()) return
      if (!running) {
        running = run()
        return running
      }
      // One under way may have begun before the commit in question.
      next ??= running.then(() => {
        next = undefined
        running = run()
        return running
      })
      return next
    },

    async close() {
      await (next ?? running)?.catch(() => {})
      await (await log)?.close()
    },
  }
}
