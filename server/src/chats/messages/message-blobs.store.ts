import type { Tx } from '../../db.ts'
import type { BlobUses } from '../../drive/drive.ts'

/** Tables whose rows belong to a message and keep a blob alive. */
type BlobTable = 'message_file' | 'message_output'
const TABLES: BlobTable[] = ['message_file', 'message_output']

/** Deletes the rows of these messages. @returns the blob keys that they kept alive */
export const deleteBlobRows = async (
  tx: Tx,
  organizationId: string,
  messageIds: string[],
  tables: BlobTable[] = TABLES,
): Promise<string[]> => (messageIds.length === 0 ? [] : deleteRows(tx, organizationId, messageIds, tables))

/** Deletes the rows of all messages of a chat. @returns their blob keys */
export const deleteBlobRowsOfChat = (tx: Tx, organizationId: string, chatId: string): Promise<string[]> =>
  deleteRows(tx, organizationId, selectMessages(tx, organizationId, chatId), TABLES)

const selectMessages = (tx: Tx, organizationId: string, chatId: string) =>
  tx.selectFrom('message').select('id').where('organization_id', '=', organizationId).where('chat_id', '=', chatId)

async function deleteRows(
  tx: Tx,
  organizationId: string,
  messageIds: string[] | ReturnType<typeof selectMessages>,
  tables: BlobTable[],
): Promise<string[]> {
  const blobKeys: string[] = []
  for (const table of tables) {
    const rows = await tx
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('message_id', 'in', messageIds)
      .returning('blob_key')
      .execute()
    blobKeys.push(...rows.map((row) => row.blob_key))
  }
  return blobKeys
}

/** Blobs that messages need. */
export const messageBlobUses: BlobUses = async (db, organizationId, blobKeys) => {
  const used: string[] = []
  for (const table of TABLES) {
    const rows = await db
      .selectFrom(table)
      .select('blob_key')
      .where('organization_id', '=', organizationId)
      .where('blob_key', 'in', blobKeys)
      .execute()
    used.push(...rows.map((row) => row.blob_key))
  }
  return used
}
