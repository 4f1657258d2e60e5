import { join } from 'node:path'
import { Kysely, type KyselyPlugin } from 'kysely'
import type { Migration } from 'kysely/migration'
import type pg from 'pg'
import { DatabaseUnusableError } from './errors.ts'
import { backupSqlite, migrate } from './migrate.ts'
import type { PostgresOptions } from './postgres/postgres.ts'
import { createGroupCommit, type GroupCommit } from './sqlite/group-commit.ts'
import { lockFile, openSqlite } from './sqlite/sqlite.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'

export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError'
  constructor(dataDir: string) {
    super(`Another Docent is running on ${dataDir}. Stop it, or give this one a DATA_DIR of its own.`)
  }
}

export interface Database<S> {
  db: Kysely<S>
  writes: GroupCommit<S>
  /** PostgreSQL's connections below `db`, for libraries that bring their own SQL. */
  pool?: pg.Pool
  close(): Promise<void>
}

export interface OpenOptions {
  /** PostgreSQL; without it the rows are in the folder. */
  postgres?: PostgresOptions
  plugins?: KyselyPlugin[]
  /** Called after each transaction of shared writes, with their number. */
  onCommitted?(writes: number): void
  /** Called with what found no room on the disk of the embedded one. */
  onFull?(): void
}

export const databasePath = (dataDir: string): string => join(dataDir, 'docent.sqlite')

/**
 * Opens the database with its schema up to date: the embedded one, for one server at a time, or PostgreSQL, for any
 * number. The file of the embedded one is copied to `DATA_DIR/backups` before a migration changes it.
 * @throws DataDirInUseError, DatabaseTooNewError, DatabaseUnusableError
 */
export async function openDatabase<S>(
  dataDir: string,
  migrations: Record<string, Migration>,
  options: OpenOptions = {},
): Promise<Database<S>> {
  // Imported only then: the embedded database starts without it.
  if (options.postgres)
    return (await import('./postgres/postgres.ts')).openPostgres(options.postgres, migrations, options)
  const unlock = await explained(dataDir, async () => lockFile(join(dataDir, 'server.lock')))
  if (!unlock) throw new DataDirInUseError(dataDir)
  try {
    const database = await openShared<S>(dataDir, migrations, options)
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

/** Opens the database without the lock: for commands of an operator that run beside a server. */
export async function openShared<S>(
  dataDir: string,
  migrations: Record<string, Migration>,
  options: OpenOptions = {},
): Promise<Database<S>> {
  // Imported only then: the embedded database starts without it.
  if (options.postgres)
    return (await import('./postgres/postgres.ts')).openPostgres(options.postgres, migrations, options)
  const { plugins = [], onCommitted, onFull } = options
  const path = databasePath(dataDir)
  const db = new Kysely<S>({ dialect: sqliteDialect(() => openSqlite(path), onFull), plugins })
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

/** Explains an error of SQLite, whose words are for programmers: an operator needs to know what to look at. */
async function explained<R>(dataDir: string, step: () => Promise<R>): Promise<R> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Error && UNUSABLE.has(Number((error as { errcode?: number }).errcode) % 256)) {
      throw new DatabaseUnusableError(
        `The database in ${dataDir} cannot be used: ${error.message}. Check that this user may write there and that the disk has room; a damaged one is replaced by a backup.`,
        { cause: error },
      )
    }
    throw error
  }
}

/** SQLITE_READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const UNUSABLE = new Set([8, 10, 11, 13, 14, 26])
