import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findReadableIds } from '../folders/folders.access.ts'
import { listSharers } from '../shares/received-shares.store.ts'
import { listFoldersOfFiles } from './data-sources.store.ts'
import { findFileRights } from './readers/file-rights.ts'

/** Ids among those of some files that the reader may read now, with what other organizations share. */
export async function findReadableFiles(db: Db, reader: FolderReader, ids: string[]): Promise<Set<string>> {
  const { organizationId } = reader
  const files = await listFoldersOfFiles(db, organizationId, ids, await findFileRights(db, reader))
  const own = new Set(files.map(({ id }) => id))
  const others = ids.filter((id) => !own.has(id))
  if (others.length > 0)
    for (const owner of await listSharers(db, organizationId))
      files.push(...(await listFoldersOfFiles(db, owner, others, await findFileRights(db, reader, owner))))
  const shown = await shownAmong(db, reader, files)
  return new Set(shown.map(({ id }) => id))
}

/**
 * Ids among those of some files that the reader may not read now, of the organization's own that are still there.
 * @param ids of own files, some of which may be gone
 */
export async function findHiddenFiles(db: Db, reader: FolderReader, ids: string[]): Promise<Set<string>> {
  const files = await listFoldersOfFiles(db, reader.organizationId, ids, await findFileRights(db, reader))
  const shown = new Set(await shownAmong(db, reader, files))
  return new Set(files.filter((file) => !shown.has(file)).map(({ id }) => id))
}

/** Files that neither a list of readers nor the rights to their folder hide. */
async function shownAmong<F extends { folderId: string; isHidden: boolean }>(
  db: Db,
  reader: FolderReader,
  files: F[],
): Promise<F[]> {
  const open = files.filter(({ isHidden }) => !isHidden)
  if (open.length === 0) return []
  const readable = await findReadableIds(db, reader, [...new Set(open.map(({ folderId }) => folderId))])
  return open.filter(({ folderId }) => readable.has(folderId))
}

/** Titles of those of some files that the reader may read now, by id. */
export async function findTitles(db: Db, reader: FolderReader, ids: string[]): Promise<Map<string, string>> {
  const readable = [...(await findReadableFiles(db, reader, ids))]
  if (readable.length === 0) return new Map()
  const titles = new Map<string, string>()
  for (const owner of [reader.organizationId, ...(await listSharers(db, reader.organizationId))]) {
    if (titles.size === readable.length) break
    const rows = await db
      .selectFrom('data_source')
      .select(['id', 'title'])
      .where('organization_id', '=', owner)
      .where('id', 'in', readable)
      .execute()
    for (const { id, title } of rows) titles.set(id, title)
  }
  return titles
}
