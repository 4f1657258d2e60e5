import { type Caller, ForbiddenError, isAdmin } from '../../access/access.ts'
import { ChatNotFoundError } from '../chats.errors.ts'
import type { ChatRecord, ReviewedChats } from './chats.store.ts'

/** `review`: to decide what a message waits for. `write`: all that its owner may do. */
export type ChatLevel = 'read' | 'review' | 'write'

type OwnedChat = Pick<ChatRecord, 'memberId' | 'visitorId' | 'virtualUserId'>

/** Knows who sees the chats that others have with an agent. */
export interface Threads {
  since(caller: Caller, agentId: string): Promise<string | undefined>
  listVisible(caller: Caller): Promise<string[]>
}

/** Chats of one agent that a caller may see; what is undefined is not admitted. */
export interface SeenChats {
  /** Chats of this member. */
  memberId?: string
  /** Chats of this visitor, and no others. */
  visitorId?: string
  /** Chats of these virtual users, and no others. */
  virtualUserIds?: readonly string[]
  /** Chats that came over a key or a link. */
  ofKeys: boolean
  /** Leaves out chats that came over a link. */
  withoutLinks?: boolean
  /** Chats of other members that began at this time or later. */
  othersSince?: string
}

/**
 * A member's chats are their own. Those that came over a key are for keys, for admins, who could make one, and for
 * those who see the agent's threads. Callers that speak for certain virtual users have theirs, and no others.
 */
export function isOwnChat(caller: Caller, chat: OwnedChat): boolean {
  const { visitor, memberId, virtualUserIds } = caller
  if (virtualUserIds) return chat.virtualUserId !== null && virtualUserIds.includes(chat.virtualUserId)
  if (visitor) return chat.visitorId === visitor.id
  if (chat.memberId !== null) return chat.memberId === memberId
  return memberId === undefined || isAdmin(caller)
}

/**
 * @throws ChatNotFoundError for a chat that is not there or that the caller may not see, ForbiddenError beyond reading
 */
export async function requireChat<C extends OwnedChat & Pick<ChatRecord, 'agentId' | 'createdAt'>>(
  threads: Threads,
  caller: Caller,
  chat: C | undefined,
  level: ChatLevel,
): Promise<C> {
  if (!chat) throw new ChatNotFoundError()
  if (isOwnChat(caller, chat)) return chat
  const since = caller.memberId === undefined ? undefined : await threads.since(caller, chat.agentId)
  const isOfKey = chat.memberId === null
  if (since === undefined || (!isOfKey && chat.createdAt < since)) throw new ChatNotFoundError()
  if (level === 'read' || (level === 'review' && isOfKey)) return chat
  throw new ForbiddenError('This chat is not yours: you may read it, and change nothing in it')
}

/** @param onlyOwn leaves out what is in no one's list of chats, and what others began */
export async function findSeenChats(
  threads: Threads,
  caller: Caller,
  agentId: string,
  { onlyOwn }: { onlyOwn: boolean },
): Promise<SeenChats> {
  const { visitor, memberId, virtualUserIds } = caller
  if (virtualUserIds) return { virtualUserIds, ofKeys: true }
  if (visitor) return { visitorId: visitor.id, ofKeys: true }
  if (memberId === undefined) return { ofKeys: true, withoutLinks: onlyOwn }
  if (onlyOwn) return { memberId, ofKeys: false }
  const othersSince = await threads.since(caller, agentId)
  const seesOthers = othersSince !== undefined
  return { memberId, ofKeys: seesOthers || isAdmin(caller), ...(seesOthers && { othersSince }) }
}

/** Chats whose reviews are in the caller's inbox. */
export async function findReviewedChats(threads: Threads, caller: Caller): Promise<ReviewedChats> {
  const { memberId } = caller
  if (memberId === undefined) return { ofKeys: 'all' }
  return { memberId, ofKeys: isAdmin(caller) ? 'all' : { agentIds: await threads.listVisible(caller) } }
}
