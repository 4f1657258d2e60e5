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

interface OpenedDatabase<S> {
  db: Kysely<S>
  writes: GroupCommit<S>
  close(): Promise<void>
}

export interface EmbeddedDatabase<S> extends OpenedDatabase<S> {
  kind: 'embedded'
}

export interface PostgresDatabase<S> extends OpenedDatabase<S> {
  kind: 'postgres'
  /** Connections below `db`, for libraries that bring their own SQL. */
  pool: pg.Pool
}

export type Database<S> = EmbeddedDatabase<S> | PostgresDatabase<S>

/** Place of the rows: PostgreSQL if it is set, else the embedded database in the folder. */
export interface DatabasePlace {
  dataDir: string
  postgres: PostgresOptions | undefined
}

export interface OpenOptions {
  plugins?: KyselyPlugin[]
  /** Called after each transaction of shared writes, with their number. */
  onCommitted?(writes: number): void
  /** Called with what found no room on the disk of the embedded one. */
  onFull?(): void
}

export const databasePath = (dataDir: string): string => join(dataDir, 'docent.sqlite')

/**
 * Opens the database with its schema up to date: the embedded one, for one server at a time, or PostgreSQL, for any
 * number.
 * @throws DataDirInUseError, DatabaseTooNewError, DatabaseUnusableError
 */
export const openDatabase = <S>(
  { dataDir, postgres }: DatabasePlace,
  migrations: Record<string, Migration>,
  options: OpenOptions,
): Promise<Database<S>> =>
  postgres ? openPostgres(postgres, migrations, options) : openEmbedded(dataDir, migrations, options)

/** Opens the database beside a server, for an operator's command. @throws DatabaseTooNewError, DatabaseUnusableError */
export const openBeside = <S>(
  { dataDir, postgres }: DatabasePlace,
  migrations: Record<string, Migration>,
): Promise<Database<S>> => (postgres ? openPostgres(postgres, migrations) : openEmbeddedBeside(dataDir, migrations))

/** Imports PostgreSQL's part only when it is used: the embedded database starts without it. */
async function openPostgres<S>(
  postgres: PostgresOptions,
  migrations: Record<string, Migration>,
  options: OpenOptions = {},
): Promise<PostgresDatabase<S>> {
  return (await import('./postgres/postgres.ts')).openPostgres(postgres, migrations, options)
}

/**
 * Opens the embedded database for one server. Its file is copied to `DATA_DIR/backups` before a migration changes it.
 * @throws DataDirInUseError, DatabaseTooNewError, DatabaseUnusableError
 */
export async function openEmbedded<S>(
  dataDir: string,
  migrations: Record<string, Migration>,
  options: OpenOptions = {},
): Promise<EmbeddedDatabase<S>> {
  const unlock = await explained(dataDir, async () => lockFile(join(dataDir, 'server.lock')))
  if (!unlock) throw new DataDirInUseError(dataDir)
  try {
    const database = await openEmbeddedBeside<S>(dataDir, migrations, options)
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

/** Opens the embedded database without the lock of a server. */
export async function openEmbeddedBeside<S>(
  dataDir: string,
  migrations: Record<string, Migration>,
  options: OpenOptions = {},
): Promise<EmbeddedDatabase<S>> {
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
  return { kind: 'embedded', db, writes: createGroupCommit(db, onCommitted), close: () => db.destroy() }
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
