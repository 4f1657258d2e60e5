import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { DataSourceTable } from './drive.tables.ts'

export type DataSource = Selectable<DataSourceTable>

export async function insertDataSource(
  tx: Tx,
  organizationId: string,
  dataSource: Omit<Insertable<DataSourceTable>, 'organization_id'>,
): Promise<void> {
  await tx
    .insertInto('data_source')
    .values({ ...dataSource, organization_id: organizationId })
    .execute()
}

/** Those of the ids that are in the folder, in no order. The caller knows that the folder is live. */
export const findDataSources = (db: Db, organizationId: string, folderId: string, ids: string[]) =>
  db
    .selectFrom('data_source')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('id', 'in', ids)
    .execute()

/** The same, and nobody else changes them before the end of the transaction. */
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
