import type { Tx } from '../../db.ts'

export async function deleteMessages(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  await tx.deleteFrom('message').where('organization_id', '=', organizationId).where('id', 'in', ids).execute()
}

/** Removes those of the chats that hold no message any more. @returns how many. */
export async function deleteEmptyChats(tx: Tx, organizationId: string, chatIds: string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('chat')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', chatIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('message')
            .select('message.id')
            .where('message.organization_id', '=', organizationId)
            .whereRef('message.chat_id', '=', 'chat.id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
