import { type QueryCreator, sql } from 'kysely'
import type { Db, Tables } from '../../db.ts'
import { contains } from '../../platform/database/contains.ts'
import { foldCase } from '../../platform/text/text.ts'
import { withLiveTree } from '../folders/folder-tree.ts'
import { FOLDER_COLUMNS, type Folder, toFolder } from '../folders/folders.store.ts'
import type { ReadableWalk } from '../folders/reader-rights.ts'
import { DATA_SOURCE_COLUMNS, type DataSource } from './data-sources.store.ts'
import type { FileFilter } from './metadata/file-filters.schemas.ts'
import { meetsFilters } from './metadata/find-by-metadata.store.ts'
import { type FileRights, mayRead } from './readers/file-rights.ts'

export interface ListFilter {
  folderId: string
  /** Walk of a recursive listing; absent: from the folder down, without stops. */
  walk?: ReadableWalk | undefined
  /** Includes all folders below it and their content. */
  recursive: boolean
  /** Part of the title or folder name, whatever its case. */
  search: string | undefined
  /** Selects only files whose metadata matches, and then no folders. */
  filter?: FileFilter | undefined
  /** Rights to files of the person who lists. */
  rights: FileRights | undefined
  limit: number
  offset: number
  orderBy: 'created_at' | 'title' | 'size_bytes'
  order: 'asc' | 'desc'
}

export type ListedItem = { kind: 'file'; file: DataSource } | { kind: 'folder'; folder: Folder }

export interface Listing {
  items: ListedItem[]
  /** Files and folders over all pages, and how many of the files are indexed. */
  total: number
  successful: number
  /** Folders that were looked into. */
  folders: number
}

/**
 * One page of files and folders. A tree is walked inside each statement: a list of its folders would make
 * every one as long as the tree is large.
 */
export async function listContents(db: Db, organizationId: string, filter: ListFilter): Promise<Listing> {
  const search = foldCase(filter.search ?? '')
  return filter.recursive
    ? listTree(db, organizationId, { ...filter, search })
    : listFolder(db, organizationId, { ...filter, search })
}

type Wanted = ListFilter & { search: string }

const COUNT = sql<number>`count(*)`.as('total')
const COUNTS = [COUNT, sql<number | null>`sum(case when status = 'successful' then 1 else 0 end)`.as('successful')]

/** Keys that a listing is ordered by, of files and of folders alike. */
const keysOf = (isFolder: 0 | 1, orderBy: ListFilter['orderBy']) => {
  const columns = { created_at: 'created_at', title: isFolder ? 'name_key' : 'title_key', size_bytes: 'size_bytes' }
  const isSizeOfFolder = orderBy === 'size_bytes' && isFolder
  const key = isSizeOfFolder ? sql<string | number>`0` : sql<string | number>`${sql.ref(columns[orderBy])}`
  return ['id', key.as('key'), sql<number>`${sql.lit(isFolder)}`.as('is_folder')] as const
}

async function listFolder(
  db: Db,
  organizationId: string,
  { folderId, limit, offset, orderBy, order, ...wanted }: Wanted,
): Promise<Listing> {
  const files = selectFiles(db, organizationId, wanted).where('folder_id', '=', folderId)
  const counts = await files.select(COUNTS).executeTakeFirstOrThrow()
  const rows = await files
    .select(keysOf(0, orderBy))
    .orderBy(sql.ref(orderBy === 'title' ? 'title_key' : orderBy), order)
    .orderBy('id', order)
    .limit(limit)
    .offset(offset)
    .execute()
  const items = await readItems(db, organizationId, rows)
  return { items, total: Number(counts.total), successful: Number(counts.successful ?? 0), folders: 1 }
}

async function listTree(
  db: Db,
  organizationId: string,
  { folderId, walk, search, filter, rights, limit, offset, orderBy, order }: Wanted,
): Promise<Listing> {
  const tree = withLiveTree(db, organizationId, walk?.roots ?? [folderId], walk?.stops)
  const filesIn = (from: typeof tree) =>
    selectFiles(from, organizationId, { search, filter, rights }).where(
      'folder_id',
      'in',
      sql<string>`(select id from tree)`,
    )
  const foldersIn = (from: typeof tree) =>
    selectFolders(from, organizationId, search)
      .where('id', 'in', sql<string>`(select id from tree)`)
      .where('id', '!=', folderId)
      .$if(filter !== undefined, (none) => none.where(sql<boolean>`1 = 0`))

  const counts = await filesIn(tree)
    .select([...COUNTS, sql<number>`(select count(*) from tree)`.as('folders')])
    .executeTakeFirstOrThrow()
  const folders = Number(counts.folders)
  const listed =
    search || filter ? Number((await foldersIn(tree).select(COUNT).executeTakeFirstOrThrow()).total) : folders - 1
  const total = Number(counts.total) + listed
  const page = fromNearerEnd(total, { limit, offset, order })
  const rows = await tree
    .with('found', (from) =>
      filesIn(from)
        .select(keysOf(0, orderBy))
        .unionAll(foldersIn(from).select(keysOf(1, orderBy))),
    )
    .selectFrom('found')
    .selectAll()
    .orderBy('key', page.order)
    .orderBy('id', page.order)
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  if (page.order !== order) rows.reverse()
  return {
    items: await readItems(db, organizationId, rows),
    total,
    successful: Number(counts.successful ?? 0),
    folders,
  }
}

/** A page in the second half is read backwards: what is sorted is only what lies between the page and the end. */
function fromNearerEnd(total: number, { limit, offset, order }: Pick<ListFilter, 'limit' | 'offset' | 'order'>) {
  if (offset <= total / 2) return { order, limit, offset }
  const end = Math.min(total, offset + limit)
  const backwards = order === 'asc' ? ('desc' as const) : ('asc' as const)
  return { order: backwards, limit: Math.max(0, end - offset), offset: total - end }
}

function selectFiles(
  from: QueryCreator<Tables>,
  organizationId: string,
  { search, filter, rights }: Pick<Wanted, 'search' | 'filter' | 'rights'>,
) {
  const all = from.selectFrom('data_source').where('organization_id', '=', organizationId).where(mayRead(rights))
  const files = filter ? all.where(meetsFilters(organizationId, [filter])) : all
  return search ? files.where(contains('title_key', search)) : files
}

function selectFolders(from: QueryCreator<Tables>, organizationId: string, search: string) {
  const folders = from.selectFrom('folder').where('organization_id', '=', organizationId)
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
      .select(DATA_SOURCE_COLUMNS)
      .where('organization_id', '=', organizationId)
      .where('id', 'in', fileIds)
      .execute()
    for (const file of files) items.set(file.id, { kind: 'file', file })
  }
  if (folderIds.length > 0) {
    const folders = await db
      .selectFrom('folder')
      .select(FOLDER_COLUMNS)
      .where('organization_id', '=', organizationId)
      .where('id', 'in', folderIds)
      .execute()
    for (const row of folders) items.set(row.id, { kind: 'folder', folder: toFolder(row) })
  }
  return rows.flatMap((row) => items.get(row.id) ?? [])
}
