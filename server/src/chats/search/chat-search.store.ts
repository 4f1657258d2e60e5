import type { Db } from '../../db.ts'
import type { SeenChats } from '../chat/chats.access.ts'
import { isVisibleTo } from '../chat/chats.store.ts'

/** A chat whose messages may be looked through. */
export interface SearchedChat {
  id: string
  agentId: string
  title: string
  messageCount: number
}

export interface ChatsSought {
  workspaceId: string
  seen: SeenChats
  /** Selects only chats that began before this one. */
  beforeId?: string | undefined
  /** Ids to which the search is limited. */
  ids?: string[] | undefined
  limit: number
}

/** Chats with messages that a caller has for themselves, newest first. Configuration chats are in no list of chats. */
export async function listSearchedChats(db: Db, organizationId: string, sought: ChatsSought): Promise<SearchedChat[]> {
  const { workspaceId, seen, beforeId, ids, limit } = sought
  let query = db
    .selectFrom('chat')
    .select(['id', 'agent_id as agentId', 'title', 'message_count as messageCount'])
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('chat_type', '!=', 'configuration')
    .where('message_count', '>', 0)
    .where((where) => isVisibleTo(where, seen))
  if (seen.virtualUserIds) query = query.where('virtual_user_id', 'in', seen.virtualUserIds)
  if (seen.visitorId) query = query.where('visitor_id', '=', seen.visitorId)
  if (beforeId !== undefined) query = query.where('id', '<', beforeId)
  if (ids) query = query.where('id', 'in', ids)
  const rows = await query.orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({ ...row, messageCount: Number(row.messageCount) }))
}
