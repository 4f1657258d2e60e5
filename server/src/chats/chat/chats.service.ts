import type { CompiledQuery } from 'kysely'
import { type Caller, ForbiddenError, isAdmin, isBound, may, type VisitorUse } from '../../access/access.ts'
import type { AgentService, UsableAgent } from '../../agents/agents.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { isForeignKeyViolation } from '../../platform/database/errors.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { ProjectNotFoundError, type ProjectService } from '../../projects/projects.ts'
import { type EnsureVirtualUser, findSpokenFor, findVirtualUser } from '../../users/users.ts'
import { findLeaf, showBranchWith } from '../branches/branches.store.ts'
import { deleteBlobRowsOfChat } from '../messages/message-blobs.store.ts'
import { findMessage } from '../messages/messages.store.ts'
import { listWaiting } from '../reviews/reviews.store.ts'
import type { Runs } from '../runs/runs.ts'
import { type ChatLevel, findSeenChats, isOwnChat, requireChat, type Threads } from './chats.access.ts'
import {
  type ChatListQuery,
  type ChatPath,
  type CreateChat,
  metadataFilter,
  type ProjectChatsQuery,
  type UpdateChat,
} from './chats.schemas.ts'
import {
  type ChatFilter,
  type ChatRecord,
  deleteChat,
  findChat,
  findChatWith,
  holdChats,
  insertChat,
  listChats,
  type ThreadRecord,
  toThread,
  updateChat,
} from './chats.store.ts'
import { listChatsOfProject } from './project-chats.store.ts'
import { findThreadDetails } from './threads.store.ts'

export interface ChatServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'queue' | 'writes'> {
  agents: AgentService
  runs: Runs
  visitorUse: VisitorUse
  ensureVirtualUser: EnsureVirtualUser
  threadsAccess: Threads
  projects: Pick<ProjectService, 'require'>
}

/** Requires the right to change agents and an unbound key: a configuration chat tells of everything that may be set. */
export function requireConfigurator(caller: Caller): void {
  if (caller.visitor || caller.isEndUser) return
  if (!may(caller, 'manage_agents')) throw new ForbiddenError('Configuration chats need the permission manage_agents')
  if (caller.virtualUserIds || (caller.scopes && isBound(caller.scopes)))
    throw new ForbiddenError(
      'Configuration chats are closed to keys that are bound to certain agents, folders or people',
    )
}

/** Facts about a chat that a query needs. None ever changes, but a virtual user may be merged into another. */
export type QueryChat = Pick<ChatRecord, 'id' | 'agentId' | 'chatType' | 'visitorId' | 'memberId' | 'virtualUserId'>

/** Chat to be made. */
type NewChat = Omit<CreateChat, 'virtual_user_email' | 'project_id'> &
  Partial<Pick<CreateChat, 'virtual_user_email' | 'project_id'>>

const MOST_KNOWN = 10_000

export class ChatService {
  readonly #options: ChatServiceOptions
  /** Chats in which this process was asked lately. */
  readonly #known = createLruCache<QueryChat & { organizationId: string; workspaceId: string }>(MOST_KNOWN)

  constructor(options: ChatServiceOptions) {
    this.#options = options
  }

  /**
   * A chat of the caller's workspace that the caller may use so: those that another one has with the same agent are its
   * own.
   * @throws AgentNotFoundError, ChatNotFoundError: whichever is the innermost that does not belong; ForbiddenError for a
   * chat that the caller may only read.
   */
  async get(caller: Caller, path: ChatPath, level: ChatLevel): Promise<ThreadRecord> {
    await this.#options.agents.getRecent(caller, path.agent_id)
    return this.#ofAgent(caller, path, level)
  }

  /**
   * The chat of a query and its agent. The chat may be gone if it was asked in before: a message cannot be stored in it then.
   * @throws what `get` throws
   */
  async getForQuery(caller: Caller, path: ChatPath): Promise<{ agent: UsableAgent; chat: QueryChat }> {
    const agent = await this.#options.agents.getRecent(caller, path.agent_id)
    const { organizationId, workspaceId } = caller
    const known = this.#known.get(path.chat_id)
    const isIts = known?.organizationId === organizationId && known.workspaceId === workspaceId
    if (known && isIts && known.agentId === path.agent_id && isOwnChat(caller, known)) return { agent, chat: known }
    const { id, agentId, chatType, visitorId, memberId, virtualUserId } = await this.#ofAgent(caller, path, 'write')
    const chat = { id, agentId, chatType, visitorId, memberId, virtualUserId }
    this.#known.set(id, { ...chat, organizationId, workspaceId })
    return { agent, chat }
  }

