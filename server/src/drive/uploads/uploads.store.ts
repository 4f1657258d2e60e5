import type { Kysely, Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { UploadTable } from '../drive.tables.ts'

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
    workspace_id: row.workspace_id,
    key_id: row.key_id,
    session_id: row.session_id,
    visitor_id: row.visitor_id,
    created_at: row.created_at,
    expires_at: row.expires_at,
  }),
)

export async function insertUpload(tx: Tx, organizationId: string, upload: Upload): Promise<void> {
  await insertRow(tx, { ...upload, organization_id: organizationId })
}

/** Uploads that somebody may use: a visitor's own, those of some virtual users, those of one key, or all of a workspace. */
export type UploadScope =
  | { kind: 'visitor'; keyId: string; visitorId: string }
  | { kind: 'virtual users'; workspaceId: string; virtualUserIds: readonly string[] }
  | { kind: 'key'; workspaceId: string; keyId: string }
  | { kind: 'workspace'; workspaceId: string }

interface LiveUpload {
  organizationId: string
  uploadId: string
  now: string
}

const liveUpload = (db: Kysely<Tables>, { organizationId, uploadId, now }: LiveUpload) =>
  db
    .selectFrom('upload')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', uploadId)
    .where('expires_at', '>', now)
    .forShare()

const statements = {
  visitor: prepared<Tables, LiveUpload & { keyId: string; visitorId: string }, Upload>((db, key) =>
    liveUpload(db, key).where('key_id', '=', key.keyId).where('visitor_id', '=', key.visitorId),
  ),
  key: prepared<Tables, LiveUpload & { workspaceId: string; keyId: string }, Upload>((db, key) =>
    liveUpload(db, key).where('workspace_id', '=', key.workspaceId).where('key_id', '=', key.keyId),
  ),
  // Uploads from before they had owners belong to the whole organization, for as long as they live.
  workspace: prepared<Tables, LiveUpload & { workspaceId: string }, Upload>((db, key) =>
    liveUpload(db, key).where((where) =>
      where.or([where('workspace_id', '=', key.workspaceId), where('workspace_id', 'is', null)]),
    ),
  ),
}

/**
 * An upload that has not expired and may be used. It stays until the end of the transaction, which may copy what it
 * refers to.
 */
export async function holdUpload(
  tx: Tx,
  organizationId: string,
  scope: UploadScope,
  uploadId: string,
  now: string,
): Promise<Upload | undefined> {
  const key = { organizationId, uploadId, now }
  if (scope.kind === 'virtual users')
    return liveUpload(tx, key)
      .where('workspace_id', '=', scope.workspaceId)
      .where('virtual_user_id', 'in', scope.virtualUserIds)
      .executeTakeFirst()
  const { rows } =
    scope.kind === 'visitor'
      ? await statements.visitor(tx, { ...key, ...scope })
      : scope.kind === 'key'
        ? await statements.key(tx, { ...key, ...scope })
        : await statements.workspace(tx, { ...key, ...scope })
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

/** Lets go of the uploads with these bytes. */
export async function deleteUploadsOf(tx: Tx, organizationId: string, blobKeys: string[]): Promise<void> {
  await tx
    .deleteFrom('upload')
    .where('organization_id', '=', organizationId)
    .where('blob_key', 'in', blobKeys)
    .execute()
}
