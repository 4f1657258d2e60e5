import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { Schedule } from './schedule.ts'

export interface DueSet {
  id: string
  organizationId: string
  agentId: string
  schedule: Schedule
  dueAt: string
  keyId: string
}

/** Sets whose hour has come, of all organizations. */
export async function listDue(db: Db, now: string, limit: number): Promise<DueSet[]> {
  const rows = await acrossOrganizations(db)
    .selectFrom('evaluation_set')
    .select(['id', 'organization_id', 'agent_id', 'schedule', 'next_run_at', 'schedule_key_id'])
    .where('next_run_at', '<=', now)
    .orderBy('next_run_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    agentId: row.agent_id,
    schedule: JSON.parse(row.schedule!),
    dueAt: row.next_run_at!,
    keyId: row.schedule_key_id!,
  }))
}

/** Takes the night of a set. @returns false if another process has, or the schedule was changed */
export async function takeNight(
  tx: Tx,
  { organizationId, id, dueAt }: DueSet,
  { nextAt, problem }: { nextAt: string; problem: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('evaluation_set')
    .set({ next_run_at: nextAt, schedule_problem: problem })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('next_run_at', '=', dueAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
