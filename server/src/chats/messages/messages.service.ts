import type { Caller } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { ERROR_CODES } from '../../platform/error-codes/error-codes.ts'
import { DomainError } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import { listNodes } from '../branches/branches.store.ts'
import { versionsOf } from '../branches/tree.ts'
import type { ChatLevel } from '../chat/chats.access.ts'
import { ChatListQuery, type ChatPath } from '../chat/chats.schemas.ts'
import type { ChatService } from '../chat/chats.service.ts'
import type { ThreadRecord } from '../chat/chats.store.ts'
import { MessageNotFoundError } from '../chats.errors.ts'
import type { Readable } from '../events/event-batch.ts'
import type { StreamEvent } from '../events/events.schemas.ts'
import type { ChatMemoryService } from '../memory/memory.service.ts'
import type { ReviewDecision } from '../reviews/reviews.schemas.ts'
import type { ReviewService } from '../reviews/reviews.service.ts'
import type { Follower } from '../runs/directory/followed-events.ts'
import type { Runs } from '../runs/runs.ts'
import { eventsOf } from '../runs/stored/stored-events.ts'
import { withReadableCitations } from './citations/readable-citations.ts'
import { readableEvents } from './citations/readable-events.ts'
import { findReadableLog } from './citations/readable-log.ts'
import { deleteBlobRows } from './message-blobs.store.ts'
import { type ChatFile, listFilesOfMessages } from './message-files.store.ts'
import { updateMessage } from './message-life.batches.store.ts'
import { findMessageRetrieval, type MessageRetrieval } from './message-retrieval.ts'
import { findMessageRights, type MessageRights, type MessageRightsOptions } from './message-rights.ts'
import { countMessages, type ShownMessage, selectPage, type UsedOfMessage } from './messages.history.store.ts'
import type { Feedback, History, MessagePath, UpdateMessage } from './messages.schemas.ts'
import {
  deleteMessage,
  findMessage,
  listRatedMessages,
  type MessageRecord,
  type RatedMessage,
} from './messages.store.ts'

export interface MessageServiceOptions extends Pick<KernelParts, 'queue' | 'writes'>, MessageRightsOptions {
  chats: ChatService
  runs: Runs
  follower: Follower
  reviews: ReviewService
  chatMemory: Pick<ChatMemoryService, 'forget'>
}

export class MessageService {
  readonly #options: MessageServiceOptions

  constructor(options: MessageServiceOptions) {
    this.#options = options
  }

  /** @throws AgentNotFoundError, ChatNotFoundError, MessageNotFoundError: the innermost that does not belong. */
  async get(caller: Caller, path: MessagePath, level: ChatLevel = 'read'): Promise<MessageRecord> {
    await this.#options.chats.get(caller, path, level)
    return this.#find(caller, path, path.message_id)
  }

