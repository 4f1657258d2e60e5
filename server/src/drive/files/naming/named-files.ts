import type { FolderReader } from '../../../access/access.ts'
import type { Db } from '../../../db.ts'
import { slicesOf } from '../../../platform/database/in-slices.ts'
import { readableFolderTree } from '../../folders/folders.access.ts'
import { findFoldersByPath, namesInPath } from '../../folders/folders-by-path.ts'
import { toFolderPath } from '../../folders/paths-of-folders.ts'
import { mayRead } from '../readers/file-rights.ts'

/** A file with the organization that owns it. */
export interface NamedFile {
  id: string
  title: string
  organizationId: string
}

/** Name of a file in folders: its id, that of the system that pushed it, or its path. */
export type FileName = { id: string } | { externalId: string } | { path: string }

/**
 * Finds a file by a name, in these folders and all below them that the reader may read.
 * @param name a path ends in the title or the file name, and begins at the outermost folder
 */
export async function findNamedFile(
  db: Db,
  reader: FolderReader,
  folderIds: string[],
  name: FileName,
): Promise<NamedFile | undefined> {
  if ('path' in name) return findByPath(db, reader, folderIds, name.path)
  for (const tree of await readableFolderTree(db, reader, folderIds)) {
    for (const ids of slicesOf(tree.folderIds)) {
      const files = db
        .selectFrom('data_source')
        .select(['id', 'title', 'organization_id as organizationId'])
        .where('organization_id', '=', tree.organizationId)
        .where('folder_id', 'in', ids)
        .where(mayRead(tree.rights))
      const found = await ('id' in name
        ? files.where('id', '=', name.id)
        : files.where('external_id', '=', name.externalId)
      ).executeTakeFirst()
      if (found) return found
    }
  }
  return undefined
}

async function findByPath(db: Db, reader: FolderReader, folderIds: string[], path: string) {
  const names = namesInPath(path)
  const file = names.at(-1)
  const folder = toFolderPath(names.slice(0, -1))
  const folderId = (await findFoldersByPath(db, reader, [folder])).get(folder)
  if (file === undefined || folderId === undefined) return undefined
  const trees = await readableFolderTree(db, reader, folderIds)
  const tree = trees.find((one) => one.folderIds.includes(folderId))
  if (!tree) return undefined
  return db
    .selectFrom('data_source')
    .select(['id', 'title', 'organization_id as organizationId'])
    .where('organization_id', '=', tree.organizationId)
    .where('folder_id', '=', folderId)
    .where(mayRead(tree.rights))
    .where((where) => where.or([where('title', '=', file), where('file_name', '=', file)]))
    .orderBy('id')
    .executeTakeFirst()
}
