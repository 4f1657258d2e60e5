import type { Db } from '../../db.ts'

export interface LinkedFolder {
  id: string
  /** Id that the source gives it. */
  key: string
}

/** The next live sub-folders that an integration made in a folder, after an id, by id. */
export async function listLinkedFolders(
  db: Db,
  organizationId: string,
  folderId: string,
  { after, limit }: { after: string; limit: number },
): Promise<LinkedFolder[]> {
  const rows = await db
    .selectFrom('folder')
    .select(['id', 'source_key as key'])
    .where('organization_id', '=', organizationId)
    .where('parent_id', '=', folderId)
    .where('source_key', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: row.id, key: row.key! }))
}