  /** The chat as `get` gives it to be read, and rows of it, in one trip. */
  async getWithRows<R>(
    caller: Caller,
    path: ChatPath,
    query: CompiledQuery<R>,
  ): Promise<{ chat: ThreadRecord; rows: R[] }> {
    const { db, agents } = this.#options
    await agents.getRecent(caller, path.agent_id)
    const owner = { workspaceId: caller.workspaceId, agentId: path.agent_id }
    const { chat, rows } = await findChatWith(db, caller.organizationId, owner, path.chat_id, query)
    return { chat: await requireChat(this.#options.threadsAccess, caller, chat, 'read'), rows }
  }

  /**
   * @throws AgentNotFoundError, ForbiddenError, ValidationError for a person who cannot have it, RateLimitedError for a
   *   visitor who has begun enough of them today
   */
  async create(caller: Caller, agentId: string, fields: NewChat): Promise<ChatRecord> {
    const { db, writes, newId, clock, agents, visitorUse, ensureVirtualUser } = this.#options
    const { organizationId, workspaceId, memberId = null } = caller
    const agent = await agents.getRecent(caller, agentId)
    if (fields.chat_type === 'configuration') requireConfigurator(caller)
    const { virtual_user_email: email = null, project_id: projectId = null } = fields
    if (projectId !== null) await this.#requireProject(caller, projectId, fields.chat_type)
    if (email !== null && memberId !== null)
      throw invalidField('virtual_user_email', 'is for keys of programs: your chats are your own')
    const spokenFor = caller.virtualUserIds ? await findSpokenFor(db, caller, email) : null
    const chat: ChatRecord = {
      id: newId(),
      agentId: agent.id,
      title: fields.title,
      chatType: caller.visitor || caller.isEndUser ? 'standard' : fields.chat_type,
      metadata: fields.metadata,
      visitorId: caller.visitor?.id ?? null,
      memberId,
      virtualUserId: spokenFor,
      projectId,
      isArchived: false,
      isPinned: false,
      hasFiles: false,
      createdAt: isoNow(clock),
    }
    await commitChecked(writes, async (tx) => {
      await visitorUse.countChat(tx, caller)
      if (email !== null && spokenFor === null)
        chat.virtualUserId = await ensureVirtualUser(tx, organizationId, workspaceId, email)
      await insertChat(tx, organizationId, { ...chat, workspaceId })
    }).catch(throwProjectGone)
    return chat
  }

  async list(caller: Caller, agentId: string, query: ChatListQuery) {
    const { db, agents, threadsAccess, projects } = this.#options
    const { organizationId, workspaceId } = caller
    const metadata = metadataFilter(query)
    await agents.getRecent(caller, agentId)
    if (query.project_id !== undefined) await projects.require(caller, query.project_id)
    const { chat_type, search, virtual_user_email: email, status, feedback, from, to, archived, pinned } = query
    const filter: ChatFilter = {
      chatType: chat_type,
      search,
      projectId: query.project_id,
      isArchived: archived,
      isPinned: pinned,
      metadata,
      seen: await findSeenChats(threadsAccess, caller, agentId, { onlyOwn: query.scope === 'own' }),
      state: status,
      feedback,
      from,
      to,
    }
    if (email !== undefined) {
      const virtualUserId = await findVirtualUser(db, organizationId, workspaceId, email)
      if (!virtualUserId) return { chats: [], total: 0 }
      filter.virtualUserId = virtualUserId
    }
    const { page, page_size: limit, sort = 'created_at', order = 'desc' } = query
    const at = { sort, order, limit, offset: (page - 1) * limit }
    const { chats, total } = await listChats(db, organizationId, { workspaceId, agentId }, { ...filter, ...at })
    const details = await findThreadDetails(db, organizationId, agentId, chats)
    const seesPeople = isAdmin(caller)
    return {
      chats: chats.map((chat) => {
        const detail = details.get(chat.id)!
        return { ...chat, ...detail, people: seesPeople ? detail.people : [] }
      }),
      total,
    }
  }

  /** @throws what `get` throws, ValidationError for a message to show that is not in the chat */
  async update(caller: Caller, path: ChatPath, change: UpdateChat): Promise<ChatRecord> {
    const { writes, clock } = this.#options
    const { organizationId } = caller
    const { shown_message_id: messageId, ...fields } = changeOf(change)
    const { projectId } = fields
    const chat = await this.get(caller, path, 'write')
    if (projectId) await this.#requireProject(caller, projectId, chat.chatType)
    await commitChecked(writes, async (tx) => {
      const at = isoNow(clock)
      if (messageId !== undefined) await this.#show(tx, organizationId, chat.id, messageId, at)
      if (Object.keys(fields).length > 0 || messageId === undefined)
        await updateChat(tx, organizationId, chat.id, fields, at)
    }).catch(throwProjectGone)
    return { ...chat, ...fields }
  }

  /** Cancels what runs in the chat, then removes it with its messages. */
  async remove(caller: Caller, path: ChatPath): Promise<void> {
    const chat = await this.get(caller, path, 'write')
    await this.removeAny(caller.organizationId, chat.id)
  }

  /** `remove` of any chat of the organization, without a check; one that is gone stays so. */
  async removeAny(organizationId: string, chatId: string): Promise<void> {
    const { writes, runs, queue } = this.#options
    await runs.cancelChat(organizationId, chatId)
    await writes.commit(async (tx) => {
      await holdChats(tx, organizationId, [chatId])
      const blobKeys = await deleteBlobRowsOfChat(tx, organizationId, chatId)
      if (blobKeys.length > 0) await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys })
      // Tasks that claim them find them gone, and end their deliveries.
      for (const messageId of await listWaiting(tx, organizationId, { chatId: chatId }))
        await queue.enqueue(tx, organizationId, 'chats.answer', { messageId })
      await deleteChat(tx, organizationId, chatId)
    })
    this.#known.delete(chatId)
    // Messages accepted in between went with the chat, and have nobody to answer.
    await runs.cancelChat(organizationId, chatId)
  }

