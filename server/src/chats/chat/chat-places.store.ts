import type { Tx } from '../../db.ts'
import { countMessageRow, toChatPlace } from './threads.store.ts'

/** Place and time of an accepted message in its chat. */
export interface ChatPlace {
  /** Place of the message; 0 for a chat that is gone. */
  place: number
  /** ISO time, never earlier than of the messages before it: it orders the chat, whatever the clocks of its hosts. */
  createdAt: string
  /** Whether the chat has files from messages before it. */
  hasFiles: boolean
  /** Last message of the branch that was shown until then; null for a chat without branches. */
  leafId: string | null
  /** Project that the chat is in. */
  projectId: string | null
}

/**
 * Counts a message that came. From here to its end the transaction keeps all others from adding to the chat.
 * @param at by the clock of this host
 */
export async function countMessageOfChat(
  tx: Tx,
  organizationId: string,
  chatId: string,
  at: string,
): Promise<ChatPlace> {
  const { rows } = await countMessageRow(tx, { organizationId, chatId, at })
  if (rows[0]) return toChatPlace(rows[0], at)
  // The last message came from a host whose clock is ahead.
  const chat = await tx
    .selectFrom('chat')
    .select('last_message_at')
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .forUpdate()
    .executeTakeFirst()
  if (!chat?.last_message_at) return { place: 0, createdAt: at, hasFiles: false, leafId: null, projectId: null }
  const createdAt = new Date(Date.parse(chat.last_message_at) + 1).toISOString()
  const [counted] = (await countMessageRow(tx, { organizationId, chatId, at: createdAt })).rows
  return toChatPlace(counted!, createdAt)
}

/** Takes the last place of the chat, for a message that is resumed. */
export async function takeLastPlace(tx: Tx, organizationId: string, chatId: string): Promise<number> {
  const chat = await tx
    .updateTable('chat')
    .set(({ eb }) => ({ last_place: eb('last_place', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .returning('last_place')
    .executeTakeFirst()
  return chat?.last_place ?? 0
}
