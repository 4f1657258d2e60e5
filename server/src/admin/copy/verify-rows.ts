import type { Tables } from '../../db.ts'
import { type Database, databasePath } from '../../platform/database/open.ts'
import { snapshotPostgres, snapshotSqlite } from '../../platform/database/snapshot.ts'
import type { CopiedTask } from '../../queue/copied-tasks.ts'
import { copiedTablesIn } from './copied-tables.ts'
import { type RowSource, sourceOfSnapshot } from './row-source.ts'
import { createRowSum, type SummedRows, sumRows } from './row-sum.ts'

export class CopyDiffersError extends Error {
  override name = 'CopyDiffersError'
  constructor(what: string, wanted: SummedRows, found: SummedRows) {
    super(
      `${what}: the source has ${wanted.rows} (checksum ${wanted.checksum.slice(0, 12)}), the copy ${found.rows} (${found.checksum.slice(0, 12)}). Nothing was let in: use a new database and run the command again.`,
    )
  }
}

/** Snapshot of a database, which must be closed. */
export const snapshotOf = (database: Database<Tables>, dataDir: string) =>
  database.kind === 'postgres' ? snapshotPostgres(database.pool) : snapshotSqlite(databasePath(dataDir))

/** Compares every table and the tasks with the source, row by row. @throws CopyDiffersError */
export async function verifyRows(
  source: RowSource,
  { database, dataDir }: { database: Database<Tables>; dataDir: string },
): Promise<{ rows: number; tasks: number }> {
  const snapshot = await snapshotOf(database, dataDir)
  try {
    const copy = await sourceOfSnapshot(snapshot, 'copy')
    let rows = 0
    for (const table of copiedTablesIn(source.tables)) {
      const columns = source.tables.get(table)!
      const copied = copy.tables.get(table) ?? []
      if (columns.join() !== copied.join())
        throw new Error(`The table ${table} has other columns: ${copied.join(', ')}`)
      const wanted = await sumRows(source.rows(table))
      const found = await sumRows(copy.rows(table))
      if (wanted.checksum !== found.checksum || wanted.rows !== found.rows)
        throw new CopyDiffersError(`Table ${table}`, wanted, found)
      rows += found.rows
    }
    const wanted = await sumOfTasks(source.tasks())
    const found = await sumOfTasks(copy.tasks())
    if (wanted.checksum !== found.checksum) throw new CopyDiffersError('Background tasks', wanted, found)
    return { rows, tasks: found.rows }
  } finally {
    await snapshot.close()
  }
}

/** Their times are left out: one queue keeps them in milliseconds, the other does not. */
export async function sumOfTasks(batches: AsyncIterable<CopiedTask[]>): Promise<SummedRows> {
  const sum = createRowSum()
  for await (const tasks of batches)
    for (const { organizationId, kind, payload, isDead, attempts } of tasks)
      sum.add([organizationId, kind, JSON.stringify(sorted(payload)), Number(isDead), attempts])
  return sum.total()
}

/** PostgreSQL keeps the properties of an object in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
