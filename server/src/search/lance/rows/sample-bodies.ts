import type { Table, TakeQuery } from '@lancedb/lancedb'
import { rowsOf } from './lance-columns.ts'

/** LanceDB's own column, by which rows are taken. */
const ROW_ID = '_rowid'

/** Reads the bodies of at most `count` of the passages that a filter lets through, at equal distances. */
export async function sampleBodies(table: Table, count: number, filter?: string): Promise<string[]> {
  if (!filter) return readBodies(table.takeOffsets(placesAmong(await table.countRows(), count)))
  // A compaction between the two reads moves rows, and their old ids find nothing.
  return (await sampleAmong(table, count, filter)) ?? (await sampleAmong(table, count, filter)) ?? []
}

async function sampleAmong(table: Table, count: number, filter: string): Promise<string[] | undefined> {
  const rows = await table.query().where(filter).select([ROW_ID]).withRowId().toArrow()
  const column = rows.getChild(ROW_ID)
  const ids = placesAmong(rows.numRows, count).map((at) => column?.get(at) as bigint)
  const bodies = await readBodies(table.takeRowIds(ids))
  return bodies.length < ids.length ? undefined : bodies
}

const readBodies = async (taken: TakeQuery): Promise<string[]> =>
  rowsOf(await taken.select(['body']).toArrow()).map((row) => row.text('body'))

function placesAmong(rows: number, count: number): number[] {
  const taken = Math.min(count, rows)
  return Array.from({ length: taken }, (_, index) => Math.floor((index * rows) / taken))
}
