import type { Db, Tx } from '../db.ts'
import type { StoredAttachment } from '../retrieval/read-attachment.ts'

export async function insertMessageFiles(
  tx: Tx,
  organizationId: string,
  messageId: string,
  files: StoredAttachment[],
): Promise<void> {
  if (files.length === 0) return
  const rows = files.map((file, ordinal) => ({
    organization_id: organizationId,
    message_id: messageId,
    ordinal,
    upload_id: file.id,
    blob_key: file.blobKey,
    file_name: file.fileName,
    media_type: file.mediaType,
    size_bytes: file.sizeBytes,
  }))
  await tx.insertInto('message_file').values(rows).execute()
}

export async function listMessageFiles(db: Db, organizationId: string, messageId: string): Promise<StoredAttachment[]> {
  const rows = await db
    .selectFrom('message_file')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .orderBy('ordinal')
    .execute()
  return rows.map((row) => ({
    id: row.upload_id,
    blobKey: row.blob_key,
    fileName: row.file_name,
    mediaType: row.media_type,
    sizeBytes: row.size_bytes,
  }))
}
