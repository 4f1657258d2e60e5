import type { Db, Tx } from '../db.ts'
import type { BlobUses } from '../drive/blob-uses.ts'
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

/** Lets go of the files of these messages. @returns the blobs that they kept alive. */
export async function deleteMessageFiles(tx: Tx, organizationId: string, messageIds: string[]): Promise<string[]> {
  if (messageIds.length === 0) return []
  const rows = await tx
    .deleteFrom('message_file')
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', messageIds)
    .returning('blob_key')
    .execute()
  return rows.map((row) => row.blob_key)
}

/** The same for all messages of a chat. */
export async function deleteFilesOfChat(tx: Tx, organizationId: string, chatId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('message_file')
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', (from) =>
      from
        .selectFrom('message')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('chat_id', '=', chatId),
    )
    .returning('blob_key')
    .execute()
  return rows.map((row) => row.blob_key)
}

/** What messages keep alive. */
export const messageBlobUses: BlobUses = async (db, organizationId, blobKeys) => {
  const rows = await db
    .selectFrom('message_file')
    .select('blob_key')
    .where('organization_id', '=', organizationId)
    .where('blob_key', 'in', blobKeys)
    .execute()
  return rows.map((row) => row.blob_key)
}
