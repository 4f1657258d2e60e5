import type { Db } from '../../db.ts'
import { ValidationError } from '../../platform/errors.ts'
import { type FileRights, mayRead } from '../files/readers/file-rights.ts'
import type { ReadableWalk } from '../folders/folder-levels.ts'
import { withLiveTree } from '../folders/folder-tree.ts'
import type { Folder } from '../folders/folders.store.ts'
import { zipNames } from './zip-names.ts'
import { toZipEntry, type ZipEntry } from './zip-stream.ts'

/** Limit on files: more would block the event loop while the archive's directory is made. */
const MOST_FILES = 10_000
const ROWS_AT_ONCE = 500

/**
 * Every document in a folder and below, under the path that it has from there.
 * @throws ValidationError if there are more than 10,000
 */
export async function listTreeEntries(
  db: Db,
  { organizationId, id }: Folder,
  walk: ReadableWalk,
  rights: FileRights | undefined,
): Promise<ZipEntry[]> {
  const paths = await listPaths(db, organizationId, id, walk)
  const byFolder = Map.groupBy(await listFiles(db, organizationId, walk, rights), (file) => file.folderId)
  return [...byFolder].flatMap(([folderId, files]) => {
    const names = zipNames(files)
    return files.map((file, index) => toZipEntry(file, `${paths.get(folderId) ?? ''}${names[index]!}`))
  })
}

/** Path by folder, `Ships/Sails/`; empty for the outermost. What lies in a folder that is left out lies in the outermost. */
async function listPaths(
  db: Db,
  organizationId: string,
  rootId: string,
  walk: ReadableWalk,
): Promise<Map<string, string>> {
  const folders = await withLiveTree(db, organizationId, walk.roots, walk.stops)
    .selectFrom('folder')
    .innerJoin('tree', 'tree.id', 'folder.id')
    .select(['folder.id', 'folder.name', 'folder.parent_id as parentId'])
    .where('folder.organization_id', '=', organizationId)
    .orderBy('folder.name_key')
    .execute()
  const isThere = new Set(folders.map((folder) => folder.id))
  const inTree = folders.filter((folder) => folder.id !== rootId)
  const byParent = Map.groupBy(inTree, ({ parentId: id }) => (id !== null && isThere.has(id) ? id : rootId))
  const paths = new Map([[rootId, '']])
  const below = [rootId]
  for (let parentId = below.pop(); parentId; parentId = below.pop()) {
    const children = byParent.get(parentId) ?? []
    const names = zipNames(children.map(({ name }) => ({ title: name, fileName: '' })))
    for (const [index, child] of children.entries()) {
      paths.set(child.id, `${paths.get(parentId)}${names[index]}/`)
      below.push(child.id)
    }
  }
  return paths
}

async function listFiles(db: Db, organizationId: string, walk: ReadableWalk, rights: FileRights | undefined) {
  const found: Awaited<ReturnType<typeof nextFiles>> = []
  for (let after = ''; ; after = found.at(-1)!.id) {
    const files = await nextFiles(db, organizationId, walk, { after, rights })
    found.push(...files)
    if (found.length > MOST_FILES) {
      const message = `This folder holds more than ${MOST_FILES} files. Download its sub-folders one by one`
      throw new ValidationError(message)
    }
    if (files.length < ROWS_AT_ONCE) return found
  }
}

const nextFiles = (
  db: Db,
  organizationId: string,
  { roots, stops }: ReadableWalk,
  { after, rights }: { after: string; rights: FileRights | undefined },
) =>
  withLiveTree(db, organizationId, roots, stops)
    .selectFrom('data_source')
    .innerJoin('tree', 'tree.id', 'data_source.folder_id')
    .select([
      'data_source.id',
      'data_source.folder_id as folderId',
      'data_source.title',
      'data_source.file_name as fileName',
      'data_source.blob_key as blobKey',
      'data_source.size_bytes as sizeBytes',
      'data_source.media_type as mediaType',
      'data_source.created_at as createdAt',
    ])
    .where('data_source.organization_id', '=', organizationId)
    .where('data_source.source_type', '=', 'document')
    .where(mayRead(rights))
    .where('data_source.id', '>', after)
    .orderBy('data_source.id')
    .limit(ROWS_AT_ONCE)
    .execute()
