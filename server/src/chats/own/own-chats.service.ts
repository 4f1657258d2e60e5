import type { Caller } from '../../access/access.ts'
import type { AgentService } from '../../agents/agents.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { DomainError } from '../../platform/errors.ts'
import { findSeenChats, requireChat, type Threads } from '../chat/chats.access.ts'
import type { ChatService } from '../chat/chats.service.ts'
import type { ThreadRecord } from '../chat/chats.store.ts'
import type { ChangeChats, OwnChatsQuery } from './own-chats.schemas.ts'
import { listChatsByIds, listOwnChats, listPinnedMessages, type OwnChats, setPutAway } from './own-chats.store.ts'

export interface OwnChatsOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  agents: AgentService
  threadsAccess: Threads
  chats: Pick<ChatService, 'removeAny'>
}

const CHANGES = {
  archive: { is_archived: 1 },
  unarchive: { is_archived: 0 },
  pin: { is_pinned: 1 },
  unpin: { is_pinned: 0 },
} as const

export type OwnChatsService = ReturnType<typeof createOwnChats>

/** Chats that callers have for themselves, over all agents that they may use. */
export function createOwnChats({ db, writes, clock, agents, threadsAccess, chats }: OwnChatsOptions) {
  async function selectOwn(caller: Caller): Promise<OwnChats> {
    const { organizationId, workspaceId } = caller
    const seen = await findSeenChats(threadsAccess, caller, '', { onlyOwn: true })
    return { organizationId, workspaceId, seen, agentIds: [...(await agents.usableIds(caller))] }
  }

  async function mayChange(caller: Caller, chat: ThreadRecord): Promise<boolean> {
    try {
      await requireChat(threadsAccess, caller, chat, 'write')
      return true
    } catch (error) {
      if (error instanceof DomainError) return false
      throw error
    }
  }

  return {
    /** Last used first. */
    async list(caller: Caller, query: OwnChatsQuery) {
      const { page, page_size: limit, chat_type, archived, pinned, search } = query
      const filter = { chatType: chat_type, isArchived: archived, isPinned: pinned, search }
      return listOwnChats(db, await selectOwn(caller), { ...filter, limit, offset: (page - 1) * limit })
    },

    async listPinned(caller: Caller, { page, page_size: limit }: { page: number; page_size: number }) {
      return listPinnedMessages(db, await selectOwn(caller), { limit, offset: (page - 1) * limit })
    },

    /** Does the same with several chats; those that the caller may not change are named, and stay as they are. */
    async change(caller: Caller, { chat_ids, action }: ChangeChats): Promise<{ changed: string[]; missing: string[] }> {
      const asked = [...new Set(chat_ids)]
      const usable = await agents.usableIds(caller)
      const changed: string[] = []
      for (const chat of await listChatsByIds(db, caller, asked))
        if (usable.has(chat.agentId) && (await mayChange(caller, chat))) changed.push(chat.id)
      if (action === 'delete') for (const id of changed) await chats.removeAny(caller.organizationId, id)
      else if (changed.length > 0)
        await writes.commit((tx) => setPutAway(tx, caller.organizationId, changed, CHANGES[action], isoNow(clock)))
      return { changed, missing: asked.filter((id) => !changed.includes(id)) }
    },
  }
}
