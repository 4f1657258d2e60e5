import { sql } from 'kysely'
import type { Db } from '../../../db.ts'
import { acrossOrganizations } from '../../../platform/database/statements/across-organizations.ts'
import { columnsOf, type MessageRecord } from '../../messages/messages.store.ts'
import { DURABLE_MODES } from '../modes.ts'

/** Process that holds a message, and the message's state. */
export type Held = Pick<MessageRecord, 'id' | 'organizationId' | 'chatId' | 'status' | 'mode' | 'processId' | 'attempt'>

const HELD = columnsOf(['id', 'organizationId', 'chatId', 'status', 'mode', 'processId', 'attempt'])

/** Message of a chat, by its place. */
export interface MessagePlace {
  organizationId: string
  agentId: string
  chatId: string
  place: number
}

export const findHeld = (db: Db, organizationId: string, messageId: string): Promise<Held | undefined> =>
  db
    .selectFrom('message')
    .select(HELD)
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .executeTakeFirst()

/** Lists messages in progress of the chat with lower places. */
export const listBefore = (
  db: Db,
  organizationId: string,
  { agentId, chatId, place }: Omit<MessagePlace, 'organizationId'>,
): Promise<Held[]> =>
  db
    .selectFrom('message')
    .select(HELD)
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('chat_id', '=', chatId)
    // Written out, not as a parameter: the planner must see that the small index of what is not completed has all of it.
    .where('status', '!=', sql.lit('completed'))
    .where('status', '=', 'in_progress')
    .where('place', '<', place)
    .orderBy('place')
    .execute()

/** Ids of the chats of all organizations in which anything is in progress. */
export async function listChatsInProgress(db: Db): Promise<string[]> {
  const rows = await acrossOrganizations(db)
    .selectFrom('message')
    .select('chat_id')
    .distinct()
    // As above: for the small index.
    .where('status', '!=', sql.lit('completed'))
    .where('status', '=', 'in_progress')
    .execute()
  return rows.map(({ chat_id }) => chat_id)
}

/** Ids of what is in progress in a chat. */
export async function listRunning(db: Db, organizationId: string, chatId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('message')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .where('status', '=', 'in_progress')
    .execute()
  return rows.map(({ id }) => id)
}

/** Messages in progress at other processes that no task resumes if those die, of all organizations. */
export const listLeftBehind = (db: Db, processId: string): Promise<Held[]> =>
  acrossOrganizations(db)
    .selectFrom('message')
    .select(HELD)
    // As above: for the small index.
    .where('status', '!=', sql.lit('completed'))
    .where('status', '=', 'in_progress')
    .where('mode', 'not in', [...DURABLE_MODES])
    .where('process_id', '!=', processId)
    .execute()
