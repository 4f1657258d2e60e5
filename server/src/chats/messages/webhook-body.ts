import type { z } from 'zod'
import type { Caller } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { isOwnChat } from '../chat/chats.access.ts'
import { findChat } from '../chat/chats.store.ts'
import type { OutputService } from '../outputs/outputs.service.ts'
import { MessageResult, type WebhookBody } from './messages.schemas.ts'
import { findMessage, type MessageRecord } from './messages.store.ts'
import { toWire } from './messages.wire.ts'

const FIELDS = MessageResult.keyof().options

/** The result of an asynchronous query, as its webhook tells it, with links that are signed at each call. */
export function createMessageBodies({ db, outputs }: { db: Db; outputs: OutputService }) {
  async function toBody(organizationId: string, message: MessageRecord): Promise<z.infer<typeof WebhookBody>> {
    const files = await outputs.listFiles(organizationId, [message.id])
    const whole = toWire(message, { files: files.get(message.id) ?? [] })
    return {
      status: message.errorMessage === null ? 'success' : 'error',
      error_message: message.errorMessage,
      data: Object.fromEntries(FIELDS.map((field) => [field, whole[field]])) as z.infer<typeof MessageResult>,
    }
  }

  return {
    /** @returns undefined for a message that was deleted */
    async messageBody(organizationId: string, messageId: string) {
      const message = await findMessage(db, organizationId, messageId)
      return message && toBody(organizationId, message)
    },

    /** @returns undefined also for a message in a chat that is another member's own */
    async messageBodyFor(caller: Caller, messageId: string) {
      const { organizationId, workspaceId } = caller
      const message = await findMessage(db, organizationId, messageId)
      if (!message) return undefined
      const { agentId, chatId } = message
      const chat = await findChat(db, organizationId, { workspaceId, agentId }, chatId)
      return chat && isOwnChat(caller, chat) ? toBody(organizationId, message) : undefined
    },
  }
}
