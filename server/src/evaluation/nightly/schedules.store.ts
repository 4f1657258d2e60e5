import type { Db, Tx } from '../../db.ts'
import type { Schedule } from './schedule.ts'

/** Sets when a set runs, and with whose rights; null: never. */
export async function setSchedule(
  tx: Tx,
  organizationId: string,
  id: string,
  of: { schedule: Schedule; nextAt: string; keyId: string } | null,
): Promise<void> {
  await tx
    .updateTable('evaluation_set')
    .set({
      schedule: of && JSON.stringify(of.schedule),
      next_run_at: of?.nextAt ?? null,
      schedule_key_id: of?.keyId ?? null,
      schedule_problem: null,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Schedule of a set; null for none. */
export async function findSchedule(db: Db, organizationId: string, id: string): Promise<Schedule | null> {
  const row = await db
    .selectFrom('evaluation_set')
    .select('schedule')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.schedule ? JSON.parse(row.schedule) : null
}
