import type { Kysely } from 'kysely'
import type { Db, Tables } from '../../db.ts'
import { prepared } from '../../platform/database/prepared.ts'
import type { Place } from './memory.store.ts'

/** A question and what was answered to it, whole or in part. */
export interface Turn extends Place {
  query: string
  response: string
}

const messagesOf = (db: Kysely<Tables>, organizationId: string, chatId: string) =>
  db.selectFrom('message').where('organization_id', '=', organizationId).where('chat_id', '=', chatId)

/** What a turn is made of: a message that failed without a word is none. */
const turnsOf = (db: Kysely<Tables>, organizationId: string, chatId: string) =>
  messagesOf(db, organizationId, chatId)
    .select(['id', 'created_at as createdAt', 'query', 'response'])
    .where('status', '=', 'completed')
    .where('response', '!=', '')

interface Newest {
  organizationId: string
  chatId: string
  messageId: string
  limit: number
}

const newestBeforeMessage = prepared<Tables, Newest, Turn>((db, { organizationId, chatId, messageId, limit }) =>
  turnsOf(db, organizationId, chatId)
    .where('created_at', '<=', (where) =>
      where
        .selectFrom('message')
        .select('created_at')
        .where('organization_id', '=', organizationId)
        .where('id', '=', messageId),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit),
)

/** The newest turns before a message that is not answered yet, newest first. */
export const listTurnsBeforeMessage = async (db: Db, organizationId: string, of: Omit<Newest, 'organizationId'>) =>
  (await newestBeforeMessage(db, { organizationId, ...of })).rows

/** Turns newest first: all, or those before a place. */
export async function listTurnsBefore(
  db: Db,
  organizationId: string,
  chatId: string,
  before: Place | undefined,
  limit: number,
): Promise<Turn[]> {
  let turns = turnsOf(db, organizationId, chatId)
  if (before) {
    turns = turns
      // Said twice, because only this form lets the index find the place to start from.
      .where('created_at', '<=', before.createdAt)
      .where((where) => where.or([where('created_at', '<', before.createdAt), where('id', '<', before.id)]))
  }
  return turns.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Turns between two places, without them, oldest first. @param after the start of the chat if there is none */
export async function listTurnsBetween(
  db: Db,
  organizationId: string,
  chatId: string,
  { after, before, limit }: { after: Place | undefined; before: Place; limit: number },
): Promise<Turn[]> {
  let turns = turnsOf(db, organizationId, chatId)
    .where('created_at', '<=', before.createdAt)
    .where((where) => where.or([where('created_at', '<', before.createdAt), where('id', '<', before.id)]))
  if (after) {
    turns = turns
      .where('created_at', '>=', after.createdAt)
      .where((where) => where.or([where('created_at', '>', after.createdAt), where('id', '>', after.id)]))
  }
  return turns.orderBy('created_at').orderBy('id').limit(limit).execute()
}

/** The oldest message of a chat that is just being answered. */
export const findOldestRunning = (db: Db, organizationId: string, chatId: string): Promise<Place | undefined> =>
  messagesOf(db, organizationId, chatId)
    .select(['id', 'created_at as createdAt'])
    .where('status', '=', 'in_progress')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Where a message stands in its chat. */
export const findPlace = (db: Db, organizationId: string, messageId: string): Promise<Place | undefined> =>
  db
    .selectFrom('message')
    .select(['id', 'created_at as createdAt'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .executeTakeFirst()

/** Whose chat it is. */
export const findChatPlace = (db: Db, organizationId: string, chatId: string) =>
  db
    .selectFrom('chat')
    .select(['workspace_id as workspaceId', 'agent_id as agentId'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .executeTakeFirst()
