import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
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
