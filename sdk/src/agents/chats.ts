import { AnswerStream } from '../http/answer-stream.ts'
import { converted } from '../http/call.ts'
import type { CallOptions, Transport } from '../http/transport.ts'
import { newObjectId } from '../object-id.ts'
import type { Body, Query } from '../operations.ts'
import type { SendQuery } from '../types.ts'
import { messages } from './messages.ts'

/** A query; `is_stream` follows from the method. */
export type Question = Omit<SendQuery, 'is_stream'>

/** Filters of a list of chats. */
export type ChatFilter = Query<'chats.list'> & { metadata?: Record<string, string> }

/** A run may take ten minutes, and wait for others in its chat before. */
const ANSWER_TIMEOUT_MS = 900_000

/** Conversations with an agent. A chat or agent that is not there: DocentError `CHAT_NOT_FOUND`, `AGENT_NOT_FOUND`. */
export const chats = (transport: Transport) => ({
  /** Titled `New Chat`, of type `standard` by default. */
  create: (agentId: string, chat: Body<'chats.create'> = {}, options?: CallOptions) =>
    converted(
      transport.data('POST /agents/{agent_id}/chats', [agentId], { ...options, body: chat }),
      (made) => made.chat,
    ),

  /**
   * Newest first, 50 a page by default; pages count from 1. What is given narrows the list: `chat_type`,
   * `virtual_user_email` (who asked in it), `search` (part of the title), `metadata` (values that its own must have),
   * `scope` (`own`: without those of others that the caller may see), `project_id`.
   */
  list: (agentId: string, { metadata, ...query }: ChatFilter = {}, options?: CallOptions) =>
    transport.list('GET /agents/{agent_id}/chats', [agentId], {
      ...options,
      query: { ...query, ...prefixed(metadata) },
    }),

  /**
   * Messages of the caller's own chats that hold all words of `query`, newest chats first; 20 by default. `is_complete`
   * is false where older chats may have more.
   */
  search: (query: Query<'chats.search'>, options?: CallOptions) =>
    transport.data('GET /chats/search', [], { ...options, query }),

  /** Own chats with all agents, the last used first; `archived` and `pinned` narrow it to those or to the others. */
  listOwn: (query: Query<'chats.listOwn'> = {}, options?: CallOptions) =>
    transport.list('GET /chats', [], { ...options, query }),

  /** Does the same with up to 100 chats. Those that are not the caller's to change come back as `missing_ids`. */
  changeMany: (chatIds: string[], action: Body<'chats.changeMany'>['action'], options?: CallOptions) =>
    transport.data('POST /chats/batch', [], { ...options, body: { chat_ids: chatIds, action } }),

  /**
   * The chat as a document (`md`, `pdf`), or with its messages as this API has them (`json`): a fetch Response.
   * @throws DocentError `CHAT_NOT_EXPORTABLE`
   */
  export: (agentId: string, chatId: string, format: Query<'chats.export'>['format'], options?: CallOptions) =>
    transport.open('GET /agents/{agent_id}/chats/{chat_id}/export', [agentId, chatId], {
      ...options,
      query: { format },
    }),

  /**
   * Shares an own chat with the members of the workspace: as it is now, or with `follows` as it is at any time. Shared
   * again, it keeps its link. Needs a member: a session, a personal key.
   */
  share: (agentId: string, chatId: string, share: Body<'chats.share'> = {}, options?: CallOptions) =>
    transport.data('PUT /agents/{agent_id}/chats/{chat_id}/share', [agentId, chatId], { ...options, body: share }),

  /** Chats that the caller shared, the newest share first; `chat_id` narrows it to one chat. */
  listShared: (query: Query<'chats.listShared'> = {}, options?: CallOptions) =>
    transport.list('GET /chats/shared', [], { ...options, query }),

  /**
   * A chat that somebody shared, with a page of its messages, oldest first. Passages that the caller may not read are
   * left out and counted.
   * @throws DocentError `SHARED_CHAT_NOT_FOUND`
   */
  readShared: (sharedChatId: string, query: Query<'chats.readShared'> = {}, options?: CallOptions) =>
    transport.data('GET /shared-chats/{shared_chat_id}', [sharedChatId], { ...options, query }),

  /** Ends a share at once. @throws DocentError `SHARED_CHAT_NOT_FOUND` */
  unshare: (sharedChatId: string, options?: CallOptions) =>
    transport.data('DELETE /shared-chats/{shared_chat_id}', [sharedChatId], options),

  get: (agentId: string, chatId: string, options?: CallOptions) =>
    transport.data('GET /agents/{agent_id}/chats/{chat_id}', [agentId, chatId], options),

  /** Renames, archives, pins, replaces the metadata as a whole, or moves it into a project (`project_id`, null for out of it). */
  update: (agentId: string, chatId: string, changes: Body<'chats.update'>, options?: CallOptions) =>
    transport.data('PATCH /agents/{agent_id}/chats/{chat_id}', [agentId, chatId], { ...options, body: changes }),

  /** Deletes it with its messages; what runs in it is cancelled. */
  delete: (agentId: string, chatId: string, options?: CallOptions) =>
    transport.data('DELETE /agents/{agent_id}/chats/{chat_id}', [agentId, chatId], options),

  /**
   * Asks, and waits for the whole answer: `{text, message_id}`; citations and more are in `messages.get`. The message
   * id is the key to retries, so what fails on the way is sent again, and runs once.
   * @throws DocentError `AGENT_FAILED` when the run failed, `MESSAGE_ID_CONFLICT` when the id belongs to another query
   */
  query: (agentId: string, chatId: string, question: Question, options?: CallOptions) => {
    const body = { ...question, message_id: question.message_id ?? newObjectId(), is_stream: false }
    const request = { timeoutMs: ANSWER_TIMEOUT_MS, ...options, body, isIdempotent: true }
    return transport.data('POST /agents/{agent_id}/chats/{chat_id}/query', [agentId, chatId], request)
  },

  /**
   * Asks, and gives the answer as it comes, event by event. A broken connection is resumed where it was. To
   * leave the loop ends the reading; the run continues (`messages.cancel` ends it). `text()` gives the text alone, and
   * `final()` what it came to.
   * @throws DocentError, while it is read: `AGENT_FAILED` when the run fails, `CANCELLED` when somebody cancels it
   */
  stream: (agentId: string, chatId: string, question: Question, options?: CallOptions): AnswerStream => {
    const messageId = question.message_id ?? newObjectId()
    const body = { ...question, message_id: messageId, is_stream: true }
    const start = { ...options, body, isIdempotent: true }
    const source = {
      start: () => transport.open('POST /agents/{agent_id}/chats/{chat_id}/query', [agentId, chatId], start),
      resume: (after: number) =>
        transport.open(
          'GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}/events',
          [agentId, chatId, messageId],
          {
            ...options,
            query: { starting_after: after },
          },
        ),
    }
    return new AnswerStream(messageId, source, options?.signal)
  },

  /**
   * Asks in the background: the answer is sent to `webhook_url`. Returns the id of the message. What fails on the way is
   * sent again, and runs once.
   * @throws DocentError `WEBHOOK_URL_NOT_ALLOWED`
   */
  queryAsync: (agentId: string, chatId: string, question: Body<'chats.queries.createAsync'>, options?: CallOptions) => {
    const body = { ...question, message_id: question.message_id ?? newObjectId() }
    const request = { ...options, body, isIdempotent: true }
    const route = 'POST /agents/{agent_id}/chats/{chat_id}/async_query'
    return converted(transport.data(route, [agentId, chatId], request), (accepted) => accepted.message_id)
  },

  messages: messages(transport),
})

/** Turns each pair into a query parameter of its own: `metadata.KEY=VALUE`. */
const prefixed = (metadata: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value]))
