import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Tables, Tx } from '../../db.ts'
import { migrations as known } from '../../migrations/index.ts'
import { DatabaseTooNewError, UNFINISHED_COPY } from '../../platform/database/migrate.ts'
import { type Database, type DatabasePlace, openBeside } from '../../platform/database/open.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import { COPIED_TABLES, type CopiedTableName } from './copied-tables.ts'
import type { RowSource } from './row-source.ts'

/** Target of a copy that already holds data. */
export class TargetInUseError extends Error {
  override name = 'TargetInUseError'
}

/** A database that is being filled. No server works on it until the end. */
export interface CopyTarget {
  database: Database<Tables>
  /** Whether an earlier attempt was cut off. */
  isResumed: boolean
  /** How much of something an earlier attempt had stored. */
  findProgress(name: string): Promise<number>
  setProgress(tx: Tx, name: string, count: number): Promise<void>
  /** Lets servers in. */
  finish(): Promise<void>
}

interface Progress {
  copy_progress: { name: string; value: string }
}

/**
 * Opens the database with the tables of the source's version, marked as unfinished.
 * @throws TargetInUseError if it holds rows, or an unfinished copy of something else
 * @throws DatabaseTooNewError if the source is of a newer version than this one
 */
export async function openTarget(
  where: DatabasePlace,
  source: Pick<RowSource, 'identity' | 'migrations'>,
): Promise<CopyTarget> {
  const unknown = source.migrations.find((name) => !(name in known))
  if (unknown) throw new DatabaseTooNewError(unknown)
  let isResumed = true
  const marker: Migration = {
    async up(db) {
      isResumed = false
      await refuseRows(db as Database<Tables>['db'])
      await db.schema
        .createTable('copy_progress')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute()
      await (db as never as Database<Progress>['db'])
        .insertInto('copy_progress')
        .values({ name: 'source', value: source.identity })
        .execute()
    },
  }
  const wanted = source.migrations.map((name) => [name, known[name]!])
  const database = await openBeside<Tables>(where, {
    ...Object.fromEntries(wanted),
    [UNFINISHED_COPY]: marker,
  }).catch((error) => {
    throw error instanceof DatabaseTooNewError ? new TargetInUseError(`${NOT_EMPTY}: ${error.message}`) : error
  })
  const progress = database.db as never as Database<Progress>['db']
  const find = (name: string) =>
    progress.selectFrom('copy_progress').select('value').where('name', '=', name).executeTakeFirst()
  if ((await find('source'))?.value !== source.identity) {
    await database.close()
    throw new TargetInUseError(
      'The database holds an unfinished copy of another source, or of this one before it was changed. Use a new database.',
    )
  }
  return {
    database,
    isResumed,
    findProgress: async (name) => Number((await find(name))?.value ?? 0),
    async setProgress(tx, name, count) {
      const value = String(count)
      await (tx as never as Database<Progress>['db'])
        .insertInto('copy_progress')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
    async finish() {
      await database.writes.commit(async (tx) => {
        await tx.schema.dropTable('copy_progress').execute()
        await sql`delete from kysely_migration where name = ${UNFINISHED_COPY}`.execute(tx)
      })
    },
  }
}

const NOT_EMPTY = 'The database is not empty. Use a new one'

async function refuseRows(db: Database<Tables>['db']): Promise<void> {
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name))
  for (const name of Object.keys(COPIED_TABLES) as CopiedTableName[]) {
    if (!tables.has(name)) continue
    const row = await acrossOrganizations(db).selectFrom(name).select(sql`1`.as('one')).limit(1).executeTakeFirst()
    if (row) throw new TargetInUseError(`${NOT_EMPTY}: there are rows in the table ${name}.`)
  }
}
