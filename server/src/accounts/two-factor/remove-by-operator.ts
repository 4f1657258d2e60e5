import { operatorOf, recordAudit } from '../../audit/record-audit.ts'
import type { Db, Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { listMemberships } from '../members/memberships.store.ts'
import { deleteSecondFactorsOf } from '../passkeys/delete-second-factors.ts'
import { findAccountByEmail } from '../profile/account.store.ts'

/** Turns the second factor of an account off, its passkeys included. @returns false where there is no such account */
export async function removeTwoFactorByOperator(
  { db, writes, clock }: { db: Db; writes: Writes; clock: Clock },
  email: string,
): Promise<boolean> {
  const account = await findAccountByEmail(db, email)
  if (!account) return false
  await writes.commit(async (tx) => {
    if (!(await deleteSecondFactorsOf(tx, account.id))) return
    for (const { organizationId, workspaceId, memberId } of await listMemberships(tx, account.id)) {
      const target = { type: 'member', id: memberId } as const
      const record = { action: 'member.two_factor_off', at: isoNow(clock), target } as const
      await recordAudit(tx, operatorOf(organizationId, workspaceId), record)
    }
  })
  return true
}
