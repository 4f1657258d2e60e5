import type { Db } from '../../db.ts'
import { findMessage } from './messages.store.ts'
import { linksOf, type OutputService } from './outputs.service.ts'

/** The result of an asynchronous query, as its webhook tells it, with links that are signed at each call. */
export function createMessageBody({ db, outputs }: { db: Db; outputs: OutputService }) {
  /** @returns undefined for a message that was deleted. */
  return async (organizationId: string, messageId: string) => {
    const message = await findMessage(db, organizationId, messageId)
    if (!message) return undefined
    const files = await outputs.listFiles(organizationId, [messageId])
    return {
      status: message.error_message === null ? 'success' : 'error',
      error_message: message.error_message,
      data: {
        id: message.id,
        query: message.query,
        response: message.response,
        chat_id: message.chat_id,
        agent_id: message.agent_id,
        created_at: message.created_at,
        updated_at: message.updated_at,
        message_type: message.message_type,
        is_pinned: message.is_pinned === 1,
        downloadable_output: linksOf(files.get(messageId)),
        reasoning: message.reasoning,
        quick_action_id: message.quick_action_id,
        quick_action_fields_with_values: JSON.parse(message.quick_action_fields),
        citations: JSON.parse(message.citations),
      },
    }
  }
}
