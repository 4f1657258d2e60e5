import type { Role } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'

/** Ids of the key that stands for a member, which comes first, and of the personal ones and those of apps. */
export async function listKeysOfMember(db: Db, organizationId: string, memberId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('api_key')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .where('revoked_at', 'is', null)
    // `member` before `oauth` and `personal`.
    .orderBy('kind')
    .execute()
  return rows.map(({ id }) => id)
}

/** Gives all keys of a member the member's rights. */
export async function setRightsOfKeys(
  tx: Tx,
  organizationId: string,
  memberId: string,
  { role, permissions }: { role: Role; permissions: readonly string[] },
): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({ role, permissions: JSON.stringify(permissions) })
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .execute()
}

export async function revokeKeysOfMember(tx: Tx, organizationId: string, memberId: string, at: string): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Revokes the keys that a member made, and those of apps that they connected; the one that stands for the member stays. */
export async function revokePersonalKeysOfMember(
  tx: Tx,
  organizationId: string,
  memberId: string,
  at: string,
): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .where('kind', 'in', ['personal', 'oauth'])
    .where('revoked_at', 'is', null)
    .execute()
}

/** Revokes the keys of apps that a member connected. @returns them */
export async function revokeAppKeysOfMember(
  tx: Tx,
  organizationId: string,
  memberId: string,
  at: string,
): Promise<string[]> {
  const rows = await tx
    .updateTable('api_key')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .where('kind', '=', 'oauth')
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Sessions of these keys end, wherever they are. */
export async function deleteSessionsOfKeys(tx: Tx, organizationId: string, keyIds: string[]): Promise<void> {
  if (keyIds.length === 0) return
  await tx
    .deleteFrom('web_session')
    .where('organization_id', '=', organizationId)
    .where('key_id', 'in', keyIds)
    .execute()
}

/** Renames the key as shown in usage and the audit log. */
export async function renameKeyOfMember(tx: Tx, organizationId: string, memberId: string, name: string): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({ name })
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .where('kind', '=', 'member')
    .execute()
}
