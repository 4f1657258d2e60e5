import type { AuditAction } from '../audit/audit.ts'
import { operatorOf, recordAudit } from '../audit/record-audit.ts'
import { isoNow } from '../platform/clock.ts'
import type { AdminContext } from './context.ts'

/** Puts what an operator did to everything at once into the audit log of every organization. */
export async function recordForAll({ db, writes, clock }: AdminContext, action: AuditAction): Promise<void> {
  for (const { id, name } of await db.selectFrom('organization').select(['id', 'name']).execute())
    await recordForOne({ writes, clock }, { id, name }, action)
}

/** Records the action for one organization. */
export async function recordForOne(
  { writes, clock }: Pick<AdminContext, 'writes' | 'clock'>,
  { id, name }: { id: string; name?: string },
  action: AuditAction,
  details?: Record<string, unknown>,
): Promise<void> {
  const target = { type: 'organization', id, name } as const
  await writes.commit((tx) => recordAudit(tx, operatorOf(id), { action, at: isoNow(clock), target, details }))
}
