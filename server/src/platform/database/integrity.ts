import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { isDatabaseAway } from './away-errors.ts'
import { acrossOrganizations } from './statements/across-organizations.ts'

const MOST_FAULTS = 20

/**
 * Reads the whole database and compares it with itself. It takes as long as reading its file twice or so, and on the
 * embedded one it does not return meanwhile: for processes that do nothing else.
 * @returns what is wrong, in the database's words; empty if nothing is
 */
export async function databaseFaults<S>(db: Kysely<S>): Promise<string[]> {
  const all = acrossOrganizations(db)
  const faults = all.getExecutor().adapter instanceof PostgresAdapter ? postgresFaults(all) : sqliteFaults(all)
  return (await faults).slice(0, MOST_FAULTS)
}

async function sqliteFaults<S>(db: Kysely<S>): Promise<string[]> {
  return findFaults(async () => {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(20)`.execute(db)
    return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  })
}

/** Reads every row whole; and has the indexes compared with them where the extension `amcheck` is there and may be used. */
async function postgresFaults<S>(db: Kysely<S>): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'select')
      and schemaname not in ('pg_catalog', 'information_schema')
    order by 1, 2`.execute(db)
  const faults: string[] = []
  for (const { schema, name } of tables) {
    const read = () => sql`select count(whole::text) from ${sql.id(schema, name)} as whole`.execute(db)
    faults.push(...(await findFaults(read, `${name}: `)))
  }
  const { rows: indexes } = await sql<{ id: string; name: string }>`
    select i.indexrelid::bigint::text as id, i.indexrelid::regclass::text as name
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where a.amname = 'btree' and c.relkind = 'i' and c.relnamespace in (select oid from pg_namespace
        where nspname not in ('pg_catalog', 'information_schema', 'pg_toast'))
      and exists (select from pg_proc where proname = 'bt_index_check'
        and has_function_privilege(oid, 'execute'))`.execute(db)
  for (const { id, name } of indexes) {
    const compare = () => sql`select bt_index_check(${id}::bigint::oid::regclass)`.execute(db)
    faults.push(...(await findFaults(compare, `${name}: `)))
  }
  return faults
}

async function findFaults(look: () => Promise<unknown>, prefix = ''): Promise<string[]> {
  try {
    const found = await look()
    return Array.isArray(found) ? found : []
  } catch (error) {
    if (isDatabaseAway(error) || NOT_A_FAULT.has((error as { code?: string }).code ?? '')) throw error
    return [`${prefix}${(error as Error).message}`]
  }
}
/** Dropped meanwhile, not allowed, cancelled. */
const NOT_A_FAULT = new Set(['42P01', '42501', '57014'])
