import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { checkOrder, DatabaseTooNewError, type Migrations } from '../migrate.ts'
import { type AnyDb, acrossOrganizations } from '../statements/across-organizations.ts'
import { PostgresUnusableError } from './postgres-errors.ts'
import { isNameUnknown } from './postgres-statements.ts'
import { secureRows } from './row-security.ts'

/** Any number, as long as every version of Docent takes the same. */
const MIGRATION_LOCK = 7_310_442_018
/** Statements of other processes queue up behind one that waits for a table: it gives up soon, and comes again. */
const TABLE_PATIENCE_MS = 3_000
const TRIES = 20

/**
 * Brings the schema up to date, each migration with its record in a transaction, while other processes work. Processes
 * that start at the same time take turns: the lock is one of the transaction, so that it also holds behind a pooler.
 * What a newer version migrated is left as it is, where that said that this version works beside it.
 * @throws DatabaseTooNewError and DatabaseOrderError before anything is touched, DatabaseUnusableError when tables are
 * in use for minutes.
 */
export async function migratePostgres(db: AnyDb, migrations: Migrations): Promise<string[]> {
  const done: string[] = []
  for (let tries = 1; ; ) {
    try {
      const name = await acrossOrganizations(db)
        .transaction()
        .execute((tx) => applyNext(tx, migrations))
      if (!name) return done
      done.push(name)
      tries = 1
    } catch (error) {
      if (!IN_THE_WAY.has((error as { code?: string }).code ?? '') && !isNameUnknown(error)) throw error
      if (tries++ === TRIES)
        throw new PostgresUnusableError(
          'the schema cannot be changed because a table is in use all the time. Look for long transactions in pg_stat_activity, end them, and start again',
          error as Error,
        )
      await delay(TABLE_PATIENCE_MS * Math.random())
    }
  }
}

/** lock_not_available and deadlock_detected: others use the tables, perhaps in another order. */
const IN_THE_WAY = new Set(['55P03', '40P01'])

/** @returns the name of the migration that was applied, if one was pending. */
async function applyNext(tx: AnyDb, migrations: Migrations): Promise<string | undefined> {
  const before = await appliedMigrations(tx)
  if (!nextOf(migrations, before)) return undefined
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx)
  const applied = await appliedMigrations(tx)
  const name = nextOf(migrations, applied)
  if (!name) return undefined
  await sql`select set_config('lock_timeout', ${`${TABLE_PATIENCE_MS}`}, true)`.execute(tx)
  if (applied.length === 0) await createRecord(tx)
  const migration = migrations[name]!
  await migration.up(tx)
  // With the tables that the migration made, so that none is ever without.
  await secureRows(tx)
  const works_with = migration.worksWith ?? null
  await tx.insertInto('kysely_migration').values({ name, timestamp: new Date().toISOString(), works_with }).execute()
  return name
}

interface Applied {
  name: string
  works_with: string | null
}

/** @throws DatabaseTooNewError for one that this version does not know and cannot work beside, DatabaseOrderError */
function nextOf(migrations: Migrations, applied: Applied[]): string | undefined {
  for (const { name, works_with } of applied)
    if (!(name in migrations) && !(works_with && works_with in migrations)) throw new DatabaseTooNewError(name)
  const names = new Set(applied.map(({ name }) => name))
  checkOrder(migrations, [...names])
  return Object.keys(migrations).find((name) => !names.has(name))
}

async function appliedMigrations(tx: AnyDb): Promise<Applied[]> {
  // Not `to_regclass`: after waiting for the lock it may still tell of the time before.
  const { rows } = await sql`select from pg_tables
    where tablename = 'kysely_migration' and schemaname = any(current_schemas(false))`.execute(tx)
  if (rows.length === 0) return []
  return tx.selectFrom('kysely_migration').select(['name', 'works_with']).orderBy('name').execute()
}

/** The table that Kysely's own migrator makes, and with which versions each migration works. */
async function createRecord(tx: AnyDb): Promise<void> {
  await tx.schema
    .createTable('kysely_migration')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('timestamp', 'text', (column) => column.notNull())
    .addColumn('works_with', 'text')
    .execute()
}
