import type { Db } from '../../db.ts'
import { lastSeqOf } from './run-log.ts'
import { deleteStoredRun, findStoredRun } from './stored-run.ts'

/** Modes of messages that a task takes up again when their process dies. */
export const DURABLE_MODES = ['async', 'reviewed'] as const

export const isDurable = (mode: string): boolean => (DURABLE_MODES as readonly string[]).includes(mode)

/**
 * Ends what other processes left running, so that nobody waits for it for ever, with what it said and did until then.
 * What nobody waits for at a connection is taken up again by its task.
 * @returns how many.
 */
export async function endInterrupted(db: Db, processId: string, reason: string, at: string): Promise<number> {
  const interrupted = await db
    .selectFrom('message')
    .select(['organization_id', 'id'])
    .where('status', '=', 'in_progress')
    .where('mode', 'not in', [...DURABLE_MODES])
    .where('process_id', '!=', processId)
    .execute()
  for (const { organization_id: organizationId, id } of interrupted) {
    await db.transaction().execute(async (tx) => {
      const stored = await findStoredRun(tx, organizationId, id)
      const ended = { status: 'completed', error_message: reason, updated_at: at } as const
      const known = stored && {
        response: stored.response,
        reasoning: stored.reasoning,
        events: JSON.stringify([...stored.log, { type: 'error', seq: lastSeqOf(stored.log) + 1, text: reason }]),
      }
      await tx
        .updateTable('message')
        .set({ ...ended, ...known })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute()
      if (stored) await deleteStoredRun(tx, organizationId, id)
    })
  }
  return interrupted.length
}
