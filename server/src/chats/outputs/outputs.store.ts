import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { MessageOutputTable } from '../chats.tables.ts'

export interface OutputRecord {
  messageId: string
  key: string
  blobKey: string
  fileName: string
  mediaType: string
  sizeBytes: number
  createdAt: string
}

const toRecord = (row: Selectable<MessageOutputTable>): OutputRecord => ({
  messageId: row.message_id,
  key: row.key,
  blobKey: row.blob_key,
  fileName: row.file_name,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  createdAt: row.created_at,
})

export async function insertOutput(tx: Tx, organizationId: string, output: OutputRecord): Promise<void> {
  await tx
    .insertInto('message_output')
    .values({
      organization_id: organizationId,
      message_id: output.messageId,
      key: output.key,
      blob_key: output.blobKey,
      file_name: output.fileName,
      media_type: output.mediaType,
      size_bytes: output.sizeBytes,
      created_at: output.createdAt,
    })
    .execute()
}

/** Outputs of several messages, in the order in which they were made. */
export async function listOutputs(db: Db, organizationId: string, messageIds: string[]): Promise<OutputRecord[]> {
  const rows = await db
    .selectFrom('message_output')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', messageIds)
    .orderBy('message_id')
    .orderBy('created_at')
    .orderBy('key')
    .execute()
  return rows.map(toRecord)
}

export async function findOutput(
  db: Db,
  organizationId: string,
  messageId: string,
  key: string,
): Promise<OutputRecord | undefined> {
  const row = await db
    .selectFrom('message_output')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** Lets go of the outputs of a message but for these. @returns the blobs that they kept alive. */
export async function deleteOutputsExcept(
  tx: Tx,
  organizationId: string,
  messageId: string,
  keys: readonly string[],
): Promise<string[]> {
  let outputs = tx
    .deleteFrom('message_output')
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
  if (keys.length > 0) outputs = outputs.where('key', 'not in', keys)
  const rows = await outputs.returning('blob_key').execute()
  return rows.map((row) => row.blob_key)
}
