import type { Db, Tx } from '../../db.ts'

/** Members whose account has a password and no second factor. */
const selectUnprotected = (db: Db) =>
  db
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .leftJoin('two_factor', 'two_factor.account_id', 'member.account_id')
    .where('account.password_hash', 'is not', null)
    .where('two_factor.confirmed_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('passkey').select('passkey.id').whereRef('passkey.account_id', '=', 'account.id'))),
    )

/** Whether a member has to set up a second factor before anything else, as the workspace demands one. */
export async function lacksDemanded(db: Db, organizationId: string, memberId: string): Promise<boolean> {
  const row = await selectUnprotected(db)
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .select('member.id')
    .where('member.organization_id', '=', organizationId)
    .where('member.id', '=', memberId)
    .where('workspace.demands_second_factor', '=', 1)
    .executeTakeFirst()
  return row !== undefined
}

export async function findDemand(db: Db, organizationId: string, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspace')
    .select('demands_second_factor')
    .where('organization_id', '=', organizationId)
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return row.demands_second_factor === 1
}

export async function setDemand(
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  isDemanded: boolean,
): Promise<void> {
  await tx
    .updateTable('workspace')
    .set({ demands_second_factor: isDemanded ? 1 : 0 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', workspaceId)
    .execute()
}

/** Whether a member has a password and no second factor. */
export async function isUnprotected(db: Db, organizationId: string, memberId: string): Promise<boolean> {
  const row = await selectUnprotected(db)
    .select('member.id')
    .where('member.organization_id', '=', organizationId)
    .where('member.id', '=', memberId)
    .executeTakeFirst()
  return row !== undefined
}

/** Members of a workspace who have a password and no second factor, by name; at most this many. */
export async function listUnprotected(
  db: Db,
  organizationId: string,
  workspaceId: string,
  limit: number,
): Promise<{ members: { id: string; name: string }[]; total: number }> {
  const all = selectUnprotected(db)
    .where('member.organization_id', '=', organizationId)
    .where('member.workspace_id', '=', workspaceId)
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const members = await all
    .select(['member.id', 'account.name'])
    .orderBy('account.name')
    .orderBy('member.id')
    .limit(limit)
    .execute()
  return { members, total: Number(total) }
}
