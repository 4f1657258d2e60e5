import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** Stands among the migrations of a database while it is being filled, so that no server works on half of the rows. */
export const UNFINISHED_COPY = '9999-unfinished-copy'

/** The database was written by a newer Docent than this one. */
export class DatabaseTooNewError extends Error {
  override name = 'DatabaseTooNewError'
  constructor(unknown: string) {
    super(
      unknown === UNFINISHED_COPY
        ? 'The database is being filled by restore or move-to-postgres, which has not come to its end. Run the same command again.'
        : `The database was last used by a newer Docent (it holds the migration "${unknown}", which this version does not know). Start that version, or restore a backup made before the upgrade.`,
    )
  }
}

/** The database was not made by a version of Docent whose migrations ran in the order of this one's. */
export class DatabaseOrderError extends Error {
  override name = 'DatabaseOrderError'
  constructor(missing: string, later: string) {
    super(
      `The database was made by a version of Docent that was never released: it holds the migration "${later}", but not "${missing}", which comes before. This version cannot bring it up to date. Start the version that made it, restore a backup that a released version made, or begin with an empty DATA_DIR or database.`,
    )
  }
}

export interface OnlineMigration extends Migration {
  /**
   * The oldest migration whose version of Docent works beside this one's schema, on PostgreSQL: its processes may start
   * again during a rollout. Without it, those that do not know this migration refuse to start.
   */
  worksWith?: string
  /** Work that it leaves for the background, for the plan of an upgrade: a verb in the third person. */
  afterwards?: string
}

/** Migrations, applied in the order of their names. */
export type Migrations = Record<string, OnlineMigration>

export interface MigrateOptions {
  /** Migrations, applied in the order of their names. */
  migrations: Record<string, Migration>
  /** Called before the first pending migration runs on a database that holds something already. */
  beforeChange?(lastApplied: string): Promise<void>
}

/**
 * Brings the schema up to date; each migration and its record commit together.
 * @throws DatabaseTooNewError, DatabaseOrderError before anything is touched.
 */
export async function migrate(
  // biome-ignore lint/suspicious/noExplicitAny: migrations work on any schema
  db: Kysely<any>,
  { migrations, beforeChange }: MigrateOptions,
): Promise<string[]> {
  const applied = await appliedMigrations(db)
  const unknown = applied.find((name) => !(name in migrations))
  if (unknown) throw new DatabaseTooNewError(unknown)
  checkOrder(migrations, applied)
  const pending = Object.keys(migrations).filter((name) => !applied.includes(name))
  if (pending.length === 0) return []
  const last = applied.at(-1)
  if (last) await beforeChange?.(last)
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error) throw error
  return pending
}

/** @throws DatabaseOrderError if one was applied before another that this version runs first */
export function checkOrder(migrations: Record<string, Migration>, applied: string[]): void {
  const names = Object.keys(migrations)
  const missing = names.find((name) => !applied.includes(name))
  if (missing === undefined) return
  const later = names.slice(names.indexOf(missing)).find((name) => applied.includes(name))
  if (later !== undefined) throw new DatabaseOrderError(missing, later)
}

// biome-ignore lint/suspicious/noExplicitAny: migrations work on any schema
async function appliedMigrations(db: Kysely<any>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

/** Copies a live SQLite file to `folder/NAME`, page by page, while it is in use. @returns the copy's path. */
export async function backupSqlite(path: string, folder: string, name: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const target = join(folder, name)
  const source = new DatabaseSync(path, { readOnly: true })
  try {
    await backup(source, target)
  } finally {
    source.close()
  }
  return target
}
