import { join } from 'node:path'
import { Kysely, type KyselyPlugin } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { backupSqlite, migrate } from './migrate.ts'
import { lockFile, openSqlite } from './sqlite.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError'
  constructor(dataDir: string) {
    super(`Another Docent is running on ${dataDir}. Stop it, or give this one a DATA_DIR of its own.`)
  }
}

/** The file cannot be read or written, is full, damaged, or something else. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError'
  constructor(dataDir: string, cause: Error) {
    super(
      `The database in ${dataDir} cannot be used: ${cause.message}. Check that this user may write there and that the disk has room; a damaged one is replaced by a backup.`,
      { cause },
    )
  }
}

export interface Database<S> {
  db: Kysely<S>
  writes: GroupCommit<S>
  close(): Promise<void>
}

export interface OpenOptions {
  plugins?: KyselyPlugin[]
  /** Told of each transaction of shared writes, with their number. */
  onCommitted?(writes: number): void
}

export const databasePath = (dataDir: string): string => join(dataDir, 'docent.sqlite')

/**
 * Opens the embedded database, for one server at a time, with its schema up to date. The file is copied to
 * `DATA_DIR/backups` before a migration changes it.
 * @throws DataDirInUseError, DatabaseTooNewError, DatabaseUnusableError
 */
export async function openDatabase<S>(
  dataDir: string,
  migrations: Record<string, Migration>,
  { plugins = [], onCommitted }: OpenOptions = {},
): Promise<Database<S>> {
  const unlock = await explained(dataDir, async () => lockFile(join(dataDir, 'server.lock')))
  if (!unlock) throw new DataDirInUseError(dataDir)
  try {
    const database = await openShared<S>(dataDir, migrations, { plugins, onCommitted })
    return {
      ...database,
      async close() {
        await database.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** The same without the lock: for commands of an operator that run beside a server. */
export async function openShared<S>(
  dataDir: string,
  migrations: Record<string, Migration>,
  { plugins = [], onCommitted }: OpenOptions = {},
): Promise<Database<S>> {
  const path = databasePath(dataDir)
  const db = new Kysely<S>({ dialect: sqliteDialect(() => openSqlite(path)), plugins })
  const beforeChange = async (last: string) => {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
    await backupSqlite(path, join(dataDir, 'backups'), `${stamp}-after-${last}.sqlite`)
  }
  try {
    await explained(dataDir, () => migrate(db, { migrations, beforeChange }))
  } catch (error) {
    await db.destroy()
    throw error
  }
  return { db, writes: createGroupCommit(db, onCommitted), close: () => db.destroy() }
}

/** What SQLite itself says is for programmers; an operator is told what to look at. */
async function explained<R>(dataDir: string, step: () => Promise<R>): Promise<R> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Error && UNUSABLE.has(Number((error as { errcode?: number }).errcode) % 256)) {
      throw new DatabaseUnusableError(dataDir, error)
    }
    throw error
  }
}

/** SQLITE_READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const UNUSABLE = new Set([8, 10, 11, 13, 14, 26])
