import type { Caller } from '../access/caller.ts'
import type { Db, Writes } from '../db.ts'
import { MessageNotFoundError } from './chats.errors.ts'
import type { ChatPath } from './chats.schemas.ts'
import type { ChatService } from './chats.service.ts'
import type { History, MessagePath } from './messages.schemas.ts'
import { deleteMessage, findMessage, listMessages, type MessageRow } from './messages.store.ts'
import type { Runs } from './runs/runs.ts'

export type MessageService = ReturnType<typeof createMessageService>

export interface MessageServiceOptions {
  db: Db
  writes: Writes
  chats: ChatService
  runs: Runs
}

export function createMessageService({ db, writes, chats, runs }: MessageServiceOptions) {
  async function find(caller: Caller, path: ChatPath, messageId: string): Promise<MessageRow> {
    const message = await findMessage(db, caller.organizationId, messageId)
    if (!message || message.chat_id !== path.chat_id) throw new MessageNotFoundError()
    return message
  }

  return {
    /** @throws AgentNotFoundError, ChatNotFoundError, MessageNotFoundError: the innermost that does not belong. */
    async get(caller: Caller, path: MessagePath): Promise<MessageRow> {
      await chats.get(caller, path)
      return find(caller, path, path.message_id)
    },

    /** @throws MessageNotFoundError for a `from_message` that is not in the chat. */
    async history(caller: Caller, path: ChatPath, { from_message, page, page_size, order }: History) {
      await chats.get(caller, path)
      const first = from_message === null ? undefined : await find(caller, path, from_message)
      return listMessages(db, caller.organizationId, path.chat_id, {
        from: first && { createdAt: first.created_at, id: first.id },
        order,
        limit: page_size,
        offset: (page - 1) * page_size,
      })
    },

    /** A message that runs is cancelled first. It leaves the agent's memory of the chat, too. */
    async remove(caller: Caller, path: MessagePath): Promise<void> {
      await chats.get(caller, path)
      const message = await find(caller, path, path.message_id)
      await runs.cancel(caller.organizationId, message.id)
      await writes.commit((tx) => deleteMessage(tx, caller.organizationId, message.id))
    },
  }
}
