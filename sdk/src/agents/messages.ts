import { AnswerStream } from '../http/answer-stream.ts'
import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/** Queries with their answers. One that is not there: DocentError `MESSAGE_NOT_FOUND`. */
export const messages = (transport: Transport) => ({
  /**
   * Returns a message. `downloadable_output` adds links to the files that the answer made, valid for an hour; `usage`
   * adds its token counts and cost.
   */
  get: (agentId: string, chatId: string, id: string, query?: Query<'messages.get'>, options?: CallOptions) =>
    transport.data('GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}', [agentId, chatId, id], {
      ...options,
      query,
    }),

  /** The history, oldest first, 50 a page by default, at most 100; pages count from 1. With `usage`: what each took. */
  list: (agentId: string, chatId: string, query?: Query<'messages.list'>, options?: CallOptions) =>
    transport.list('GET /agents/{agent_id}/chats/{chat_id}/messages', [agentId, chatId], { ...options, query }),

  /** Pinned answers of own chats with all agents, newest first; texts are cut to their first 500 characters. */
  listPinned: (query: Query<'messages.listPinned'> = {}, options?: CallOptions) =>
    transport.list('GET /chats/pinned-messages', [], { ...options, query }),

  /**
   * Rights with which it was answered, and the agent's folders that they open now; for admins who may read the chat.
   * @throws DocentError `FORBIDDEN`, `MESSAGE_NOT_FOUND`
   */
  rights: (agentId: string, chatId: string, id: string, options?: CallOptions) =>
    transport.data(
      'GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}/rights',
      [agentId, chatId, id],
      options,
    ),

  /**
   * Passages that the searches of an answer found, as its model was given them, and those that it cites; files that the
   * caller may not read now are left out.
   * @throws DocentError `MESSAGE_NOT_FOUND`
   */
  retrieval: (agentId: string, chatId: string, id: string, options?: CallOptions) =>
    transport.data(
      'GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}/retrieval',
      [agentId, chatId, id],
      options,
    ),

  /** Deletes a message; one that runs is cancelled first. It leaves the agent's memory of the chat too. */
  delete: (agentId: string, chatId: string, id: string, options?: CallOptions) =>
    transport.json('DELETE /agents/{agent_id}/chats/{chat_id}/message/{message_id}', [agentId, chatId, id], options),

  /** Pins or unpins. */
  update: (agentId: string, chatId: string, id: string, changes: Body<'messages.update'>, options?: CallOptions) =>
    transport.data('PATCH /agents/{agent_id}/chats/{chat_id}/message/{message_id}', [agentId, chatId, id], {
      ...options,
      body: changes,
    }),

  /** Ends a run early; what it said so far stays. */
  cancel: (agentId: string, chatId: string, id: string, options?: CallOptions) =>
    transport.data(
      'POST /agents/{agent_id}/chats/{chat_id}/message/{message_id}/cancel',
      [agentId, chatId, id],
      options,
    ),

  /**
   * Decides what a message waits for: approves or rejects a tool call, or answers a question with `note`. The run goes
   * on in the background: follow it with `events`. @throws DocentError `MESSAGE_NOT_WAITING`
   */
  review: (agentId: string, chatId: string, id: string, decision: Body<'messages.review'>, options?: CallOptions) =>
    transport.data('POST /agents/{agent_id}/chats/{chat_id}/message/{message_id}/review', [agentId, chatId, id], {
      ...options,
      body: decision,
    }),

  /** Says whether the answer was good. */
  giveFeedback: (
    agentId: string,
    chatId: string,
    id: string,
    feedback: Body<'messages.giveFeedback'>,
    options?: CallOptions,
  ) =>
    transport.data('POST /agents/{agent_id}/chats/{chat_id}/message/{message_id}/feedback', [agentId, chatId, id], {
      ...options,
      body: feedback,
    }),

  /** The events of a run, from any of them on (all by default), while it runs and after. */
  events: (agentId: string, chatId: string, id: string, after = -1, options?: CallOptions): AnswerStream => {
    const resume = (from: number) =>
      transport.open('GET /agents/{agent_id}/chats/{chat_id}/message/{message_id}/events', [agentId, chatId, id], {
        ...options,
        query: { starting_after: from < 0 ? undefined : from },
      })
    return new AnswerStream(id, { start: () => resume(after), resume }, options?.signal)
  },
})
