import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db.ts'
import { contains } from '../../platform/database/contains.ts'
import { slicesOf } from '../../platform/database/in-slices.ts'
import { foldCase } from '../../platform/text/text.ts'
import type { DataSourceStatus } from '../drive.tables.ts'
import { isFound } from './data-sources.found.ts'
import type { FileFilter } from './metadata/file-filters.schemas.ts'
import { meetsFilters } from './metadata/find-by-metadata.store.ts'
import { type FileRights, mayNotRead, mayRead } from './readers/file-rights.ts'

/** A file that is live and indexed: what it says may be shown. */
export interface SearchableDataSource {
  id: string
  title: string
  folderId: string
  /** JSON object. */
  metadata: string
  fileName: string
  mediaType: string
  parsedBlobKey: string | null
}

interface SearchedFiles {
  folderIds?: string[]
  filters?: readonly FileFilter[] | undefined
  rights: FileRights | undefined
}

/**
 * Ids among the given ones that may be shown: files of this organization, indexed, in a live folder, which is one of
 * `folderIds` if given, that meet every filter and that no list of readers hides. In no order.
 */
export async function findSearchableDataSources(
  db: Db,
  organizationId: string,
  ids: string[],
  { folderIds, filters = [], rights }: SearchedFiles,
): Promise<SearchableDataSource[]> {
  if (ids.length === 0 || folderIds?.length === 0) return []
  const rows = await db
    .selectFrom('data_source')
    .innerJoin('folder', 'folder.id', 'data_source.folder_id')
    .select([
      'data_source.id',
      'data_source.title',
      'data_source.folder_id as folderId',
      'data_source.metadata',
      'data_source.file_name as fileName',
      'data_source.media_type as mediaType',
      'data_source.parsed_blob_key as parsedBlobKey',
    ])
    .where('data_source.organization_id', '=', organizationId)
    .where('data_source.id', 'in', ids)
    .where(isFound)
    .where('folder.organization_id', '=', organizationId)
    .where('folder.deleted_at', 'is', null)
    .where(meetsFilters(organizationId, filters))
    .where(mayRead(rights))
    .execute()
  if (!folderIds) return rows
  // Not in the query: an organization may have more folders than a statement takes parameters.
  const inside = new Set(folderIds)
  return rows.filter((row) => inside.has(row.folderId))
}

/** Indexed files of these folders that the search engine still holds under another one: they were moved just now. */
export async function findMovedDataSources(db: Db, organizationId: string, folderIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('data_source')
    .select(['id', 'folder_id as folderId'])
    .where('organization_id', '=', organizationId)
    // Literals and not parameters, so that the partial index serves it.
    .where('status', '=', sql.lit('successful'))
    .whereRef('indexed_folder_id', '!=', 'folder_id')
    .execute()
  const inside = new Set(folderIds)
  return rows.filter((row) => inside.has(row.folderId)).map((row) => row.id)
}

/** Files of these folders that a list of readers hides. */
export async function findHiddenInFolders(
  db: Db,
  { organizationId, folderIds, rights }: ListedFolders,
): Promise<string[]> {
  if (!rights) return []
  const rows = await db
    .selectFrom('data_source')
    .select(['id', 'folder_id as folderId'])
    .where('organization_id', '=', organizationId)
    .where(mayNotRead(rights))
    .execute()
  const inside = new Set(folderIds)
  return rows.filter((row) => inside.has(row.folderId)).map((row) => row.id)
}

export interface FileEntry {
  id: string
  title: string
  folderId: string
  status: DataSourceStatus
}

export interface ListedFilesQuery {
  nameContains?: string
  filters?: readonly FileFilter[]
  limit: number
}

/** Place where files are listed, as in a tree of folders. */
interface ListedFolders {
  organizationId: string
  folderIds: string[]
  rights: FileRights | undefined
}

/**
 * The newest files of these folders that meet every filter, whatever their status, and how many there are in all. Many folders are gone
 * through in slices, between which the event loop turns.
 */
export async function listSearchableFiles(
  db: Db,
  { organizationId, folderIds: allFolderIds, rights }: ListedFolders,
  { nameContains = '', filters = [], limit }: ListedFilesQuery,
): Promise<{ files: FileEntry[]; total: number }> {
  const part = foldCase(nameContains)
  let newest: Dated[] = []
  let total = 0
  for (const folderIds of slicesOf(allFolderIds)) {
    const inFolders = db
      .selectFrom('data_source')
      .where('organization_id', '=', organizationId)
      .where('folder_id', 'in', folderIds)
      .where(meetsFilters(organizationId, filters))
      .where(mayRead(rights))
    const files = part ? inFolders.where(contains('title_key', part)) : inFolders
    const { count } = await files.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    if (Number(count) === 0) continue
    total += Number(count)
    // The index knows which ones they are; rows are read of those alone that are among the newest in the end.
    const among = newest.length < limit ? files : files.where('created_at', '>=', newest.at(-1)!.createdAt)
    const found = await among
      .select(['id', 'created_at as createdAt'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    newest = [...newest, ...found].sort(newerFirst).slice(0, limit)
    await yieldToEventLoop()
  }
  if (newest.length === 0) return { files: [], total }
  const ids = newest.map(({ id }) => id)
  const files = await db
    .selectFrom('data_source')
    .select(['id', 'title', 'folder_id as folderId', 'status'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { files, total }
}

type Dated = { id: string; createdAt: string }

const newerFirst = (a: Dated, b: Dated): number =>
  a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1
