import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../errors.ts'

/** Another process may be opening the same fresh file; nothing else waits at that time. */
const OPENING_PATIENCE_MS = 10_000

/** Opens the file durably: a commit is on disk when it returns, and what refers to a row keeps it alive. */
export function openSqlite(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path, { timeout: OPENING_PATIENCE_MS, enableForeignKeyConstraints: true })
  database.exec(`
    pragma journal_mode = WAL;
    pragma busy_timeout = 10;
    pragma synchronous = FULL;
    pragma cache_size = -16000;
    pragma temp_store = MEMORY;
    pragma mmap_size = 0;
    pragma journal_size_limit = 67108864;
  `)
  return database
}

/** Locks of this process: one that nothing refers to would be closed with the garbage, and somebody else could take it. */
const locks = new Set<DatabaseSync>()

/**
 * Holds a lock for as long as this process lives, so that two servers never share one data directory. The operating
 * system lets go of it when the process ends, however it ends.
 * @returns a function that lets go, or `undefined` when another process holds the lock.
 */
export function lockFile(path: string): (() => void) | undefined {
  mkdirSync(dirname(path), { recursive: true })
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = EXCLUSIVE; begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return undefined
    throw error
  }
  locks.add(lock)
  return () => {
    locks.delete(lock)
    lock.close()
  }
}
