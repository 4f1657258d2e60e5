import { AgentFailedError } from '../../agents/agents.errors.ts'
import type { Db } from '../../db.ts'
import { DomainError } from '../../platform/errors.ts'
import type { ModelMessage } from '../../platform/models/model.ts'
import type { AttachedFile } from '../../retrieval/attached-files.ts'
import type { createAttachmentReader } from '../../retrieval/read-attachment.ts'
import { listChatFiles } from '../message-files.store.ts'
import { listRecentAnswers } from '../messages.history.store.ts'

/** Messages of the chat that an agent remembers, as far as they fit into its model's window. */
const REMEMBERED_MESSAGES = 20
/** Files of the chat that a run reads, the newest first. */
const REMEMBERED_FILES = 20
const REMEMBERED_SHARE = 0.5
/** Characters that a token has at least, in most languages and models: a careful estimate. */
const CHARACTERS_PER_TOKEN = 3

export interface ChatMaterialOptions {
  db: Db
  readAttachment: ReturnType<typeof createAttachmentReader>
}

export type ChatMaterial = ReturnType<typeof createChatMaterial>

/** What a chat brings along for the answer to its next message. */
export function createChatMaterial({ db, readAttachment }: ChatMaterialOptions) {
  return {
    /** Earlier turns of the chat, oldest first, as far as they fit. */
    async recall(organizationId: string, chatId: string, contextTokens: number): Promise<ModelMessage[]> {
      const answers = await listRecentAnswers(db, organizationId, chatId, REMEMBERED_MESSAGES)
      let room = contextTokens * REMEMBERED_SHARE * CHARACTERS_PER_TOKEN
      const messages: ModelMessage[] = []
      for (const { query, response } of answers) {
        room -= query.length + response.length
        if (room < 0) break
        messages.unshift({ role: 'user', content: query }, { role: 'assistant', content: response })
      }
      return messages
    },

    /**
     * What was sent with the message and with earlier ones of its chat.
     * @throws AgentFailedError that names a file of the message that cannot be read
     */
    async files(
      { organizationId, chatId, messageId }: { organizationId: string; chatId: string; messageId: string },
      signal: AbortSignal,
    ): Promise<AttachedFile[]> {
      const files: AttachedFile[] = []
      for (const stored of await listChatFiles(db, organizationId, chatId, REMEMBERED_FILES)) {
        try {
          files.push(await readAttachment(stored, signal))
        } catch (error) {
          if (!(error instanceof DomainError)) throw error
          if (stored.messageId !== messageId) continue
          throw new AgentFailedError(`${stored.fileName}: ${error.message}`, { cause: error })
        }
      }
      return files
    },
  }
}
