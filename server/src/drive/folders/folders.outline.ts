import type { Db } from '../../db.ts'

export interface FolderOutline {
  id: string
  name: string
  /** Null at the root. */
  parent_id: string | null
}

/** Live folders of an organization, the oldest ones first: what there is to choose from, where a tree is too much. */
export const outlineFolders = (db: Db, organizationId: string, most: number): Promise<FolderOutline[]> =>
  db
    .selectFrom('folder')
    .select(['id', 'name', 'parent_id'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(most)
    .execute()
