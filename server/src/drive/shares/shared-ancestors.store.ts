import type { Db } from '../../db.ts'

/**
 * Finds, for each of the folders of one owner, those of itself and the folders above it that a share with the recipient
 * names.
 */
export async function findSharedAncestors(
  db: Db,
  organizationId: string,
  recipientId: string,
  folderIds: string[],
): Promise<{ folderId: string; sharedId: string }[]> {
  return db
    .withRecursive('line(start_id, id, parent_id)', (line) =>
      line
        .selectFrom('folder')
        .select(['folder.id as start_id', 'folder.id', 'folder.parent_id'])
        .where('folder.organization_id', '=', organizationId)
        .where('folder.id', 'in', folderIds)
        .union(
          line
            .selectFrom('folder')
            .innerJoin('line', 'line.parent_id', 'folder.id')
            .select(['line.start_id', 'folder.id', 'folder.parent_id'])
            .where('folder.organization_id', '=', organizationId),
        ),
    )
    .selectFrom('line')
    .innerJoin('folder_share', 'folder_share.folder_id', 'line.id')
    .select(['line.start_id as folderId', 'folder_share.folder_id as sharedId'])
    .where('folder_share.organization_id', '=', organizationId)
    .where('folder_share.recipient_id', '=', recipientId)
    .execute()
}
