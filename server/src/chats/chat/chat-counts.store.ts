import { sql } from 'kysely'
import type { Tx } from '../../db.ts'
import { countTokensRow } from './threads.store.ts'

/** A message was answered. */
export async function countTokens(tx: Tx, organizationId: string, chatId: string, tokens: number): Promise<void> {
  await countTokensRow(tx, { organizationId, chatId, tokens })
}

/** Messages of these chats went. */
export async function recountChats(tx: Tx, organizationId: string, chatIds: string[]): Promise<void> {
  for (const chatId of [...new Set(chatIds)].sort()) {
    // Held before it is counted: a message that is just coming counts itself.
    await tx
      .selectFrom('chat')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '=', chatId)
      .forUpdate()
      .execute()
    const { messages, tokens, last } = await tx
      .selectFrom('message')
      .select(({ fn }) => [
        fn.countAll<number>().as('messages'),
        fn.sum<number | null>(sql`input_tokens + output_tokens`).as('tokens'),
        fn.max<string | null>('created_at').as('last'),
      ])
      .where('organization_id', '=', organizationId)
      .where('chat_id', '=', chatId)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('chat')
      .set({ message_count: Number(messages), total_tokens: Number(tokens ?? 0), last_message_at: last })
      .where('organization_id', '=', organizationId)
      .where('id', '=', chatId)
      .execute()
  }
}
