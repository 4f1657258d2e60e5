import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { listReadableRoots, readableFolderTree } from './folders.access.ts'
import { findFolders } from './folders.store.ts'
import { isRestricted } from './reader-rights.ts'

export interface FolderOutline {
  id: string
  name: string
  /** Null at the root. */
  parentId: string | null
}

/**
 * Live folders of an organization that the reader may read, the oldest ones first: what there is to choose from, where a
 * tree is too much.
 */
export async function outlineFolders(db: Db, reader: FolderReader, most: number): Promise<FolderOutline[]> {
  const { organizationId } = reader
  if (await isRestricted(db, reader)) return outlineReadable(db, reader, most)
  return db
    .selectFrom('folder')
    .select(['id', 'name', 'parent_id as parentId'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(most)
    .execute()
}

async function outlineReadable(db: Db, reader: FolderReader, most: number): Promise<FolderOutline[]> {
  const roots = (await listReadableRoots(db, reader)).map(({ id }) => id)
  const [tree] = await readableFolderTree(db, reader, roots)
  const ids = (tree?.folderIds ?? []).sort().slice(0, most)
  const isThere = new Set(ids)
  const folders = await findFolders(db, reader.organizationId, ids)
  return folders
    .map(({ id, name, parentId }) => ({ id, name, parentId: isThere.has(parentId ?? '') ? parentId : null }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}
