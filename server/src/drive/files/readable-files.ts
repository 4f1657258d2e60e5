import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { readableFolderTree } from '../folders/folders.access.ts'
import { listReceivedFolders } from '../shares/shares.store.ts'
import { listFoldersOfFiles } from './data-sources.store.ts'

/** Ids among those of some files that the reader may read now, with what other organizations share. Files that are gone are none of them. */
export async function findReadableFiles(db: Db, reader: FolderReader, ids: string[]): Promise<Set<string>> {
  const { organizationId } = reader
  const files = await listFoldersOfFiles(db, organizationId, ids)
  const own = new Set(files.map(({ id }) => id))
  const others = ids.filter((id) => !own.has(id))
  if (others.length > 0) {
    const sharers = new Set((await listReceivedFolders(db, organizationId)).map((folder) => folder.organizationId))
    for (const owner of sharers) files.push(...(await listFoldersOfFiles(db, owner, others)))
  }
  const folderIds = [...new Set(files.map(({ folderId }) => folderId))]
  if (folderIds.length === 0) return new Set()
  const trees = await readableFolderTree(db, reader, folderIds, { recursive: false })
  const readable = new Set(trees.flatMap((tree) => tree.folderIds))
  return new Set(files.filter(({ folderId }) => readable.has(folderId)).map(({ id }) => id))
}
