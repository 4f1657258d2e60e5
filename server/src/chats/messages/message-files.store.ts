import type { Db, Tx } from '../../db.ts'
import type { StoredAttachment } from '../../retrieval/retrieval.ts'
import type { MessageFileTable } from '../chats.tables.ts'

export async function insertMessageFiles(
  tx: Tx,
  organizationId: string,
  message: { id: string; chatId: string },
  files: StoredAttachment[],
): Promise<void> {
  if (files.length === 0) return
  const rows = files.map((file, ordinal) => ({
    organization_id: organizationId,
    chat_id: message.chatId,
    message_id: message.id,
    ordinal,
    upload_id: file.id,
    blob_key: file.blobKey,
    file_name: file.fileName,
    media_type: file.mediaType,
    size_bytes: file.sizeBytes,
  }))
  await tx.insertInto('message_file').values(rows).execute()
  await tx
    .updateTable('chat')
    .set({ has_files: 1 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', message.chatId)
    .execute()
}

/** A file of the chat, with the message that it came with. */
export interface ChatFile extends StoredAttachment {
  messageId: string
}

/** Nearest messages among which files are looked for. */
const MOST_AMONG = 1000

/**
 * Files sent with the messages of a chat, the newest message first.
 * @param among only with these messages, the nearest first
 */
export async function listChatFiles(
  db: Db,
  organizationId: string,
  chatId: string,
  { among, limit }: { among?: string[] | undefined; limit: number },
): Promise<ChatFile[]> {
  // Callers may choose the ids of messages, so ids give no order.
  const rows = await db
    .selectFrom('message_file')
    .innerJoin('message', (join) =>
      join
        .onRef('message.organization_id', '=', 'message_file.organization_id')
        .onRef('message.id', '=', 'message_file.message_id'),
    )
    .selectAll('message_file')
    .where('message_file.organization_id', '=', organizationId)
    .where('message_file.chat_id', '=', chatId)
    .where((where) => (among ? where('message_file.message_id', 'in', among.slice(0, MOST_AMONG)) : where.lit(true)))
    .orderBy('message.created_at', 'desc')
    .orderBy('message.id', 'desc')
    .orderBy('message_file.ordinal')
    .limit(limit)
    .execute()
  return rows.map(toChatFile)
}

const toChatFile = (row: MessageFileTable): ChatFile => ({
  messageId: row.message_id,
  id: row.upload_id,
  blobKey: row.blob_key,
  fileName: row.file_name,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
})

/** Files sent with some messages, in order. */
export async function listFilesOfMessages(db: Db, organizationId: string, messageIds: string[]): Promise<ChatFile[]> {
  if (messageIds.length === 0) return []
  const rows = await db
    .selectFrom('message_file')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', messageIds)
    .orderBy('ordinal')
    .execute()
  return rows.map(toChatFile)
}
