import { query } from '../../server/tests/support/database/postgres-server.ts'

/** The same database, as the superuser: row level security hides nothing, and its statistics are all visible. */
export function adminOf(adminUrl: string, databaseUrl: string): string {
  const url = new URL(adminUrl)
  url.pathname = new URL(databaseUrl).pathname
  return url.href
}

/** Makes statements countable in this database. The server has to be started with `pg_stat_statements`. */
export const countStatements = (url: string): Promise<unknown> =>
  query(url, 'create extension if not exists pg_stat_statements')

export interface Counted {
  /** Statements that read or write rows. */
  statements: number
  /** begin, commit and the like, which are round trips, too. */
  transactions: number
  walBytes: number
}

/** Reads the totals of this database so far; WAL counts for the whole server. */
export async function counted(url: string): Promise<Counted> {
  const [row] = await query<{ statements: string; transactions: string; wal: string }>(
    url,
    `select coalesce(sum(calls) filter (where not is_transaction), 0) as statements,
        coalesce(sum(calls) filter (where is_transaction), 0) as transactions,
        pg_current_wal_lsn() - '0/0' as wal
      from (select calls, query ~* '^\\s*(begin|commit|rollback|savepoint|release|start)' as is_transaction
        from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())
          and query not like '%pg_stat_statements%') counted`,
  )
  return { statements: Number(row!.statements), transactions: Number(row!.transactions), walBytes: Number(row!.wal) }
}

export interface Connections {
  open: number
  busy: number
}

/** Connections of everybody except the one that asks. */
export async function connectionsTo(url: string): Promise<Connections> {
  const [row] = await query<{ open: string; busy: string }>(
    url,
    `select count(*) as open, count(*) filter (where state <> 'idle') as busy from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
  return { open: Number(row!.open), busy: Number(row!.busy) }
}

/** The most at once while `during` lasts, asked for ten times a second. */
export async function mostConnections(url: string, during: Promise<unknown>): Promise<Connections> {
  const most: Connections = { open: 0, busy: 0 }
  let isOver = false
  const over = during.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { open, busy } = await connectionsTo(url)
    most.open = Math.max(most.open, open)
    most.busy = Math.max(most.busy, busy)
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 100))])
  }
  return most
}

export interface TableSize {
  name: string
  rows: number
  heapBytes: number
  indexBytes: number
  inserted: number
  updated: number
  deleted: number
}

/** Every table that holds something or was written to, with what dead rows took given back. */
export async function tableSizes(url: string): Promise<TableSize[]> {
  await query(url, 'vacuum (full, analyze)')
  const rows = await query<Record<string, string>>(
    url,
    `select schemaname || '.' || relname as name, pg_table_size(relid) as heap, pg_indexes_size(relid) as indexes,
        n_tup_ins as inserted, n_tup_upd as updated, n_tup_del as deleted,
        (select reltuples::bigint from pg_class where oid = relid) as rows
      from pg_stat_user_tables where n_tup_ins > 0 order by schemaname desc, relname`,
  )
  return rows.map((row) => ({
    name: row.name!.replace(/^public\./, ''),
    rows: Number(row.rows),
    heapBytes: Number(row.heap),
    indexBytes: Number(row.indexes),
    inserted: Number(row.inserted),
    updated: Number(row.updated),
    deleted: Number(row.deleted),
  }))
}
