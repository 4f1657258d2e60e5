import { type AnswerStream, followRun } from './event-stream.ts'
import type { Body, Query } from './operations.ts'
import { at, type CallOptions, type Transport } from './transport.ts'

/** Queries with their answers. One that is not there: DocentError `MESSAGE_NOT_FOUND`. */
export const messages = (transport: Transport) => {
  const chat = (agentId: string, chatId: string) => at`/agents/${agentId}/chats/${chatId}`
  const one = (agentId: string, chatId: string, id: string) => chat(agentId, chatId) + at`/message/${id}`
  return {
    /** With `downloadable_output`: links to the files that the answer made, good for an hour; with `usage`: what it took. */
    get: (agentId: string, chatId: string, id: string, query?: Query<'messages.get'>, options?: CallOptions) =>
      transport.data<'messages.get'>('GET', one(agentId, chatId, id), { ...options, query }),

    /** The history, oldest first, 50 a page if not told otherwise, at most 100; pages count from 1. With `usage`: what each took. */
    list: (agentId: string, chatId: string, query?: Query<'messages.list'>, options?: CallOptions) =>
      transport.data<'messages.list'>('GET', `${chat(agentId, chatId)}/messages`, { ...options, query }),

    /** Deletes a message; one that runs is cancelled first. It leaves the agent's memory of the chat too. */
    delete: (agentId: string, chatId: string, id: string, options?: CallOptions) =>
      transport.json<'messages.delete'>('DELETE', one(agentId, chatId, id), options),

    /** Pins or unpins. */
    update: (agentId: string, chatId: string, id: string, changes: Body<'messages.update'>, options?: CallOptions) =>
      transport.data<'messages.update'>('PATCH', one(agentId, chatId, id), { ...options, body: changes }),

    /** Ends a run early; what it said so far stays. */
    cancel: (agentId: string, chatId: string, id: string, options?: CallOptions) =>
      transport.data<'messages.cancel'>('POST', `${one(agentId, chatId, id)}/cancel`, options),

    /**
     * Decides what a message waits for: approves or rejects a tool call, or answers a question with `note`. The run goes
     * on in the background: follow it with `events`. @throws DocentError `MESSAGE_NOT_WAITING`
     */
    review: (agentId: string, chatId: string, id: string, decision: Body<'messages.review'>, options?: CallOptions) =>
      transport.data<'messages.review'>('POST', `${one(agentId, chatId, id)}/review`, { ...options, body: decision }),

    /** Says whether the answer was good. */
    giveFeedback: (
      agentId: string,
      chatId: string,
      id: string,
      feedback: Body<'messages.giveFeedback'>,
      options?: CallOptions,
    ) =>
      transport.data<'messages.giveFeedback'>('POST', `${one(agentId, chatId, id)}/feedback`, {
        ...options,
        body: feedback,
      }),

    /** The events of a run, from any of them on (all, if not told otherwise), while it runs and after. */
    events: (agentId: string, chatId: string, id: string, after = -1, options?: CallOptions): AnswerStream => {
      const resume = (from: number) =>
        transport.open('GET', `${one(agentId, chatId, id)}/events`, {
          ...options,
          query: { starting_after: from < 0 ? undefined : from },
        })
      return Object.assign(followRun({ start: () => resume(after), resume }, options?.signal), { messageId: id })
    },
  }
}
