import type { Snapshot, SnapshotRow } from '../../platform/database/snapshot.ts'
import { type CopiedTask, readTasks } from '../../queue/copied-tasks.ts'
import { type CopiedTableName, selectAll } from './copied-tables.ts'

/** Source of copied rows: a database or a backup. It reads the same each time. */
export interface RowSource {
  /** Identity of the source, so that an interrupted copy continues with the same one only. */
  identity: string
  /** Names of the migrations that made its tables, in their order. */
  migrations: string[]
  /** Columns by table. */
  tables: Map<string, string[]>
  rows(table: CopiedTableName): AsyncIterable<SnapshotRow[]>
  tasks(): AsyncIterable<CopiedTask[]>
}

export async function sourceOfSnapshot(snapshot: Snapshot, identity: string): Promise<RowSource> {
  const tables = await snapshot.tables()
  const migrations: string[] = []
  if (tables.has('kysely_migration'))
    for await (const rows of snapshot.stream('select name from kysely_migration order by name'))
      for (const [name] of rows) migrations.push(name as string)
  return {
    identity,
    migrations,
    tables,
    rows: (table) => snapshot.stream(selectAll(table, tables.get(table)!)),
    tasks: () => (tables.has('task') ? readTasks(snapshot) : none()),
  }
}

async function* none(): AsyncGenerator<never> {}
