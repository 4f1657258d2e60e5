import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { acrossOrganizations } from '../platform/database/across-organizations.ts'
import type { UploadTable } from './drive.tables.ts'

export type Upload = Selectable<UploadTable>

export async function insertUpload(
  tx: Tx,
  organizationId: string,
  upload: Omit<Insertable<UploadTable>, 'organization_id'>,
): Promise<void> {
  await tx
    .insertInto('upload')
    .values({ ...upload, organization_id: organizationId })
    .execute()
}

/** An upload that has not expired. It stays until the end of the transaction, which may copy what it refers to. */
export const holdUpload = (tx: Tx, organizationId: string, uploadId: string, now: string) =>
  tx
    .selectFrom('upload')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', uploadId)
    .where('expires_at', '>', now)
    .forShare()
    .executeTakeFirst()

/** Uploads of all organizations that have expired, the oldest first. */
export const listExpiredUploads = (db: Db, now: string, limit: number) =>
  acrossOrganizations(db)
    .selectFrom('upload')
    .select(['id', 'organization_id', 'blob_key'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()

export async function deleteUploads(tx: Tx, organizationId: string, uploadIds: string[]): Promise<void> {
  await tx.deleteFrom('upload').where('organization_id', '=', organizationId).where('id', 'in', uploadIds).execute()
}
