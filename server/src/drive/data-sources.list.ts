import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { contains } from '../platform/database/contains.ts'
import { foldCase } from '../platform/text.ts'
import type { DataSource } from './data-sources.store.ts'
import type { Folder } from './folders.store.ts'

export interface ListFilter {
  /** Folders whose files are listed. */
  folderIds: string[]
  /** Folders that are listed themselves. */
  subFolderIds: string[]
  /** Part of the title or folder name, whatever its case. */
  search: string | undefined
  limit: number
  offset: number
}

export type ListedItem = { kind: 'file'; file: DataSource } | { kind: 'folder'; folder: Folder }

/** One page of files and folders, newest first, and how many there are over all pages. */
export async function listContents(
  db: Db,
  organizationId: string,
  filter: ListFilter,
): Promise<{ items: ListedItem[]; total: number; successful: number }> {
  const { limit, offset } = filter
  const search = foldCase(filter.search ?? '')
  const files = matchingFiles(db, organizationId, filter.folderIds, search)
  const folders = matchingFolders(db, organizationId, filter.subFolderIds, search)
  const counts = await files
    .select((select) => [
      select.fn.countAll<number>().as('total'),
      select.fn.sum<number | null>(sql`case when status = 'successful' then 1 else 0 end`).as('successful'),
    ])
    .executeTakeFirstOrThrow()
  const folderCount = folders
    ? Number(
        (await folders.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total,
      )
    : 0

  const found = files.select(['id', 'created_at', sql<number>`0`.as('is_folder')])
  const rows = await (folders
    ? found.unionAll(folders.select(['id', 'created_at', sql<number>`1`.as('is_folder')]))
    : found
  )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return {
    items: await readItems(db, organizationId, rows),
    total: Number(counts.total) + folderCount,
    successful: Number(counts.successful ?? 0),
  }
}

function matchingFiles(db: Db, organizationId: string, folderIds: string[], search: string) {
  const files = db
    .selectFrom('data_source')
    .where('organization_id', '=', organizationId)
    .where('folder_id', 'in', folderIds)
  return search ? files.where(contains('title_key', search)) : files
}

function matchingFolders(db: Db, organizationId: string, folderIds: string[], search: string) {
  if (folderIds.length === 0) return undefined
  const folders = db.selectFrom('folder').where('organization_id', '=', organizationId).where('id', 'in', folderIds)
  return search ? folders.where(contains('name_key', search)) : folders
}

/** The whole rows of a page, in its order. */
async function readItems(
  db: Db,
  organizationId: string,
  rows: { id: string; is_folder: number }[],
): Promise<ListedItem[]> {
  const idsOf = (isFolder: boolean) => rows.filter((row) => !!row.is_folder === isFolder).map((row) => row.id)
  const fileIds = idsOf(false)
  const folderIds = idsOf(true)
  const items = new Map<string, ListedItem>()
  if (fileIds.length > 0) {
    const files = await db
      .selectFrom('data_source')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', 'in', fileIds)
      .execute()
    for (const file of files) items.set(file.id, { kind: 'file', file })
  }
  if (folderIds.length > 0) {
    const folders = await db
      .selectFrom('folder')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', 'in', folderIds)
      .execute()
    for (const folder of folders) items.set(folder.id, { kind: 'folder', folder })
  }
  return rows.flatMap((row) => items.get(row.id) ?? [])
}
