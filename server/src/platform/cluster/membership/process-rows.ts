import type { Kysely, Selectable } from 'kysely'
import { isPresent } from './presence.ts'
import type { ServerProcessTable } from './processes.tables.ts'

export interface ProcessTables {
  server_process: ServerProcessTable
}
export type ProcessRow = Selectable<ServerProcessTable>
type Db = Kysely<ProcessTables>

/** The beat of a process that has said goodbye. */
export const LEFT = -1

/** @returns false when the end of one with this id is being dealt with. */
export async function insertProcess(db: Db, row: ProcessRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('server_process')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** @returns false when the others took it for dead. */
export async function recordHeartbeat(db: Db, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('server_process')
    .set((set) => ({ beat: set('beat', '+', 1), beat_at: at }))
    .where('id', '=', id)
    .where('ended_by', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function markLeft(db: Db, id: string, at: string): Promise<void> {
  await db
    .updateTable('server_process')
    .set({ beat: LEFT, beat_at: at })
    .where('id', '=', id)
    .where('ended_by', 'is', null)
    .execute()
}

/** A process, and whether its connection that listens is there. */
export type SeenRow = ProcessRow & { isPresent: boolean }

export async function listProcesses(db: Db): Promise<SeenRow[]> {
  const rows = await db
    .selectFrom('server_process')
    .selectAll()
    .select(isPresent.as('is_present'))
    .orderBy('id')
    .execute()
  return rows.map(({ is_present, ...row }) => ({
    ...row,
    pid: Number(row.pid),
    beat: Number(row.beat),
    isPresent: is_present === 1,
  }))
}

export async function isThere(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('server_process')
    .select('id')
    .where('id', '=', id)
    .where('beat', '<>', LEFT)
    .where('ended_by', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes it upon `by` to deal with the end of a process whose beat was seen to stand still. It then cannot continue as
 * the one that it was. @returns false when it beats again, or another living process deals with it.
 */
export async function claimEnd(db: Db, { id, beat }: Pick<ProcessRow, 'id' | 'beat'>, by: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('server_process')
    .set({ ended_by: by })
    .where('id', '=', id)
    .where('beat', '=', beat)
    .where((where) =>
      where.or([
        where('ended_by', 'is', null),
        where('ended_by', '=', by),
        where('ended_by', 'not in', where.selectFrom('server_process as living').select('living.id')),
      ]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('server_process').where('id', '=', id).execute()
}
