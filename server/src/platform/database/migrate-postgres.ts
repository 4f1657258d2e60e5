import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type AnyDb, acrossOrganizations } from './across-organizations.ts'
import { DatabaseTooNewError } from './migrate.ts'
import { secureRows } from './row-security.ts'

/** Any number, as long as every version of Docent takes the same. */
const MIGRATION_LOCK = 7_310_442_018

/**
 * Brings the schema up to date, each migration with its record in a transaction. Processes that start at the same time
 * take turns: the lock is one of the transaction, so that it also holds behind a pooler.
 * @throws DatabaseTooNewError before anything is touched.
 */
export async function migratePostgres(db: AnyDb, migrations: Record<string, Migration>): Promise<string[]> {
  const done: string[] = []
  for (;;) {
    const name = await acrossOrganizations(db)
      .transaction()
      .execute((tx) => applyNext(tx, migrations))
    if (!name) return done
    done.push(name)
  }
}

/** @returns the name of the migration that was applied, if one was pending. */
async function applyNext(tx: AnyDb, migrations: Record<string, Migration>): Promise<string | undefined> {
  const before = await appliedMigrations(tx)
  if (isUpToDate(before, migrations)) return undefined
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx)
  const applied = await appliedMigrations(tx)
  if (isUpToDate(applied, migrations)) return undefined
  const name = Object.keys(migrations).find((one) => !applied.includes(one))!
  if (applied.length === 0) await createRecord(tx)
  await migrations[name]!.up(tx)
  // With the tables that the migration made, so that none is ever without.
  await secureRows(tx)
  await tx.insertInto('kysely_migration').values({ name, timestamp: new Date().toISOString() }).execute()
  return name
}

function isUpToDate(applied: string[], migrations: Record<string, Migration>): boolean {
  const unknown = applied.find((name) => !(name in migrations))
  if (unknown) throw new DatabaseTooNewError(unknown)
  return applied.length === Object.keys(migrations).length
}

async function appliedMigrations(tx: AnyDb): Promise<string[]> {
  const { rows } = await sql<{
    is_there: number
  }>`select to_regclass('kysely_migration') is not null as is_there`.execute(tx)
  if (!rows[0]!.is_there) return []
  const applied = await tx.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  return applied.map((row) => row.name)
}

/** The table that Kysely's own migrator makes. */
async function createRecord(tx: AnyDb): Promise<void> {
  await tx.schema
    .createTable('kysely_migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('timestamp', 'text', (column) => column.notNull())
    .execute()
}
