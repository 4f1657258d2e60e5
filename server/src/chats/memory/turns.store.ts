import { type Kysely, sql } from 'kysely'
import type { Db, Tables } from '../../db.ts'
import { anyLimit } from '../../platform/database/any-limit.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { MOST_TURNS } from './budget.ts'
import { type Cursor, isAfter } from './memory.store.ts'

/** A question and what was answered to it, whole or in part. */
export interface Exchange {
  query: string
  response: string
}

/** An exchange of a chat, with its position. */
export interface Turn extends Cursor, Exchange {}

/** Turns between two places, without those. */
export interface Between {
  before: Cursor
  /** Cursor before the first turn to read; default: from the first of the chat. */
  after?: Cursor
  limit: number
}

interface BetweenValues {
  organizationId: string
  chatId: string
  beforeCreatedAt: string
  beforeId: string
  afterCreatedAt: string
  afterId: string
  limit: number
}

const selectMessages = (db: Kysely<Tables>, organizationId: string, chatId: string) =>
  db.selectFrom('message').where('organization_id', '=', organizationId).where('chat_id', '=', chatId)

/**
 * Turns of a chat: a message that failed without a word is none. The state is written out, because SQLite plans a
 * statement again at every call in which a parameter decides whether a partial index can be used.
 */
const selectTurns = (db: Kysely<Tables>, organizationId: string, chatId: string) =>
  selectMessages(db, organizationId, chatId)
    .where('status', '=', sql.lit('completed'))
    .where('response', '!=', sql.lit(''))

const TURN = ['id', 'created_at as createdAt', 'query', 'response'] as const

const turnsUpTo = (db: Kysely<Tables>, organizationId: string, chatId: string, createdAt: string, id: string) =>
  selectTurns(db, organizationId, chatId)
    // Said twice, because only this form lets the index find the place to start from.
    .where('created_at', '<=', createdAt)
    .where((where) => where.or([where('created_at', '<', createdAt), where('id', '<', id)]))

/** Turns of the branch that is shown. */
const turnsBefore = (db: Kysely<Tables>, organizationId: string, chatId: string, createdAt: string, id: string) =>
  turnsUpTo(db, organizationId, chatId, createdAt, id).where('is_aside', '=', sql.lit(0))

interface NewestValues {
  organizationId: string
  chatId: string
  at: string
  limit: number
}

/** A turn, and the newest message that the summary of its chat tells of: null where there is none. */
export interface RememberedTurn extends Turn {
  coversId: string | null
}

const newestRemembered = prepared<Tables, NewestValues, RememberedTurn>((db, of) => {
  const summary = db
    .selectFrom('chat_memory')
    .where('organization_id', '=', of.organizationId)
    .where('chat_id', '=', of.chatId)
  return selectTurns(db, of.organizationId, of.chatId)
    .select([...TURN, summary.select('covers_id').as('coversId')])
    .where('created_at', '<=', of.at)
    .where('created_at', '>=', ({ fn, val }) => fn.coalesce(summary.select('covers_created_at'), val('')))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(anyLimit(of.limit))
})

/**
 * The newest turns until a time, newest first, from the last one on that a summary tells of: in most chats all that a
 * question takes, hence one statement.
 */
export const listNewestRemembered = async (
  db: Db,
  organizationId: string,
  chatId: string,
  { at, limit }: { at: string; limit: number },
) => (await newestRemembered(db, { organizationId, chatId, at, limit })).rows

/**
 * Asker of a message: holder of the rights that it is answered with (`rightsHolderOf`), and the virtual user that it
 * names.
 */
export interface Asker {
  rightsHolderId: string | null
  virtualUserId: string | null
  /** Time until which other rights of theirs counted; empty where there is none. */
  since: string
}

