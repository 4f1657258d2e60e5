import type { Db } from '../../db.ts'
import { type PageOf, readPages } from '../../platform/database/statements/read-pages.ts'
import { ValidationError } from '../../platform/errors.ts'
import { type FileRights, mayRead } from '../files/readers/file-rights.ts'
import { withLiveTree } from '../folders/folder-tree.ts'
import type { Folder } from '../folders/folders.store.ts'
import type { ReadableWalk } from '../folders/reader-rights.ts'
import { createZipNamer } from './zip-names.ts'
import { toZipEntry, type ZipEntry } from './zip-stream.ts'

const ROWS_AT_ONCE = 500

/**
 * Every document in a folder and below, under the path that it has from there: folder by folder, in the order in which
 * files were added, so that what came before an entry stays before it.
 * @param after path of the entry to go on after
 * @returns undefined if there is none
 * @throws ValidationError if there is no entry of that path
 */
export async function findTreeEntries(
  db: Db,
  folder: Folder,
  walk: ReadableWalk,
  options: { rights: FileRights | undefined; after?: string },
): Promise<AsyncIterable<ZipEntry> | undefined> {
  const entries = listTreeEntries(db, folder, walk, options)
  // A failure has to be known before the archive begins.
  const first = await entries.next()
  if (first.done) return undefined
  return (async function* () {
    yield first.value
    yield* entries
  })()
}

async function* listTreeEntries(
  db: Db,
  { organizationId, id }: Folder,
  walk: ReadableWalk,
  { rights, after }: { rights: FileRights | undefined; after?: string },
): AsyncGenerator<ZipEntry> {
  const pathOfStart = after?.slice(0, after.lastIndexOf('/') + 1)
  let isStarted = after === undefined
  for (const [folderId, { path, nameOf }] of await listPlaces(db, organizationId, id, walk)) {
    if (!isStarted && path !== pathOfStart) continue
    const next = (page: PageOf<{ id: string }>) => nextFiles(db, { organizationId, folderId, rights }, page)
    for await (const files of readPages(next, ROWS_AT_ONCE))
      for (const file of files) {
        const entry = toZipEntry(file, path + nameOf(file))
        if (isStarted) yield entry
        else isStarted = entry.name === after
      }
    if (!isStarted) break
  }
  if (!isStarted) throw new UnknownEntryError(after!)
}

class UnknownEntryError extends ValidationError {
  constructor(after: string) {
    super(`after: the archive has no entry ${JSON.stringify(after)}. Name an entry before it, or begin anew`)
  }
}

interface Place {
  /** `Ships/Sails/`; empty for the outermost folder. */
  path: string
  /** Names what is in the folder: what has one name there cannot be unpacked, be it a file or a folder. */
  nameOf: ReturnType<typeof createZipNamer>
}

/**
 * Finds where the files of each folder go. What lies in a folder that is left out lies in the outermost. Folders have
 * their names before files have: so an entry keeps its name, however many are asked for.
 */
async function listPlaces(
  db: Db,
  organizationId: string,
  rootId: string,
  walk: ReadableWalk,
): Promise<Map<string, Place>> {
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
  const places = new Map<string, Place>([[rootId, { path: '', nameOf: createZipNamer() }]])
  const below = [rootId]
  for (let parentId = below.pop(); parentId; parentId = below.pop()) {
    const { path, nameOf } = places.get(parentId)!
    for (const { id, name } of byParent.get(parentId) ?? []) {
      places.set(id, { path: `${path}${nameOf({ title: name, fileName: '' })}/`, nameOf: createZipNamer() })
      below.push(id)
    }
  }
  if (!isThere.has(rootId)) places.delete(rootId)
  return places
}

interface OfFolder {
  organizationId: string
  folderId: string
  rights: FileRights | undefined
}

const nextFiles = (db: Db, { organizationId, folderId, rights }: OfFolder, { after, limit }: PageOf<{ id: string }>) =>
  db
    .selectFrom('data_source')
    .select([
      'id',
      'title',
      'file_name as fileName',
      'blob_key as blobKey',
      'size_bytes as sizeBytes',
      'media_type as mediaType',
      'created_at as createdAt',
    ])
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('source_type', '=', 'document')
    .where(mayRead(rights))
    .where('id', '>', after?.id ?? '')
    .orderBy('id')
    .limit(limit)
    .execute()
