import type { Db, Tx } from '../../db.ts'

export interface Trouble {
  taskId: string
  failures: number
  losses: number
  deaths: number
  /** The process in which it is at work; null while it only waits. */
  processId: string | null
}

export async function findTrouble(db: Db, taskId: string): Promise<Trouble | undefined> {
  const row = await db.selectFrom('task_trouble').selectAll().where('task_id', '=', taskId).executeTakeFirst()
  if (!row) return undefined
  const { failures, losses, deaths, process_id: processId } = row
  // A pool of its own may bring integers as text.
  return { taskId, failures: Number(failures), losses: Number(losses), deaths: Number(deaths), processId }
}

export async function putTrouble(tx: Tx, { taskId, processId, ...counts }: Trouble, at: string): Promise<void> {
  const known = { ...counts, process_id: processId, noted_at: at }
  await tx
    .insertInto('task_trouble')
    .values({ task_id: taskId, ...known })
    .onConflict((conflict) => conflict.column('task_id').doUpdateSet(known))
    .execute()
}

export async function deleteTrouble(tx: Tx, taskId: string): Promise<void> {
  await tx.deleteFrom('task_trouble').where('task_id', '=', taskId).execute()
}

/** @returns how many it removed, `limit` at most. */
export async function deleteOldTroubles(tx: Tx, before: string, limit: number): Promise<number> {
  const old = tx.selectFrom('task_trouble').select('task_id').where('noted_at', '<', before).limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('task_trouble').where('task_id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
