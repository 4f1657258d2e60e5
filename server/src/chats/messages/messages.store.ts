import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { recountChats } from '../chat/threads.store.ts'
import type { MessageTable } from '../chats.tables.ts'

export type MessageRow = Selectable<MessageTable>

export const findMessage = (db: Db, organizationId: string, messageId: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom('message')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .executeTakeFirst()

export async function deleteMessage(
  tx: Tx,
  organizationId: string,
  { id, chat_id }: Pick<MessageRow, 'id' | 'chat_id'>,
): Promise<void> {
  await tx.deleteFrom('message').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  await recountChats(tx, organizationId, [chat_id])
}