  /** A message with the ids of its versions, if there are several. @throws as `get` */
  async getWithVersions(caller: Caller, path: MessagePath) {
    const chat = await this.#options.chats.get(caller, path, 'read')
    const found = await this.#find(caller, path, path.message_id)
    const [message] = await withReadableCitations(this.#options.db, caller, [found])
    return { message: message!, versions: (await this.#findVersions(caller, chat)).get(found.id) }
  }

  /** A message as it is stored, with the events that tell it, as far as the caller may see them. @throws as `get` */
  async getWithEvents(
    caller: Caller,
    path: MessagePath,
  ): Promise<{ message: MessageRecord; events: readonly StreamEvent[] }> {
    const { db } = this.#options
    const stored = await this.get(caller, path)
    const [message] = await withReadableCitations(db, caller, [stored])
    return { message: message!, events: eventsOf(message!, await findReadableLog(db, caller, stored)) }
  }

  /** Rights with which a message was answered. @throws as `get` */
  async getRights(caller: Caller, path: MessagePath): Promise<MessageRights> {
    const chat = await this.#options.chats.get(caller, path, 'read')
    const message = await this.#find(caller, path, path.message_id)
    return findMessageRights(this.#options, caller, chat, message)
  }

  async getRetrieval(caller: Caller, path: MessagePath): Promise<MessageRetrieval> {
    await this.#options.chats.get(caller, path, 'read')
    return findMessageRetrieval(this.#options.db, caller, await this.#find(caller, path, path.message_id))
  }

  /** The path of a message that the caller may read, by its id alone; undefined where there is none. */
  async findPath(caller: Caller, messageId: string): Promise<MessagePath | undefined> {
    const message = isId(messageId) ? await findMessage(this.#options.db, caller.organizationId, messageId) : undefined
    if (!message) return undefined
    const path = { agent_id: message.agentId, chat_id: message.chatId, message_id: message.id }
    try {
      await this.#options.chats.get(caller, path, 'read')
      return path
    } catch (error) {
      if (error instanceof DomainError && ERROR_CODES[error.code].status === 404) return undefined
      throw error
    }
  }

  /** @throws MessageNotFoundError for a `from_message` that is not in the chat. */
  async history(caller: Caller, path: ChatPath, { from_message, page, page_size, order, usage }: History) {
    const { db, chats } = this.#options
    const { organizationId } = caller
    const at = { chatId: path.chat_id, order, limit: page_size, offset: (page - 1) * page_size, usage }
    if (from_message === null) {
      const whole = await chats.getWithRows(caller, path, selectPage(db, organizationId, at))
      const isWhole = whole.chat.leafId === null
      const total = isWhole ? whole.chat.messageCount : await countMessages(db, organizationId, allOf(path.chat_id))
      return this.#withFiles(caller, whole.chat, whole.rows, total)
    }
    await chats.get(caller, path, 'read')
    const first = await this.#find(caller, path, from_message)
    const from = { createdAt: first.createdAt, id: first.id }
    const total = await countMessages(db, organizationId, { chatId: path.chat_id, from })
    const rest = await chats.getWithRows(caller, path, selectPage(db, organizationId, { ...at, from }))
    return this.#withFiles(caller, rest.chat, rest.rows, total)
  }

  /** Answers of an agent that were rated so, in the newest chats with some that the caller may read. */
  async listRated(
    caller: Caller,
    agentId: string,
    { rating, limit }: { rating: 'up' | 'down'; limit: number },
  ): Promise<RatedMessage[]> {
    const { db, chats } = this.#options
    const query = ChatListQuery.parse({ feedback: rating, page_size: '100' })
    const chatIds = (await chats.list(caller, agentId, query)).chats.map(({ id }) => id)
    if (chatIds.length === 0) return []
    return listRatedMessages(db, caller.organizationId, { agentId, chatIds, rating, limit })
  }

  async #withFiles(caller: Caller, chat: ThreadRecord, rows: (ShownMessage & UsedOfMessage)[], total: number) {
    const messages = await withReadableCitations(this.#options.db, caller, rows)
    const sentFiles = chat.hasFiles ? await this.sentWith(caller, messages) : []
    return { messages, total, sentFiles, versions: await this.#findVersions(caller, chat) }
  }

  /** Versions of the messages of a chat, by message; only where there are several. */
  async #findVersions({ organizationId }: Caller, { id, leafId }: ThreadRecord): Promise<Map<string, string[]>> {
    if (leafId === null) return new Map()
    const all = versionsOf(await listNodes(this.#options.db, organizationId, id))
    return new Map([...all].filter(([, ids]) => ids.length > 1))
  }

  /** The files that were sent with messages that the caller may see. */
  sentWith({ organizationId }: Caller, messages: { id: string }[]): Promise<ChatFile[]> {
    const ids = messages.map(({ id }) => id)
    return listFilesOfMessages(this.#options.db, organizationId, ids)
  }

  async update(caller: Caller, path: MessagePath, change: UpdateMessage): Promise<MessageRecord> {
    const message = await this.get(caller, path, 'write')
    if (change.is_pinned === undefined) return message
    const changes = { isPinned: change.is_pinned ? 1 : 0 }
    await this.#options.writes.commit((tx) => updateMessage(tx, caller.organizationId, message.id, changes))
    return { ...message, ...changes }
  }

  async giveFeedback(caller: Caller, path: MessagePath, { rating, comment }: Feedback): Promise<MessageRecord> {
    const message = await this.get(caller, path, 'write')
    const changes = { feedbackRating: rating, feedbackComment: rating === null ? null : comment }
    await this.#options.writes.commit((tx) => updateMessage(tx, caller.organizationId, message.id, changes))
    return { ...message, ...changes }
  }

  /** Continues a message whose review is decided, in the background. @throws MessageNotWaitingError */
  async review(caller: Caller, path: MessagePath, decision: ReviewDecision): Promise<MessageRecord> {
    const message = await this.get(caller, path, 'review')
    await this.#options.reviews.decide(caller, message, decision)
    return this.#find(caller, path, message.id)
  }

  /** Ends the run early and waits for its end; what it said stays. A message that is completed stays as it is. */
  async cancel(caller: Caller, path: MessagePath): Promise<MessageRecord> {
    const message = await this.get(caller, path, 'write')
    await this.#end(message)
    return this.#find(caller, path, message.id)
  }

  /** The message's events, those that were and those that come, for readers who left or come late. */
  async events(caller: Caller, path: MessagePath): Promise<Readable> {
    const message = await this.get(caller, path)
    const { db, follower } = this.#options
    return readableEvents(db, caller, message, () => follower.events(caller.organizationId, message.id))
  }

  /** A message that runs is cancelled first. It leaves the agent's memory of the chat, too. */
  async remove(caller: Caller, path: MessagePath): Promise<void> {
    const { writes, runs, queue, chatMemory } = this.#options
    const message = await this.get(caller, path, 'write')
    await this.#end(message)
    await writes.commit(async (tx) => {
      await deleteMessage(tx, caller.organizationId, message)
      const { id, chatId, createdAt } = message
      await chatMemory.forget(tx, caller.organizationId, [{ id, chatId, createdAt }])
      const blobKeys = await deleteBlobRows(tx, caller.organizationId, [message.id])
      if (blobKeys.length > 0) await queue.enqueue(tx, caller.organizationId, 'drive.remove-blobs', { blobKeys })
    })
    // It may have begun to run in between.
    await runs.cancel(caller.organizationId, message.id)
  }

  async #find({ organizationId }: Caller, path: ChatPath, messageId: string): Promise<MessageRecord> {
    const message = await findMessage(this.#options.db, organizationId, messageId)
    if (!message || message.chatId !== path.chat_id) throw new MessageNotFoundError()
    return message
  }

  /** Ends early what runs or waits. */
  async #end({ organizationId, id }: MessageRecord): Promise<void> {
    const { db, runs, reviews } = this.#options
    await runs.cancel(organizationId, id)
    // It may have come to a review meanwhile.
    const now = await findMessage(db, organizationId, id)
    if (now) await reviews.cancel(now)
  }
}

/** Range of all messages of a chat. */
const allOf = (chatId: string) => ({ chatId, from: { createdAt: '', id: '' } })
