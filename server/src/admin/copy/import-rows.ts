import type { Tx } from '../../db.ts'
import { type AnyDb, acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import { createIds } from '../../platform/ids.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { openTaskWriter } from '../../queue/copied-tasks.ts'
import { copiedTablesIn } from './copied-tables.ts'
import type { CopyTarget } from './copy-target.ts'
import type { RowSource } from './row-source.ts'

/** Most parameters of one statement; SQLite takes 32,766 and PostgreSQL 65,535. */
const MOST_PARAMETERS = 20_000

export interface ImportOptions {
  logger: Logger
  report(line: string): void
}

/** Copies what an earlier attempt had not copied: each batch is stored together with how far it went. */
export async function importRows(
  source: RowSource,
  target: CopyTarget,
  { logger, report }: ImportOptions,
): Promise<void> {
  for (const table of copiedTablesIn(source.tables)) {
    const columns = source.tables.get(table)!
    const most = Math.max(1, Math.floor(MOST_PARAMETERS / columns.length))
    const count = await inSteps(target, `rows:${table}`, source.rows(table), most, async (tx, rows) => {
      const values = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
      await (acrossOrganizations(tx) as AnyDb).insertInto(table).values(values).execute()
    })
    report(`${table}: ${count} rows`)
  }
  const writer = await openTaskWriter(target.database, { newId: createIds(), logger })
  try {
    const count = await inSteps(target, 'tasks', source.tasks(), 500, (tx, tasks) => writer.write(tx, tasks))
    report(`${count} background tasks`)
  } finally {
    await writer.close()
  }
}

async function inSteps<T>(
  target: CopyTarget,
  name: string,
  batches: AsyncIterable<T[]>,
  most: number,
  store: (tx: Tx, items: T[]) => Promise<void>,
): Promise<number> {
  const stored = await target.findProgress(name)
  let seen = 0
  for await (const batch of batches) {
    const fresh = batch.slice(Math.max(0, stored - seen))
    seen += batch.length
    for (let at = 0; at < fresh.length; at += most) {
      const items = fresh.slice(at, at + most)
      const done = seen - fresh.length + at + items.length
      await target.database.writes.commit(async (tx) => {
        await store(tx, items)
        await target.setProgress(tx, name, done)
      })
    }
  }
  return seen
}
