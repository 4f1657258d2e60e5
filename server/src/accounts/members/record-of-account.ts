import type { Caller } from '../../access/access.ts'
import { type AuditRecord, recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import { listMemberships } from './memberships.store.ts'

/** Puts what somebody did with their account into the audit log of every workspace of the account. */
export async function recordOfAccount(
  tx: Tx,
  accountId: string,
  { request, ...record }: Pick<AuditRecord, 'action' | 'at' | 'details'> & { request?: Caller['request'] },
): Promise<void> {
  for (const { organizationId, workspaceId, keyId, memberId } of await listMemberships(tx, accountId)) {
    const target = { type: 'member', id: memberId } as const
    await recordAudit(tx, { organizationId, workspaceId, keyId, request }, { ...record, target })
  }
}
