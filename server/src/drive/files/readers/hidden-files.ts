import type { FolderReader } from '../../../access/access.ts'
import type { Db } from '../../../db.ts'
import { listFoldersOfFiles } from '../data-sources.store.ts'
import { type FileRights, findFileRights } from './file-rights.ts'

/** Ids among those of some files of one organization that a list of readers hides. */
export async function listHiddenFiles(
  db: Db,
  reader: FolderReader,
  owner: string,
  ids: string[],
): Promise<Set<string>> {
  return listFilesHiddenBy(db, await findFileRights(db, reader, owner), owner, ids)
}

/** Ids as `listHiddenFiles` gives them, for rights that were looked up before. */
export async function listFilesHiddenBy(
  db: Db,
  rights: FileRights | undefined,
  owner: string,
  ids: string[],
): Promise<Set<string>> {
  const files = rights ? await listFoldersOfFiles(db, owner, ids, rights) : []
  return new Set(files.filter(({ isHidden }) => isHidden).map(({ id }) => id))
}
