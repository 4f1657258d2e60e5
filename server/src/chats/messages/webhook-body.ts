import type { z } from 'zod'
import type { Db } from '../../db.ts'
import type { OutputService } from '../outputs/outputs.service.ts'
import { MessageResult, type WebhookBody } from './messages.schemas.ts'
import { findMessage } from './messages.store.ts'
import { toWire } from './messages.wire.ts'

const FIELDS = MessageResult.keyof().options

/** The result of an asynchronous query, as its webhook tells it, with links that are signed at each call. */
export function createMessageBody({ db, outputs }: { db: Db; outputs: OutputService }) {
  /** @returns undefined for a message that was deleted. */
  return async (organizationId: string, messageId: string): Promise<z.infer<typeof WebhookBody> | undefined> => {
    const message = await findMessage(db, organizationId, messageId)
    if (!message) return undefined
    const files = await outputs.listFiles(organizationId, [messageId])
    const whole = toWire(message, { files: files.get(messageId) ?? [] })
    return {
      status: message.errorMessage === null ? 'success' : 'error',
      error_message: message.errorMessage,
      data: Object.fromEntries(FIELDS.map((field) => [field, whole[field]])) as z.infer<typeof MessageResult>,
    }
  }
}
