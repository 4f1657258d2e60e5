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