/** Whether a chat holds messages of anybody but this asker with the rights of now. */
export async function hasTurnsOfOthers(
  db: Db,
  organizationId: string,
  chatId: string,
  { rightsHolderId, virtualUserId, since }: Asker,
): Promise<boolean> {
  const other = await selectMessages(db, organizationId, chatId)
    .select('id')
    .where((where) =>
      where.or([
        where('member_id', 'is distinct from', rightsHolderId),
        where('virtual_user_id', 'is distinct from', virtualUserId),
        where('created_at', '<=', since),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Whether a chat holds messages of the time when other rights of the asker counted. */
export async function hasTurnsUntil(
  db: Db,
  organizationId: string,
  chatId: string,
  { since }: Pick<Asker, 'since'>,
): Promise<boolean> {
  if (since === '') return false
  const old = await selectMessages(db, organizationId, chatId)
    .select('id')
    .where('created_at', '<=', since)
    .limit(1)
    .executeTakeFirst()
  return old !== undefined
}

/** The newest turns of one asker before a place, with the rights of now, newest first. */
export const listNewestTurnsOf = (
  db: Db,
  organizationId: string,
  chatId: string,
  { asker, before, among, limit }: { asker: Asker; before: Cursor; among?: string[] | undefined; limit: number },
): Promise<Turn[]> =>
  turnsUpTo(db, organizationId, chatId, before.createdAt, before.id)
    .select(TURN)
    .where((where) => (among ? where('id', 'in', orNone(among)) : where.lit(true)))
    .where('member_id', 'is not distinct from', asker.rightsHolderId)
    .where('virtual_user_id', 'is not distinct from', asker.virtualUserId)
    .where('created_at', '>', asker.since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** The newest turns among some messages, newest first. */
export const listTurnsAmong = (
  db: Db,
  organizationId: string,
  chatId: string,
  { ids, limit }: { ids: string[]; limit: number },
): Promise<Turn[]> =>
  selectTurns(db, organizationId, chatId)
    .select(TURN)
    .where('id', 'in', orNone(ids))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Ids for `in`, which takes no empty list: no message has an empty id. */
const orNone = (ids: string[]): string[] => (ids.length > 0 ? ids : [''])

/** Memory of a chat when a message is answered, before anything is left out of it. */
export interface Remembered {
  /** The newest turns, newest first, from the last one on that the summary tells of. */
  turns: Turn[]
  /** The newest message that the summary tells of; null where there is none. */
  coversId: string | null
}

interface ManyValues {
  organizationId: string
  messageIds: string[]
  /** Chat of each message. */
  chatIds: string[]
}

/** A turn of the chat of a message that is to be answered; where a chat has none, one row without a turn. */
type TurnOfMany = { messageId: string; coversId: string | null } & (Turn | { [K in keyof Turn]: null })

/** `listNewestRemembered` for messages that come after all that is in their chats: PostgreSQL only. */
export const newestRememberedOfMany = prepared<Tables, ManyValues, TurnOfMany>((db, of) => {
  const statement = sql<TurnOfMany>`
    select asked.message_id as "messageId", memory.covers_id as "coversId", turn.*
    from unnest(${of.messageIds}::text[], ${of.chatIds}::text[]) as asked (message_id, chat_id)
    left join chat_memory memory
      on memory.organization_id = ${of.organizationId} and memory.chat_id = asked.chat_id
    left join lateral (
      select id, created_at as "createdAt", query, response from message
      where message.organization_id = ${of.organizationId} and message.chat_id = asked.chat_id
        and status = 'completed' and response != '' and created_at >= coalesce(memory.covers_created_at, '')
      order by created_at desc, id desc limit ${sql.lit(MOST_TURNS)}
    ) turn on true
    order by asked.message_id, turn."createdAt" desc, turn.id desc`
  return { compile: () => statement.compile(db) }
})

/** @param rows of `newestRememberedOfMany` */
export function rememberedByMessage(rows: TurnOfMany[]): Map<string, Remembered> {
  const byMessage = new Map<string, Remembered>()
  for (const { messageId, coversId, ...turn } of rows) {
    let remembered = byMessage.get(messageId)
    if (!remembered) byMessage.set(messageId, (remembered = { turns: [], coversId }))
    if (turn.id !== null) remembered.turns.push(turn)
  }
  return byMessage
}

const turnsBetween = (order: 'asc' | 'desc') =>
  prepared<Tables, BetweenValues, Turn>((db, of) =>
    turnsBefore(db, of.organizationId, of.chatId, of.beforeCreatedAt, of.beforeId)
      .select(TURN)
      .where('created_at', '>=', of.afterCreatedAt)
      .where((where) => where.or([where('created_at', '>', of.afterCreatedAt), where('id', '>', of.afterId)]))
      .orderBy('created_at', order)
      .orderBy('id', order)
      .limit(anyLimit(of.limit)),
  )

const newestBetween = turnsBetween('desc')
const oldestBetween = turnsBetween('asc')

const valuesOf = (organizationId: string, chatId: string, { before, after, limit }: Between): BetweenValues => ({
  organizationId,
  chatId,
  beforeCreatedAt: before.createdAt,
  beforeId: before.id,
  afterCreatedAt: after?.createdAt ?? '',
  afterId: after?.id ?? '',
  limit,
})

/** The newest between two places, newest first. */
export const listNewestBetween = async (db: Db, organizationId: string, chatId: string, between: Between) =>
  (await newestBetween(db, valuesOf(organizationId, chatId, between))).rows

/** The oldest between two places, oldest first. */
export const listOldestBetween = async (db: Db, organizationId: string, chatId: string, between: Between) =>
  (await oldestBetween(db, valuesOf(organizationId, chatId, between))).rows

interface DistanceValues {
  organizationId: string
  chatId: string
  createdAt: string
  id: string
  distance: number
}

const turnBefore = prepared<Tables, DistanceValues, Cursor>((db, of) =>
  turnsBefore(db, of.organizationId, of.chatId, of.createdAt, of.id)
    .select(['id', 'created_at as createdAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(of.distance)
    .limit(sql.lit(1)),
)

/** The turn that so many others separate from a place further on; undefined where there are not so many. */
export const findTurnBefore = async (
  db: Db,
  organizationId: string,
  chatId: string,
  { before, distance }: { before: Cursor; distance: number },
): Promise<Cursor | undefined> =>
  (await turnBefore(db, { organizationId, chatId, createdAt: before.createdAt, id: before.id, distance })).rows[0]

interface ChatValues {
  organizationId: string
  chatId: string
}

export const runningOfChat = prepared<Tables, ChatValues & { agentId: string }, Cursor>((db, of) =>
  selectMessages(db, of.organizationId, of.chatId)
    .select(['id', 'created_at as createdAt'])
    .where('agent_id', '=', of.agentId)
    // Written out, not as a parameter: the planner must see that the small index of what is not completed has all of
    // it.
    .where('status', '!=', sql.lit('completed'))
    .where('status', '=', sql.lit('in_progress')),
)

/**
 * The oldest message of a chat that is just being answered. They are few, and sorted here: for an order SQLite would
 * rather go through all messages of the chat.
 */
export async function findOldestRunning(
  db: Db,
  organizationId: string,
  { chatId, agentId }: { chatId: string; agentId: string },
): Promise<Cursor | undefined> {
  const { rows } = await runningOfChat(db, { organizationId, chatId, agentId })
  return rows.reduce<Cursor | undefined>((oldest, one) => (oldest && isAfter(one, oldest) ? oldest : one), undefined)
}

const chatPlace = prepared<Tables, ChatValues, { workspaceId: string; agentId: string }>((db, of) =>
  db
    .selectFrom('chat')
    .select(['workspace_id as workspaceId', 'agent_id as agentId'])
    .where('organization_id', '=', of.organizationId)
    .where('id', '=', of.chatId),
)

/** Whether a message is in a branch that is not shown. */
export async function isSetAside(db: Db, organizationId: string, messageId: string): Promise<boolean> {
  const row = await db
    .selectFrom('message')
    .select('is_aside')
    .where('organization_id', '=', organizationId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  return row?.is_aside === 1
}

/** Workspace and agent of a chat. */
export const findChatPlace = async (db: Db, organizationId: string, chatId: string) =>
  (await chatPlace(db, { organizationId, chatId })).rows[0]
