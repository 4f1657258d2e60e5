import type { Db, Tx } from '../../db.ts'

export interface Share {
  organizationId: string
  organizationName: string
  createdAt: string
}

/** Does nothing when the folder is shared with that organization already. */
export async function insertShare(
  tx: Tx,
  organizationId: string,
  { folderId, recipientId, at }: { folderId: string; recipientId: string; at: string },
): Promise<void> {
  await tx
    .insertInto('folder_share')
    .values({ organization_id: organizationId, folder_id: folderId, recipient_id: recipientId, created_at: at })
    .onConflict((conflict) => conflict.columns(['folder_id', 'recipient_id']).doNothing())
    .execute()
}

/** @returns whether there was such a share. */
export async function deleteShare(
  tx: Tx,
  organizationId: string,
  { folderId, recipientId }: { folderId: string; recipientId: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('folder_share')
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('recipient_id', '=', recipientId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

const selectShares = (db: Db, organizationId: string, folderId: string) =>
  db
    .selectFrom('folder_share')
    .innerJoin('organization', 'organization.id', 'folder_share.recipient_id')
    .where('folder_share.organization_id', '=', organizationId)
    .where('folder_share.folder_id', '=', folderId)

/** Organizations that a folder is shared with, oldest share first. */
export async function listShares(
  db: Db,
  organizationId: string,
  folderId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ shares: Share[]; total: number }> {
  const { total } = await selectShares(db, organizationId, folderId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const shares = await selectShares(db, organizationId, folderId)
    .select([
      'organization.id as organizationId',
      'organization.name as organizationName',
      'folder_share.created_at as createdAt',
    ])
    .orderBy('folder_share.created_at')
    .orderBy('organization.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { shares, total: Number(total) }
}

export const findShare = (
  db: Db,
  organizationId: string,
  { folderId, recipientId }: { folderId: string; recipientId: string },
): Promise<Share | undefined> =>
  selectShares(db, organizationId, folderId)
    .select([
      'organization.id as organizationId',
      'organization.name as organizationName',
      'folder_share.created_at as createdAt',
    ])
    .where('folder_share.recipient_id', '=', recipientId)
    .executeTakeFirst()

export async function isOrganization(db: Db, organizationId: string): Promise<boolean> {
  const row = await db.selectFrom('organization').select('id').where('id', '=', organizationId).executeTakeFirst()
  return row !== undefined
}
