import type { Updateable } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { ContentOrigin, DataSourceStatus, DataSourceTable } from '../drive.tables.ts'
import { type FileRights, mayRead } from './readers/file-rights.ts'

/** A file in a folder. */
export interface DataSource {
  id: string
  organizationId: string
  folderId: string
  title: string
  /** Lower case, for searching by name. */
  titleKey: string
  sourceType: string
  status: DataSourceStatus
  statusReason: string | null
  blobKey: string
  fileName: string
  mediaType: string
  sizeBytes: number
  sha256: string
  /** The stored parse, from which the search index can be built again. */
  parsedBlobKey: string | null
  /** Raised each time that indexing is asked for: what an older request finds out is then of no interest. */
  indexGeneration: number
  /** Folder under which the search engine holds the passages; null while it holds none. */
  indexedFolderId: string | null
  chunkCount: number
  virtualUserId: string | null
  /** Id that the source of its integration gives it, within its folder. */
  sourceKey: string | null
  /** Differs when the source's content may differ. */
  sourceVersion: string | null
  /** JSON of `IndexingProgress`. */
  indexing: string | null
  /** JSON object; set by `setMetadata`. */
  metadata: string
  /** Number of its content, from 1. */
  version: number
  /**
   * Number of the content that searches continue to find while the newest cannot be found; null while nothing else is.
   */
  servedVersion: number | null
  /** The stored parse as the file was read, where the other one has changes by hand; else null. */
  readParseBlobKey: string | null
  /** Raised with each change of its passages by hand. */
  editsVersion: number
  /** List of who may read it, of those who may read its folder; null: all of them. */
  readerListId: string | null
  createdAt: string
  updatedAt: string
}

