import { sql } from 'kysely'
import type { Db, Tables } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { ChatPlace } from './chat-places.store.ts'

interface Person {
  id: string
  email: string
  name: string | null
}

/** Chats that everybody shares may have very many. */
const MOST_PEOPLE = 10

/** Details of a chat that the threads table shows beside the chat itself. */
export interface ThreadDetails {
  status: 'empty' | 'in_progress' | 'waiting' | 'failed' | 'completed'
  feedback: { up: number; down: number }
  /** Some of those who asked in it. */
  people: Person[]
  peopleCount: number
}

interface CountedChat {
  last_place: number
  has_files: number
  leaf_id: string | null
  project_id: string | null
}

export const countMessageRow = prepared<Tables, { organizationId: string; chatId: string; at: string }, CountedChat>(
  (db, { organizationId, chatId, at }) =>
    db
      .updateTable('chat')
      .set(({ eb }) => ({
        message_count: eb('message_count', '+', 1),
        last_message_at: at,
        last_place: eb('last_place', '+', 1),
      }))
      .where('organization_id', '=', organizationId)
      .where('id', '=', chatId)
      .where((where) => where.or([where('last_message_at', 'is', null), where('last_message_at', '<=', at)]))
      .returning(['last_place', 'has_files', 'leaf_id', 'project_id']),
)

export const toChatPlace = (chat: CountedChat, createdAt: string): ChatPlace => ({
  place: chat.last_place,
  createdAt,
  hasFiles: chat.has_files === 1,
  leafId: chat.leaf_id,
  projectId: chat.project_id,
})

export const countTokensRow = prepared<Tables, { organizationId: string; chatId: string; tokens: number }, unknown>(
  (db, { organizationId, chatId, tokens }) =>
    db
      .updateTable('chat')
      .set(({ eb }) => ({ total_tokens: eb('total_tokens', '+', tokens) }))
      .where('organization_id', '=', organizationId)
      .where('id', '=', chatId),
)

export const OPEN_STATES = ['in_progress', 'waiting'] as const
export type ThreadState = (typeof OPEN_STATES)[number] | 'failed'

/** Ids of chats in which a message is in this state. From small indexes of their own: nearly all messages are completed. */
export function selectChatsInState(db: Db, organizationId: string, agentId: string, state: ThreadState) {
  const chats = selectMessages(db, organizationId, agentId).select('chat_id')
  if (state === 'failed') return chats.where('error_message', 'is not', null)
  // Written out, not as a parameter: the planner must see that the index has all of them.
  return chats.where('status', '!=', sql.lit('completed')).where('status', '=', state)
}

/** Ids of chats in which somebody rated an answer so. */
export const selectRatedChats = (db: Db, organizationId: string, agentId: string, rating: 'up' | 'down') =>
  selectMessages(db, organizationId, agentId)
    .select('chat_id')
    .where('feedback_rating', 'is not', null)
    .where('feedback_rating', '=', rating)

const selectMessages = (db: Db, organizationId: string, agentId: string) =>
  db.selectFrom('message').where('organization_id', '=', organizationId).where('agent_id', '=', agentId)

/** Details of some chats of an agent; each of the four statements reads an index of its own, and no messages. */
export async function findThreadDetails(
  db: Db,
  organizationId: string,
  agentId: string,
  chats: { id: string; messageCount: number }[],
): Promise<Map<string, ThreadDetails>> {
  const ids = chats.map(({ id }) => id)
  const found = new Map(
    chats.map(({ id, messageCount }): [string, ThreadDetails] => [
      id,
      { status: messageCount === 0 ? 'empty' : 'completed', feedback: { up: 0, down: 0 }, people: [], peopleCount: 0 },
    ]),
  )
  if (ids.length === 0) return found
  const rated = await selectMessages(db, organizationId, agentId)
    .select(({ fn }) => ['chat_id', 'feedback_rating', fn.countAll<number>().as('count')])
    .where('feedback_rating', 'is not', null)
    .where('feedback_rating', 'in', ['up', 'down'])
    .where('chat_id', 'in', ids)
    .groupBy(['chat_id', 'feedback_rating'])
    .execute()
  for (const { chat_id, feedback_rating, count } of rated)
    found.get(chat_id)!.feedback[feedback_rating!] = Number(count)
  // The state that matters most comes last, and stays.
  for (const state of ['failed', ...OPEN_STATES] as const) {
    const chatsSo = await selectChatsInState(db, organizationId, agentId, state).where('chat_id', 'in', ids).execute()
    for (const { chat_id } of chatsSo) found.get(chat_id)!.status = state
  }
  await addPeople(db, organizationId, found)
  return found
}

async function addPeople(db: Db, organizationId: string, found: Map<string, ThreadDetails>): Promise<void> {
  const asked = await db
    .selectFrom('message')
    .select(['chat_id', 'virtual_user_id'])
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', 'is not', null)
    .where('chat_id', 'in', [...found.keys()])
    .execute()
  const shown = asked.filter(({ chat_id }) => found.get(chat_id)!.peopleCount++ < MOST_PEOPLE)
  const ids = [...new Set(shown.map(({ virtual_user_id }) => virtual_user_id!))]
  if (ids.length === 0) return
  const people = await db
    .selectFrom('virtual_user')
    .select(['id', 'email', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(people.map((person) => [person.id, person]))
  for (const { chat_id, virtual_user_id } of shown) found.get(chat_id)!.people.push(byId.get(virtual_user_id!)!)
}
