import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { CompiledQuery, Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { contains } from '../../platform/database/contains.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { together } from '../../platform/database/statements/together.ts'
import type { ChatTable } from '../chats.tables.ts'
import type { SeenChats } from './chats.access.ts'
import { selectChatsInState, selectRatedChats, type ThreadState } from './threads.store.ts'

export interface ChatRecord {
  id: string
  agentId: string
  title: string
  chatType: ChatTable['chat_type']
  metadata: Record<string, string>
  /** Visitor who began it through a link. */
  visitorId: string | null
  /** Member who began it, and has it for themselves; null for the chats of keys and visitors. */
  memberId: string | null
  /** Virtual user whose it is; null for the chats of all others. */
  virtualUserId: string | null
  /** Project that it is in. */
  projectId: string | null
  isArchived: boolean
  isPinned: boolean
  hasFiles: boolean
  createdAt: string
}

export const toChat = (row: Selectable<ChatTable>): ChatRecord => ({
  id: row.id,
  agentId: row.agent_id,
  title: row.title,
  chatType: row.chat_type,
  metadata: row.metadata === '{}' ? {} : JSON.parse(row.metadata),
  visitorId: row.visitor_id,
  memberId: row.member_id,
  virtualUserId: row.virtual_user_id,
  projectId: row.project_id,
  isArchived: row.is_archived === 1,
  isPinned: row.is_pinned === 1,
  hasFiles: row.has_files === 1,
  createdAt: row.created_at,
})

export async function insertChat(
  tx: Tx,
  organizationId: string,
  chat: Omit<ChatRecord, 'isArchived' | 'isPinned'> & { workspaceId: string },
): Promise<void> {
  await tx
    .insertInto('chat')
    .values({
      id: chat.id,
      organization_id: organizationId,
      workspace_id: chat.workspaceId,
      agent_id: chat.agentId,
      title: chat.title,
      title_key: chat.title.toLowerCase(),
      chat_type: chat.chatType,
      metadata: JSON.stringify(chat.metadata),
      visitor_id: chat.visitorId,
      member_id: chat.memberId,
      virtual_user_id: chat.virtualUserId,
      project_id: chat.projectId,
      has_files: chat.hasFiles ? 1 : 0,
      created_at: chat.createdAt,
      updated_at: chat.createdAt,
    })
    .execute()
  await insertMetadata(tx, organizationId, chat.id, chat.metadata)
}

async function insertMetadata(
  tx: Tx,
  organizationId: string,
  chatId: string,
  metadata: Record<string, string>,
): Promise<void> {
  const rows = Object.entries(metadata).map(([key, value]) => ({
    organization_id: organizationId,
    chat_id: chatId,
    key,
    value,
  }))
  if (rows.length > 0) await tx.insertInto('chat_metadata').values(rows).execute()
}

/** Owner of chats: an agent may be used by several workspaces, each of which has its own. */
interface ChatOwner {
  workspaceId: string
  agentId: string
}

const selectChats = (db: Db, organizationId: string, { workspaceId, agentId }: ChatOwner) =>
  db
    .selectFrom('chat')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('agent_id', '=', agentId)

interface ChatKey extends ChatOwner {
  organizationId: string
  chatId: string
}

const chatById = prepared<Tables, ChatKey, Selectable<ChatTable>>((db, key) =>
  selectChats(db, key.organizationId, key).selectAll().where('id', '=', key.chatId),
)

export async function findChat(
  db: Db,
  organizationId: string,
  owner: ChatOwner,
  chatId: string,
): Promise<ThreadRecord | undefined> {
  const [row] = (await chatById(db, { organizationId, ...owner, chatId })).rows
  return row && toThread(row)
}

/** Reads a chat together with what is read for it, in one trip. If the chat is of nobody's concern, so is the rest. */
export async function findChatWith<R>(
  db: Db,
  organizationId: string,
  owner: ChatOwner,
  chatId: string,
  query: CompiledQuery<R>,
): Promise<{ chat: ThreadRecord | undefined; rows: R[] }> {
  const [chats, { rows }] = await together(db, [chatById.bind(db, { organizationId, ...owner, chatId }), query])
  return { chat: chats.rows[0] && toThread(chats.rows[0]), rows }
}

export async function findWorkspaceOfChat(db: Db, organizationId: string, chatId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('chat')
    .select('workspace_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .executeTakeFirst()
  return row?.workspace_id
}

/** Facts about a chat that a run which is resumed needs; undefined if there is no such chat. */
export function findChatOfRun(
  db: Db,
  organizationId: string,
  chatId: string,
): Promise<{ chatType: ChatTable['chat_type']; workspaceId: string; projectId: string | null } | undefined> {
  return db
    .selectFrom('chat')
    .select(['chat_type as chatType', 'workspace_id as workspaceId', 'project_id as projectId'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .executeTakeFirst()
}

export const CHAT_SORTS = ['created_at', 'last_message_at', 'total_tokens', 'title', 'is_pinned'] as const

export interface ChatFilter {
  chatType?: ChatTable['chat_type']
  search?: string
  /** Chats in which this person asked something. */
  virtualUserId?: string
  seen: SeenChats
  projectId?: string | undefined
  isArchived?: boolean | undefined
  isPinned?: boolean | undefined
  /** Chats with all of these. */
  metadata?: Record<string, string>
  /** Chats with a message in this state. */
  state?: ThreadState
  /** Chats with an answer that was rated so. */
  feedback?: 'up' | 'down'
  /** ISO times: created from the first on, and before the second. */
  from?: string
  to?: string
}

export interface ChatPage {
  sort: (typeof CHAT_SORTS)[number]
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/** A chat as the threads table shows it. */
export interface ThreadRecord extends ChatRecord {
  lastMessageAt: string | null
  messageCount: number
  totalTokens: number
  /** Last message of the branch that is shown; null for a chat without branches. */
  leafId: string | null
}

export async function listChats(
  db: Db,
  organizationId: string,
  owner: ChatOwner,
  filter: ChatFilter & ChatPage,
): Promise<{ chats: ThreadRecord[]; total: number }> {
  const { agentId } = owner
  const { chatType, search, virtualUserId, seen, projectId, isArchived, isPinned, metadata = {} } = filter
  const { state, feedback, from, to } = filter
  const matching = () => {
    let query = selectChats(db, organizationId, owner).where((where) => isVisibleTo(where, seen))
    if (chatType) query = query.where('chat_type', '=', chatType)
    if (search) query = query.where(contains('title_key', search))
    if (seen.visitorId) query = query.where('visitor_id', '=', seen.visitorId)
    if (seen.virtualUserIds) query = query.where('virtual_user_id', 'in', seen.virtualUserIds)
    if (projectId) query = query.where('project_id', '=', projectId)
    if (isArchived !== undefined) query = query.where('is_archived', '=', Number(isArchived))
    if (isPinned !== undefined) query = query.where('is_pinned', '=', Number(isPinned))
    if (virtualUserId) query = query.where('id', 'in', chatsWith(db, organizationId, virtualUserId))
    for (const [key, value] of Object.entries(metadata)) {
      const tagged = db
        .selectFrom('chat_metadata')
        .select('chat_id')
        .where('organization_id', '=', organizationId)
        .where('key', '=', key)
        .where('value', '=', value)
      query = query.where('id', 'in', tagged)
    }
    if (state) query = query.where('id', 'in', selectChatsInState(db, organizationId, agentId, state))
    if (feedback) query = query.where('id', 'in', selectRatedChats(db, organizationId, agentId, feedback))
    if (from) query = query.where('created_at', '>=', from)
    if (to) query = query.where('created_at', '<', to)
    return query
  }
  const { sort, order, limit, offset } = filter
  const { total } = await matching()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  // Both go over all that match, and on the embedded database hold up the event loop.
  await yieldToEventLoop()
  // Ids sort by time of creation.
  const column = { created_at: 'id', title: 'title_key' }[sort as string] ?? sort
  let page = matching().selectAll()
  // Null for a chat without messages, which is before all others in one database and behind them in another.
  if (column === 'last_message_at')
    page = page.orderBy(column, (by) => (order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast()))
  else if (column !== 'id') page = page.orderBy(column as 'title_key', order)
  const rows = await page.orderBy('id', order).limit(limit).offset(offset).execute()
  return { chats: rows.map(toThread), total: Number(total) }
}

/** Chats whose reviews somebody may decide: their own, and those of keys, with all agents or with these. */
export interface ReviewedChats {
  memberId?: string
  ofKeys: 'all' | { agentIds: string[] }
}

export const selectChatsForReview = (
  db: Db,
  organizationId: string,
  workspaceId: string,
  { memberId, ofKeys }: ReviewedChats,
) =>
  db
    .selectFrom('chat')
    .select('chat.id')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where((where) => {
      const isOfKey = where('member_id', 'is', null)
      const reviewed: Expression<SqlBool>[] = []
      if (memberId !== undefined) reviewed.push(where('member_id', '=', memberId))
      if (ofKeys === 'all') reviewed.push(isOfKey)
      else if (ofKeys.agentIds.length > 0) reviewed.push(where.and([isOfKey, where('agent_id', 'in', ofKeys.agentIds)]))
      return where.or(reviewed)
    })

/** Condition that a caller sees a chat, but for visitors and virtual users, who are named apart. */
export function isVisibleTo(where: ExpressionBuilder<Tables, 'chat'>, sees: SeenChats) {
  const { memberId, ofKeys, withoutLinks, othersSince } = sees
  const seen: Expression<SqlBool>[] = []
  if (ofKeys) seen.push(where('chat.member_id', 'is', null))
  if (memberId !== undefined) seen.push(where('chat.member_id', '=', memberId))
  if (othersSince !== undefined)
    seen.push(where.and([where('chat.member_id', 'is not', null), where('chat.created_at', '>=', othersSince)]))
  return withoutLinks ? where.and([where.or(seen), where('chat.visitor_id', 'is', null)]) : where.or(seen)
}

export const toThread = (row: Selectable<ChatTable>): ThreadRecord => ({
  ...toChat(row),
  lastMessageAt: row.last_message_at,
  messageCount: row.message_count,
  totalTokens: row.total_tokens,
  leafId: row.leaf_id,
})

/** Chats of any agent in which the person asked something, newest first, but those that are private to other members. */
export async function listChatsOfPerson(
  db: Db,
  organizationId: string,
  virtualUserId: string,
  { memberId, limit, offset }: { memberId: string | undefined; limit: number; offset: number },
): Promise<{ chats: ChatRecord[]; total: number }> {
  const matching = () =>
    chatsWith(db, organizationId, virtualUserId).where('chat_id', 'not in', (select) => {
      const othersOwn = select
        .selectFrom('chat')
        .select('chat.id')
        .where('chat.organization_id', '=', organizationId)
        .where('chat.member_id', 'is not', null)
      return memberId === undefined ? othersOwn : othersOwn.where('chat.member_id', '!=', memberId)
    })
  // From the messages alone, whose index has the chats in order: a person may have been in very many.
  const { total } = await db
    .selectFrom(matching().as('chats'))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const page = await matching().orderBy('chat_id', 'desc').limit(limit).offset(offset).execute()
  const ids = page.map((row) => row.chat_id)
  if (ids.length === 0) return { chats: [], total: Number(total) }
  const rows = await db
    .selectFrom('chat')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  return { chats: rows.map(toChat), total: Number(total) }
}

const chatsWith = (db: Db, organizationId: string, virtualUserId: string) =>
  db
    .selectFrom('message')
    .select('chat_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)

/** Changes to a chat; fields that are left out stay. */
export type ChatChange = Partial<Pick<ChatRecord, 'title' | 'metadata' | 'projectId' | 'isArchived' | 'isPinned'>>

export async function updateChat(
  tx: Tx,
  organizationId: string,
  chatId: string,
  change: ChatChange,
  at: string,
): Promise<void> {
  await tx
    .updateTable('chat')
    .set({
      updated_at: at,
      ...(change.title !== undefined && { title: change.title, title_key: change.title.toLowerCase() }),
      ...(change.projectId !== undefined && { project_id: change.projectId }),
      ...(change.isArchived !== undefined && { is_archived: Number(change.isArchived) }),
      ...(change.isPinned !== undefined && { is_pinned: Number(change.isPinned) }),
      ...(change.metadata && { metadata: JSON.stringify(change.metadata) }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .execute()
  if (!change.metadata) return
  await tx
    .deleteFrom('chat_metadata')
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .execute()
  await insertMetadata(tx, organizationId, chatId, change.metadata)
}

/** Keeps new messages out of chats, until the end of the transaction: theirs is the next number in the chat. */
export async function holdChats(tx: Tx, organizationId: string, chatIds: string[]): Promise<void> {
  await tx
    .selectFrom('chat')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', chatIds)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Removes the chat and its messages. */
export async function deleteChat(tx: Tx, organizationId: string, chatId: string): Promise<void> {
  await tx.deleteFrom('message').where('organization_id', '=', organizationId).where('chat_id', '=', chatId).execute()
  await tx.deleteFrom('chat').where('organization_id', '=', organizationId).where('id', '=', chatId).execute()
}
