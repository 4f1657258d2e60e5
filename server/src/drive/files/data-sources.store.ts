import type { Selectable, Updateable } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { DataSourceTable } from '../drive.tables.ts'

export type DataSource = Selectable<DataSourceTable>

const insertRow = prepared<Tables, DataSource, unknown>((db, row) =>
  db.insertInto('data_source').values({
    id: row.id,
    organization_id: row.organization_id,
    folder_id: row.folder_id,
    title: row.title,
    title_key: row.title_key,
    source_type: row.source_type,
    status: row.status,
    status_reason: row.status_reason,
    blob_key: row.blob_key,
    file_name: row.file_name,
    media_type: row.media_type,
    size_bytes: row.size_bytes,
    sha256: row.sha256,
    parsed_blob_key: row.parsed_blob_key,
    index_generation: row.index_generation,
    indexed_folder_id: row.indexed_folder_id,
    chunk_count: row.chunk_count,
    virtual_user_id: row.virtual_user_id,
    source_key: row.source_key,
    source_version: row.source_version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
)

export async function insertDataSource(
  tx: Tx,
  organizationId: string,
  dataSource: Omit<DataSource, 'organization_id'>,
): Promise<void> {
  await insertRow(tx, { ...dataSource, organization_id: organizationId })
}

/** Files among the ids that are in the folder, in no order. The caller knows that the folder is live. */
export const findDataSources = (db: Db, organizationId: string, folderId: string, ids: string[]) =>
  db
    .selectFrom('data_source')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('id', 'in', ids)
    .execute()

/** Finds files that nobody else changes before the end of the transaction. */
export const holdDataSources = (tx: Tx, organizationId: string, folderId: string, ids: string[]) =>
  tx
    .selectFrom('data_source')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()

export async function updateDataSource(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: Updateable<DataSourceTable>,
): Promise<void> {
  await tx
    .updateTable('data_source')
    .set(changes)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteDataSources(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  await tx.deleteFrom('data_source').where('organization_id', '=', organizationId).where('id', 'in', ids).execute()
}

/** Up to `limit` files of any of the folders, with the blobs that they keep alive. */
export const takeDataSources = (db: Db, organizationId: string, folderIds: string[], limit: number) =>
  db
    .selectFrom('data_source')
    .select(['id', 'blob_key', 'parsed_blob_key'])
    .where('organization_id', '=', organizationId)
    .where('folder_id', 'in', folderIds)
    .limit(limit)
    .execute()

/** The bytes that a file keeps alive: its own and its stored parse. */
export const blobKeysOf = (files: { blob_key: string; parsed_blob_key: string | null }[]): string[] => [
  ...new Set(files.flatMap((file) => [file.blob_key, file.parsed_blob_key ?? []].flat())),
]
