import { AgentFailedError } from '../../agents/agents.ts'
import type { Db } from '../../db.ts'
import { DomainError } from '../../platform/errors.ts'
import type { AttachedFile, createAttachmentReader } from '../../retrieval/retrieval.ts'
import { findAncestors } from '../branches/branches.store.ts'
import { listChatFiles } from '../messages/message-files.store.ts'

/** Files of the chat that a run reads, the newest first. */
const MOST_CHAT_FILES = 20

export interface ChatMaterialOptions {
  db: Db
  readAttachment: ReturnType<typeof createAttachmentReader>
}

export type ChatMaterial = ReturnType<typeof createChatMaterial>

/** Material of a chat for the answer to its next message. */
export function createChatMaterial({ db, readAttachment }: ChatMaterialOptions) {
  return {
    /** Messages that one follows, in a chat with branches. */
    ancestors: (target: { organizationId: string; chatId: string; messageId: string }) =>
      findAncestors(db, target.organizationId, target),

    /**
     * Files sent with the message and with those that it follows.
     * @param ownFiles number of the message's first files that count as sent with it; all if it is not given
     * @param ancestors messages that it follows, the nearest first, in a chat with branches
     * @throws AgentFailedError that names a file of the message that cannot be read
     */
    async files(
      {
        organizationId,
        chatId,
        messageId,
        ownFiles = Number.POSITIVE_INFINITY,
      }: { organizationId: string; chatId: string; messageId: string; ownFiles?: number | undefined },
      ancestors: string[] | undefined,
      signal: AbortSignal,
    ): Promise<AttachedFile[]> {
      const files: AttachedFile[] = []
      const among = ancestors && [messageId, ...ancestors]
      let seen = 0
      for (const stored of await listChatFiles(db, organizationId, chatId, { among, limit: MOST_CHAT_FILES })) {
        const isFromBefore = stored.messageId !== messageId || ++seen > ownFiles
        try {
          files.push({ ...(await readAttachment(organizationId, stored, signal)), isFromBefore })
        } catch (error) {
          if (!(error instanceof DomainError)) throw error
          if (isFromBefore) continue
          throw new AgentFailedError(`${stored.fileName}: ${error.message}`, { cause: error })
        }
      }
      return files
    },
  }
}
