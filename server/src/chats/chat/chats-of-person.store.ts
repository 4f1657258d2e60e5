import type { Tx } from '../../db.ts'

/** Makes the chats of one virtual user those of another. */
export async function moveChatsOf(tx: Tx, organizationId: string, fromId: string, toId: string): Promise<void> {
  await tx
    .updateTable('chat')
    .set({ virtual_user_id: toId })
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', fromId)
    .execute()
}

/** Removes the chats of a virtual user whose messages are gone. @returns how many */
export async function deleteChatsOf(tx: Tx, organizationId: string, virtualUserId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('chat')
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
