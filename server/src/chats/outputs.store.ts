import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { BlobUses } from '../drive/blob-uses.ts'
import type { MessageOutputTable } from './chats.tables.ts'

export type OutputRow = Selectable<MessageOutputTable>

export async function insertOutput(
  tx: Tx,
  organizationId: string,
  output: Omit<OutputRow, 'organization_id'>,
): Promise<void> {
  await tx
    .insertInto('message_output')
    .values({ ...output, organization_id: organizationId })
    .execute()
}

/** Outputs of several messages, in the order in which they were made. */
export const listOutputs = (db: Db, organizationId: string, messageIds: string[]): Promise<OutputRow[]> =>
  db
    .selectFrom('message_output')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', messageIds)
    .orderBy('message_id')
    .orderBy('created_at')
    .orderBy('key')
    .execute()

export const findOutput = (db: Db, organizationId: string, messageId: string, key: string) =>
  db
    .selectFrom('message_output')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .where('key', '=', key)
    .executeTakeFirst()

/** @returns the blobs that they kept alive. */
export async function deleteOutputs(tx: Tx, organizationId: string, messageIds: string[]): Promise<string[]> {
  if (messageIds.length === 0) return []
  const rows = await tx
    .deleteFrom('message_output')
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', messageIds)
    .returning('blob_key')
    .execute()
  return rows.map((row) => row.blob_key)
}

export async function deleteOutputsOfChat(tx: Tx, organizationId: string, chatId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('message_output')
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

/** What messages' outputs keep alive. */
export const outputBlobUses: BlobUses = async (db, organizationId, blobKeys) => {
  const rows = await db
    .selectFrom('message_output')
    .select('blob_key')
    .where('organization_id', '=', organizationId)
    .where('blob_key', 'in', blobKeys)
    .execute()
  return rows.map((row) => row.blob_key)
}
