import type { Db } from '../db.ts'
import { findMessage } from './messages.store.ts'

/** The result of an asynchronous query, as its webhook tells it. */
export function createMessageBody({ db }: { db: Db }) {
  /** @returns undefined for a message that was deleted. */
  return async (organizationId: string, messageId: string) => {
    const message = await findMessage(db, organizationId, messageId)
    if (!message) return undefined
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
        downloadable_output: {},
        reasoning: message.reasoning,
        quick_action_id: message.quick_action_id,
        quick_action_fields_with_values: JSON.parse(message.quick_action_fields),
        citations: JSON.parse(message.citations),
      },
    }
  }
}
