import type { Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../db.ts'
import { acrossOrganizations } from '../platform/database/across-organizations.ts'
import { prepared } from '../platform/database/prepared.ts'
import type { UploadTable } from './drive.tables.ts'

export type Upload = Selectable<UploadTable>

const insertRow = prepared<Tables, Upload, unknown>((db, row) =>
  db.insertInto('upload').values({
    id: row.id,
    organization_id: row.organization_id,
    blob_key: row.blob_key,
    file_name: row.file_name,
    media_type: row.media_type,
    size_bytes: row.size_bytes,
    sha256: row.sha256,
    virtual_user_id: row.virtual_user_id,
    created_at: row.created_at,
    expires_at: row.expires_at,
  }),
)

export async function insertUpload(tx: Tx, organizationId: string, upload: Upload): Promise<void> {
  await insertRow(tx, { ...upload, organization_id: organizationId })
}

interface LiveUpload {
  organizationId: string
  uploadId: string
  now: string
}

const liveUpload = prepared<Tables, LiveUpload, Upload>((db, { organizationId, uploadId, now }) =>
  db
    .selectFrom('upload')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', uploadId)
    .where('expires_at', '>', now)
    .forShare(),
)

/** An upload that has not expired. It stays until the end of the transaction, which may copy what it refers to. */
export async function holdUpload(
  tx: Tx,
  organizationId: string,
  uploadId: string,
  now: string,
): Promise<Upload | undefined> {
  const { rows } = await liveUpload(tx, { organizationId, uploadId, now })
  return rows[0]
}

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
