import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { contains } from '../platform/database/contains.ts'
import { foldCase } from '../platform/text.ts'
import type { DataSourceStatus } from './drive.tables.ts'
import { withLiveTree } from './folder-tree.ts'

/** A file that is live and indexed: what it says may be shown. */
export interface SearchableDataSource {
  id: string
  title: string
  folderId: string
  fileName: string
  mediaType: string
  parsedBlobKey: string | null
}

/**
 * Those of the ids that may be shown: files of this organization, indexed, in a live folder, which is one of
 * `folderIds` where that is given. In no order.
 */
export async function findSearchableDataSources(
  db: Db,
  organizationId: string,
  ids: string[],
  folderIds?: string[],
): Promise<SearchableDataSource[]> {
  if (ids.length === 0 || folderIds?.length === 0) return []
  const rows = await db
    .selectFrom('data_source')
    .innerJoin('folder', 'folder.id', 'data_source.folder_id')
    .select([
      'data_source.id',
      'data_source.title',
      'data_source.folder_id as folderId',
      'data_source.file_name as fileName',
      'data_source.media_type as mediaType',
      'data_source.parsed_blob_key as parsedBlobKey',
    ])
    .where('data_source.organization_id', '=', organizationId)
    .where('data_source.id', 'in', ids)
    .where('data_source.status', '=', 'successful')
    .where('folder.organization_id', '=', organizationId)
    .where('folder.deleted_at', 'is', null)
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
    .select(['id', 'folder_id'])
    .where('organization_id', '=', organizationId)
    // Literals and not parameters, so that the partial index serves it.
    .where('status', '=', sql.lit('successful'))
    .whereRef('indexed_folder_id', '!=', 'folder_id')
    .execute()
  const inside = new Set(folderIds)
  return rows.filter((row) => inside.has(row.folder_id)).map((row) => row.id)
}

export interface FileEntry {
  id: string
  title: string
  folderId: string
  status: DataSourceStatus
}

/**
 * The newest files of these live folders and of all below them, whatever their status, and how many there are in all.
 * The tree is walked inside the statement, which so stays short however large the tree is.
 */
export async function listSearchableFiles(
  db: Db,
  organizationId: string,
  rootFolderIds: string[],
  { nameContains = '', limit }: { nameContains?: string; limit: number },
): Promise<{ files: FileEntry[]; total: number }> {
  if (rootFolderIds.length === 0) return { files: [], total: 0 }
  const part = foldCase(nameContains)
  const tree = withLiveTree(db, organizationId, rootFolderIds)
  const files = tree
    .selectFrom('data_source')
    .where('data_source.organization_id', '=', organizationId)
    .where('data_source.folder_id', 'in', (select) => select.selectFrom('tree').select('tree.id'))
  const matching = part ? files.where(contains('title_key', part)) : files
  // Counted along, so that the tree is walked once. The index knows which ones they are; only of those are rows read.
  const newest = await matching
    .select(['data_source.id', sql<number>`count(*) over ()`.as('total')])
    .orderBy('created_at', 'desc')
    .orderBy('data_source.id', 'desc')
    .limit(limit)
    .execute()
  const ids = newest.map((row) => row.id)
  const rows = await db
    .selectFrom('data_source')
    .select(['id', 'title', 'folder_id as folderId', 'status'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { files: rows, total: Number(newest[0]?.total ?? 0) }
}
