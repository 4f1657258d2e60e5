import type { Db } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import { FOLDER_COLUMNS, type Folder, toFolder } from '../folders/folders.store.ts'

/** Ids of the organizations that share a folder with this one. */
export async function listSharers(db: Db, organizationId: string): Promise<string[]> {
  return [...new Set((await listReceivedFolders(db, organizationId)).map((folder) => folder.organizationId))]
}

/** Live folders that other organizations share with this one, of whatever owner, those directly named in a share. */
export async function listReceivedFolders(db: Db, organizationId: string): Promise<Folder[]> {
  const rows = await acrossOrganizations(db)
    .selectFrom('folder_share')
    .innerJoin('folder', 'folder.id', 'folder_share.folder_id')
    .select(FOLDER_COLUMNS)
    .where('folder_share.recipient_id', '=', organizationId)
    .where('folder.deleted_at', 'is', null)
    .orderBy('folder.name_key')
    .orderBy('folder.id')
    .execute()
  return rows.map(toFolder)
}

/** Live folders among the ids, of organizations that share anything with this one. */
export async function findFoldersOfSharers(db: Db, organizationId: string, folderIds: string[]): Promise<Folder[]> {
  const rows = await acrossOrganizations(db)
    .selectFrom('folder')
    .select(FOLDER_COLUMNS)
    .where('id', 'in', folderIds)
    .where('deleted_at', 'is', null)
    .where('organization_id', 'in', (select) =>
      select
        .selectFrom('folder_share')
        .select('folder_share.organization_id')
        .where('folder_share.recipient_id', '=', organizationId),
    )
    .execute()
  return rows.map(toFolder)
}

/**
 * For each of the folders of one owner the ids of itself and what it lies in that are named in a share with the
 * recipient.
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
