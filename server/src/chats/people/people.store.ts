import type { Db } from '../../db.ts'

const messagesBy = (db: Db, organizationId: string, virtualUserId: string) =>
  db.selectFrom('message').where('organization_id', '=', organizationId).where('virtual_user_id', '=', virtualUserId)

export interface PersonUsage {
  messages: number
  chats: number
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  reasoning_tokens: number
  first_message_at: string | null
  last_message_at: string | null
}

export async function findUsage(db: Db, organizationId: string, virtualUserId: string): Promise<PersonUsage> {
  const row = await messagesBy(db, organizationId, virtualUserId)
    .select(({ fn }) => [
      fn.countAll<number>().as('messages'),
      fn.count<number>('chat_id').distinct().as('chats'),
      fn.sum<number | null>('input_tokens').as('input_tokens'),
      fn.sum<number | null>('cached_input_tokens').as('cached_input_tokens'),
      fn.sum<number | null>('output_tokens').as('output_tokens'),
      fn.sum<number | null>('reasoning_tokens').as('reasoning_tokens'),
      fn.min<string | null>('created_at').as('first_message_at'),
      fn.max<string | null>('created_at').as('last_message_at'),
    ])
    .executeTakeFirstOrThrow()
  const { first_message_at, last_message_at, ...counts } = row
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value ?? 0)]))
  return {
    ...(numbers as Omit<PersonUsage, 'first_message_at' | 'last_message_at'>),
    first_message_at,
    last_message_at,
  }
}

/** Some of the messages that the person sent. */
export const listMessagesBy = (db: Db, organizationId: string, virtualUserId: string, limit: number) =>
  messagesBy(db, organizationId, virtualUserId).select(['id', 'chat_id', 'status', 'created_at']).limit(limit).execute()