export const DATA_SOURCE_COLUMNS = [
  'id',
  'organization_id as organizationId',
  'folder_id as folderId',
  'title',
  'title_key as titleKey',
  'source_type as sourceType',
  'status',
  'status_reason as statusReason',
  'blob_key as blobKey',
  'file_name as fileName',
  'media_type as mediaType',
  'size_bytes as sizeBytes',
  'sha256',
  'parsed_blob_key as parsedBlobKey',
  'index_generation as indexGeneration',
  'indexed_folder_id as indexedFolderId',
  'chunk_count as chunkCount',
  'virtual_user_id as virtualUserId',
  'source_key as sourceKey',
  'source_version as sourceVersion',
  'indexing',
  'metadata',
  'version',
  'served_version as servedVersion',
  'read_parse_blob_key as readParseBlobKey',
  'edits_version as editsVersion',
  'reader_list_id as readerListId',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** How a file came to its content. */
export interface ContentNote {
  contentOrigin?: ContentOrigin
  contentKeyId?: string | null
  contentAt?: string
}

/** Columns that an update sets, and no others. */
export type DataSourceChanges = Partial<
  Omit<DataSource, 'id' | 'organizationId' | 'sourceType' | 'metadata' | 'createdAt'>
>

const toColumns = (file: DataSourceChanges & ContentNote): Updateable<DataSourceTable> => ({
  folder_id: file.folderId,
  title: file.title,
  title_key: file.titleKey,
  status: file.status,
  status_reason: file.statusReason,
  blob_key: file.blobKey,
  file_name: file.fileName,
  media_type: file.mediaType,
  size_bytes: file.sizeBytes,
  sha256: file.sha256,
  parsed_blob_key: file.parsedBlobKey,
  index_generation: file.indexGeneration,
  indexed_folder_id: file.indexedFolderId,
  chunk_count: file.chunkCount,
  source_key: file.sourceKey,
  source_version: file.sourceVersion,
  indexing: file.indexing,
  version: file.version,
  served_version: file.servedVersion,
  read_parse_blob_key: file.readParseBlobKey,
  edits_version: file.editsVersion,
  reader_list_id: file.readerListId,
  virtual_user_id: file.virtualUserId,
  content_origin: file.contentOrigin,
  content_key_id: file.contentKeyId,
  content_at: file.contentAt,
  updated_at: file.updatedAt,
})

type NewRow = Omit<DataSource, 'metadata' | 'version' | 'servedVersion' | 'readParseBlobKey' | 'editsVersion'> &
  Omit<Required<ContentNote>, 'contentAt'>

const insertRow = prepared<Tables, NewRow, unknown>((db, file) =>
  db.insertInto('data_source').values({
    id: file.id,
    organization_id: file.organizationId,
    folder_id: file.folderId,
    title: file.title,
    title_key: file.titleKey,
    source_type: file.sourceType,
    status: file.status,
    status_reason: file.statusReason,
    blob_key: file.blobKey,
    file_name: file.fileName,
    media_type: file.mediaType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    parsed_blob_key: file.parsedBlobKey,
    index_generation: file.indexGeneration,
    indexed_folder_id: file.indexedFolderId,
    chunk_count: file.chunkCount,
    virtual_user_id: file.virtualUserId,
    source_key: file.sourceKey,
    source_version: file.sourceVersion,
    indexing: file.indexing,
    content_origin: file.contentOrigin,
    content_key_id: file.contentKeyId,
    reader_list_id: file.readerListId,
    created_at: file.createdAt,
    updated_at: file.updatedAt,
  }),
)

export async function insertDataSource(
  tx: Tx,
  organizationId: string,
  dataSource: Omit<NewRow, 'organizationId'>,
): Promise<void> {
  await insertRow(tx, { ...dataSource, organizationId })
}

/** Place of files, and what of them somebody may read. */
export interface FilesAt {
  organizationId: string
  folderId: string
  rights: FileRights | undefined
}

type FilesIn = Omit<FilesAt, 'organizationId'>

/**
 * Files among the ids that are in the folder and may be read, in no order. The caller knows that the folder is live.
 */
export const findDataSources = (db: Db, organizationId: string, { folderId, rights }: FilesIn, ids: string[]) =>
  db
    .selectFrom('data_source')
    .select(DATA_SOURCE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('id', 'in', ids)
    .where(mayRead(rights))
    .execute()

/** Finds files that may be read, and that nobody else changes before the end of the transaction. */
export const holdDataSources = (tx: Tx, organizationId: string, { folderId, rights }: FilesIn, ids: string[]) =>
  tx
    .selectFrom('data_source')
    .select(DATA_SOURCE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('id', 'in', ids)
    .where(mayRead(rights))
    .orderBy('id')
    .forUpdate()
    .execute()

/** Key of who gave a file its content, if it is known. */
export async function findContentKey(db: Db, organizationId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('data_source')
    .select('content_key_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.content_key_id ?? null
}

export async function updateDataSource(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: DataSourceChanges & ContentNote,
): Promise<void> {
  await tx
    .updateTable('data_source')
    .set(toColumns(changes))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** @returns stored parses of theirs beside those of `parsedBlobKey` */
export async function deleteDataSources(tx: Tx, organizationId: string, ids: string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('data_source')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .returning('read_parse_blob_key as key')
    .execute()
  return rows.flatMap(({ key }) => key ?? [])
}

/** Selects up to `limit` files of any of the folders, with the blobs that they keep alive. */
export const takeDataSources = (db: Db, organizationId: string, folderIds: string[], limit: number) =>
  db
    .selectFrom('data_source')
    .select(['id', 'blob_key as blobKey', 'parsed_blob_key as parsedBlobKey'])
    .where('organization_id', '=', organizationId)
    .where('folder_id', 'in', folderIds)
    .limit(limit)
    .execute()

/** The bytes that a file keeps alive: its own and its stored parse. */
export const blobKeysOf = (files: { blobKey: string; parsedBlobKey: string | null }[]): string[] => [
  ...new Set(files.flatMap((file) => [file.blobKey, file.parsedBlobKey ?? []].flat())),
]

/** Some files of an organization with their folders, and whether a list hides them from somebody with these rights. */
export async function listFoldersOfFiles(
  db: Db,
  organizationId: string,
  ids: string[],
  rights: FileRights | undefined,
): Promise<{ id: string; folderId: string; isHidden: boolean }[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('data_source')
    .select(['id', 'folder_id as folderId'])
    .select((select) => select.case().when(mayRead(rights)(select)).then(0).else(1).end().as('isHidden'))
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return rows.map((row) => ({ ...row, isHidden: row.isHidden === 1 }))
}
