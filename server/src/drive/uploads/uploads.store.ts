import type { Kysely } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'

/** Bytes that somebody sent, until they are put into a folder or expire. */
export interface Upload {
  id: string
  organizationId: string
  blobKey: string
  fileName: string
  mediaType: string
  sizeBytes: number
  sha256: string
  virtualUserId: string | null
  /** Workspace of the sender; null for an upload from before that was kept. */
  workspaceId: string | null
  /** The key, or the link of a visitor. */
  keyId: string | null
  sessionId: string | null
  visitorId: string | null
  createdAt: string
  expiresAt: string
}

const COLUMNS = [
  'id',
  'organization_id as organizationId',
  'blob_key as blobKey',
  'file_name as fileName',
  'media_type as mediaType',
  'size_bytes as sizeBytes',
  'sha256',
  'virtual_user_id as virtualUserId',
  'workspace_id as workspaceId',
  'key_id as keyId',
  'session_id as sessionId',
  'visitor_id as visitorId',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const

const insertRow = prepared<Tables, Upload, unknown>((db, upload) =>
  db.insertInto('upload').values({
    id: upload.id,
    organization_id: upload.organizationId,
    blob_key: upload.blobKey,
    file_name: upload.fileName,
    media_type: upload.mediaType,
    size_bytes: upload.sizeBytes,
    sha256: upload.sha256,
    virtual_user_id: upload.virtualUserId,
    workspace_id: upload.workspaceId,
    key_id: upload.keyId,
    session_id: upload.sessionId,
    visitor_id: upload.visitorId,
    created_at: upload.createdAt,
    expires_at: upload.expiresAt,
  }),
)

export async function insertUpload(tx: Tx, organizationId: string, upload: Upload): Promise<void> {
  await insertRow(tx, { ...upload, organizationId })
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
    .select(COLUMNS)
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
    .select(['id', 'organization_id as organizationId', 'blob_key as blobKey'])
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
