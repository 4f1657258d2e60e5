import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'

/** Values of a row in the order of the columns that a statement names: texts, numbers and null. */
export type SnapshotRow = (string | number | null)[]

/** A database at one moment, whatever is written meanwhile; rows of all organizations. */
export interface Snapshot {
  kind: 'sqlite' | 'postgres'
  /** Names of its tables, each with the names of its columns, in the order of the alphabet. */
  tables(): Promise<Map<string, string[]>>
  /** The rows of a statement in batches of a few MB, so that a table of any size fits. One statement at a time. */
  stream(statement: string): AsyncGenerator<SnapshotRow[]>
  close(): Promise<void>
}

/** Goal for the size of a batch: rows come in hundreds where they are small, and one by one where they are not. */
const BATCH_BYTES = 4 * 1024 ** 2
const BATCH_ROWS = 1_000

/**
 * Opens a file of SQLite to read it.
 * @param isStill nothing writes to it, and nothing that belongs to it lies beside it: then not even SQLite does
 */
export async function snapshotSqlite(path: string, { isStill = false } = {}): Promise<Snapshot> {
  const { DatabaseSync } = await import('node:sqlite')
  const url = pathToFileURL(path)
  if (isStill) url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true, timeout: 10_000 })
  database.exec('begin; select count(*) from sqlite_schema')
  return {
    kind: 'sqlite',
    async tables() {
      const columns = database
        .prepare(
          `select t.name as "table", c.name as "column" from sqlite_schema t join pragma_table_info(t.name) c
            where t.type = 'table' and t.name not like 'sqlite!_%' escape '!' order by t.name, c.name`,
        )
        .all() as unknown as TableColumn[]
      return byTable(columns)
    },
    stream: (statement) => readBatches(database, statement),
    async close() {
      database.close()
    },
  }
}

async function* readBatches(database: DatabaseSync, statement: string): AsyncGenerator<SnapshotRow[]> {
  const prepared = database.prepare(statement)
  prepared.setReturnArrays(true)
  let batch: SnapshotRow[] = []
  let bytes = 0
  for (const row of prepared.iterate() as unknown as Iterable<SnapshotRow>) {
    batch.push(row)
    bytes += sizeOf(row)
    if (bytes < BATCH_BYTES && batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Holds one connection of the pool for as long as it is open. */
export async function snapshotPostgres(pool: pg.Pool): Promise<Snapshot> {
  const { ALL_ORGANIZATIONS, ORGANIZATION_SETTING } = await import('./postgres/row-security.ts')
  const client = await pool.connect()
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    await client.query(`select set_config('${ORGANIZATION_SETTING}', '${ALL_ORGANIZATIONS}', true)`)
  } catch (error) {
    client.release(true)
    throw error
  }
  return {
    kind: 'postgres',
    async tables() {
      const { rows } = await client.query<TableColumn>(
        `select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = current_schema() order by table_name collate "C", column_name collate "C"`,
      )
      return byTable(rows)
    },
    stream: (statement) => fetched(client, statement),
    async close() {
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(true),
      )
    },
  }
}

async function* fetched(client: pg.PoolClient, statement: string): AsyncGenerator<SnapshotRow[]> {
  await client.query(`declare snapshot_rows no scroll cursor for ${statement}`)
  try {
    let count = 20
    for (;;) {
      const { rows } = await client.query<SnapshotRow>({ text: `fetch ${count} from snapshot_rows`, rowMode: 'array' })
      if (rows.length > 0) yield rows
      if (rows.length < count) return
      const perRow = rows.reduce((sum, row) => sum + sizeOf(row), 0) / rows.length
      count = Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_BYTES / perRow)))
    }
  } finally {
    await client.query('close snapshot_rows').catch(() => {})
  }
}

const sizeOf = (row: SnapshotRow): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

interface TableColumn {
  table: string
  column: string
}

const byTable = (columns: TableColumn[]): Map<string, string[]> =>
  new Map([...Map.groupBy(columns, ({ table }) => table)].map(([table, all]) => [table, all.map((one) => one.column)]))
