import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { MessageOutputTable } from '../chats.tables.ts'

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
