import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { contains } from '../../platform/database/contains.ts'
import type { SeenChats } from '../chat/chats.access.ts'
import { type ChatFilter, isVisibleTo, type ThreadRecord, toThread } from '../chat/chats.store.ts'
import type { ChatTable } from '../chats.tables.ts'

/** Chats that a caller has for themselves, with agents that they may use. */
export interface OwnChats {
  organizationId: string
  workspaceId: string
  seen: SeenChats
  agentIds: string[]
}

interface Page {
  limit: number
  offset: number
}

type OwnChatsFilter = Pick<ChatFilter, 'chatType' | 'isArchived' | 'isPinned'> & { search?: string | undefined }

function selectOwn(db: Db, { organizationId, workspaceId, seen, agentIds }: OwnChats) {
  let query = db
    .selectFrom('chat')
    .where('chat.organization_id', '=', organizationId)
    .where('chat.workspace_id', '=', workspaceId)
    .where('chat.chat_type', '!=', 'configuration')
    .where('chat.agent_id', 'in', agentIds)
    .where((where) => isVisibleTo(where, seen))
  if (seen.virtualUserIds) query = query.where('chat.virtual_user_id', 'in', seen.virtualUserIds)
  return query
}

/** Last used first. */
export async function listOwnChats(
  db: Db,
  own: OwnChats,
  { chatType, isArchived, isPinned, search, limit, offset }: OwnChatsFilter & Page,
): Promise<{ chats: ThreadRecord[]; total: number }> {
  if (own.agentIds.length === 0) return { chats: [], total: 0 }
  const matching = () => {
    let query = selectOwn(db, own)
    if (chatType) query = query.where('chat_type', '=', chatType)
    if (isArchived !== undefined) query = query.where('is_archived', '=', Number(isArchived))
    if (isPinned !== undefined) query = query.where('is_pinned', '=', Number(isPinned))
    return search ? query.where(contains('title_key', search)) : query
  }
  const { total } = await matching()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching()
    .selectAll('chat')
    .orderBy(sql`coalesce(last_message_at, created_at)`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { chats: rows.map(toThread), total: Number(total) }
}

/** Chats of a workspace by their ids, whosever they are. */
export async function listChatsByIds(
  db: Db,
  { organizationId, workspaceId }: Pick<OwnChats, 'organizationId' | 'workspaceId'>,
  ids: string[],
): Promise<ThreadRecord[]> {
  const rows = await db
    .selectFrom('chat')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(toThread)
}

export async function setPutAway(
  tx: Tx,
  organizationId: string,
  ids: string[],
  change: Partial<Pick<Selectable<ChatTable>, 'is_archived' | 'is_pinned'>>,
  at: string,
): Promise<void> {
  await tx
    .updateTable('chat')
    .set({ ...change, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
}

const EXCERPT = 500

/** Pinned answers of own chats, newest first, with the beginnings of their texts. */
export async function listPinnedMessages(db: Db, own: OwnChats, { limit, offset }: Page) {
  if (own.agentIds.length === 0) return { messages: [], total: 0 }
  const pinned = () =>
    selectOwn(db, own)
      .innerJoin('message', 'message.chat_id', 'chat.id')
      .where('message.organization_id', '=', own.organizationId)
      // Written out, not as a parameter: the planner must see that the index has all of them.
      .where('message.is_pinned', '=', sql.lit(1))
  const { total } = await pinned()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const messages = await pinned()
    .select([
      'message.id',
      'message.chat_id as chatId',
      'message.agent_id as agentId',
      'chat.title',
      sql<string>`substr(message.query, 1, ${EXCERPT})`.as('query'),
      sql<string>`substr(message.response, 1, ${EXCERPT})`.as('response'),
      'message.is_aside as isAside',
      'message.created_at as createdAt',
    ])
    .orderBy('message.created_at', 'desc')
    .orderBy('message.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { messages, total: Number(total) }
}
