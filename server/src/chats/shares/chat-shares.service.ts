import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { type Caller, ForbiddenError, findMemberName, isAdmin } from '../../access/access.ts'
import { findUsableAgentName } from '../../agents/agents.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db } from '../../db.ts'
import { findReadableFiles } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { isForeignKeyViolation } from '../../platform/database/errors.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import type { ChatPath } from '../chat/chats.schemas.ts'
import type { ChatService } from '../chat/chats.service.ts'
import { ChatNotFoundError, SharedChatNotFoundError } from '../chats.errors.ts'
import type { Citation } from '../messages/messages.schemas.ts'
import {
  deleteShare,
  findShare,
  listReadMessages,
  listShares,
  listShownIds,
  putShare,
  type ReadMessage,
  type TitledShare,
} from './chat-shares.store.ts'

export interface ChatSharesOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  publicUrl(): string
  chats: Pick<ChatService, 'get'>
}

type Cited = z.infer<typeof Citation>

interface Page {
  page: number
  page_size: number
}

/** A message as a reader of a shared chat sees it. */
export interface SharedMessage extends Omit<ReadMessage, 'citations'> {
  /** Passages of files that the reader may read. */
  citations: Cited[]
  hiddenCitations: number
}

export type ChatSharesService = ReturnType<typeof createChatShares>

/** Chats that members of the workspace read by a link. */
export function createChatShares({ db, writes, clock, publicUrl, chats }: ChatSharesOptions) {
  const withUrl = <S extends { id: string }>(share: S) => ({ ...share, url: `${publicUrl()}/shared-chats/${share.id}` })

  return {
    /**
     * Shares a chat of the caller's own, or changes what is shown of it; the link stays the same.
     * @param follows true: as the chat is at any time; false: as it is now
     * @throws ChatNotFoundError, ForbiddenError for callers who are no members, and for chats that configure an agent
     */
    async share(caller: Caller, path: ChatPath, { follows }: { follows: boolean }) {
      const { organizationId, workspaceId } = caller
      const chat = await chats.get(caller, path, 'write')
      const memberId = requireMember(caller)
      if (chat.chatType === 'configuration') throw new ForbiddenError('Chats that configure an agent are not shared')
      const at = isoNow(clock)
      const made = { id: `dcs_${randomBytes(18).toString('base64url')}`, workspaceId, agentId: chat.agentId }
      const share = await commitChecked(writes, async (tx) => {
        const messageIds = follows ? null : await listShownIds(tx, organizationId, chat.id)
        const dated = { createdAt: at, updatedAt: at }
        await recordAudit(tx, caller, {
          action: 'chat.shared',
          at,
          target: { type: 'chat', id: chat.id },
          details: { agent_id: chat.agentId, follows },
        })
        return putShare(tx, organizationId, { ...made, chatId: chat.id, memberId, messageIds, ...dated })
      }).catch((error) => {
        throw isForeignKeyViolation(error) ? new ChatNotFoundError() : error
      })
      return withUrl({ ...share, title: chat.title })
    },

    /** Shares of the caller's own, the newest first. */
    async list(caller: Caller, { page, page_size: limit, chat_id: chatId }: Page & { chat_id?: string | undefined }) {
      const { organizationId, workspaceId, memberId } = caller
      if (memberId === undefined) return { shares: [], total: 0 }
      const range = { memberId, chatId, limit, offset: (page - 1) * limit }
      const { shares, total } = await listShares(db, organizationId, workspaceId, range)
      return { shares: shares.map(withUrl), total }
    },

    /**
     * Ends a share at once; for the person who shared it, or an admin.
     * @throws SharedChatNotFoundError, ForbiddenError
     */
    async end(caller: Caller, id: string): Promise<void> {
      const share = await getShare(db, caller, id)
      if (share.memberId !== caller.memberId && !isAdmin(caller))
        throw new ForbiddenError('Only whoever shared the chat, and admins, stop that')
      await writes.commit(async (tx) => {
        if (!(await deleteShare(tx, caller.organizationId, share.id))) return
        await recordAudit(tx, caller, {
          action: 'chat.unshared',
          at: isoNow(clock),
          target: { type: 'chat', id: share.chatId },
          details: { agent_id: share.agentId },
        })
      })
    },

    /** A shared chat with a page of its messages, oldest first. @throws SharedChatNotFoundError */
    async read(caller: Caller, id: string, { page, page_size: limit }: Page) {
      const { organizationId, workspaceId } = caller
      const share = await getShare(db, caller, id)
      const name = await findMemberName(db, organizationId, workspaceId, share.memberId)
      // A share is closed while its person may not use the agent: they do not see the chat either.
      const sharer = { organizationId, workspaceId, rightsHolderId: share.memberId }
      const agentName = await findUsableAgentName(db, sharer, share.agentId)
      if (name === undefined || agentName === undefined) throw new SharedChatNotFoundError()
      const ids = share.messageIds ?? (await listShownIds(db, organizationId, share.chatId))
      const shown = ids.slice((page - 1) * limit, page * limit)
      const messages = await listReadMessages(db, organizationId, share.chatId, shown)
      return {
        share,
        sharedBy: name,
        agentName,
        isOwn: share.memberId === caller.memberId,
        messages: await toSharedMessages(db, caller, messages),
        total: ids.length,
      }
    },
  }
}

/** Leaves out citations of files that the reader may not read: their text was not shared, the answer was. */
async function toSharedMessages(db: Db, reader: Caller, messages: ReadMessage[]): Promise<SharedMessage[]> {
  const cited = messages.map(({ citations }) => JSON.parse(citations) as Cited[])
  const fileIds = [...new Set(cited.flat().map((citation) => citation.data_source_id))]
  const readable = await findReadableFiles(db, reader, fileIds)
  return messages.map((message, index) => {
    const all = cited[index]!
    const citations = all.filter((citation) => readable.has(citation.data_source_id))
    return { ...message, citations, hiddenCitations: all.length - citations.length }
  })
}

function requireMember({ memberId }: Caller): string {
  if (memberId === undefined) throw new ForbiddenError('Chats are shared by members of the workspace: sign in')
  return memberId
}

/** @throws SharedChatNotFoundError */
async function getShare(db: Db, { organizationId, workspaceId }: Caller, id: string): Promise<TitledShare> {
  const share = await findShare(db, organizationId, workspaceId, id)
  if (!share) throw new SharedChatNotFoundError()
  return share
}