  /** Own chats of a project, with any agent, the last used first. @throws ProjectNotFoundError */
  async listOfProject(caller: Caller, projectId: string, query: ProjectChatsQuery) {
    const { page, page_size: limit, search, archived: isArchived, pinned: isPinned } = query
    const { db, projects } = this.#options
    await projects.require(caller, projectId)
    const memberId = caller.memberId ?? null
    const range = { memberId, search, isArchived, isPinned, limit, offset: (page - 1) * limit }
    const { rows, total } = await listChatsOfProject(db, caller.organizationId, projectId, range)
    return { chats: rows.map(toThread), total }
  }

  /** Shows the newest branch with a message. */
  async #show(tx: Tx, organizationId: string, chatId: string, messageId: string, at: string): Promise<void> {
    await holdChats(tx, organizationId, [chatId])
    const message = await findMessage(tx, organizationId, messageId)
    if (message?.chatId !== chatId) throw invalidField('shown_message_id', 'names no message of this chat')
    const leafId = await findLeaf(tx, organizationId, chatId)
    await showBranchWith(tx, organizationId, chatId, { messageId, leafId, at })
  }

  /** @throws ProjectNotFoundError; ValidationError for a chat that configures an agent, whose answers read no folders */
  async #requireProject(caller: Caller, projectId: string, chatType: ChatRecord['chatType']): Promise<void> {
    if (chatType === 'configuration') throw invalidField('project_id', 'is not for chats that configure an agent')
    await this.#options.projects.require(caller, projectId)
  }

  async #ofAgent(caller: Caller, path: ChatPath, level: ChatLevel): Promise<ThreadRecord> {
    const { organizationId, workspaceId } = caller
    const chat = await findChat(this.#options.db, organizationId, { workspaceId, agentId: path.agent_id }, path.chat_id)
    return requireChat(this.#options.threadsAccess, caller, chat, level)
  }
}

/** Fields as the chat has them; those that are left out stay so. */
function changeOf({ project_id, is_archived, is_pinned, ...others }: UpdateChat) {
  return {
    ...others,
    ...(project_id !== undefined && { projectId: project_id }),
    ...(is_archived !== undefined && { isArchived: is_archived }),
    ...(is_pinned !== undefined && { isPinned: is_pinned }),
  }
}

/** The project went between the check and the write. */
function throwProjectGone(error: unknown): never {
  throw isForeignKeyViolation(error) ? new ProjectNotFoundError() : error
}
