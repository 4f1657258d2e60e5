import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Caller } from '../../access/access.ts'
import { reach, streamsOf } from '../../access/access.ts'
import type { OpenStreams } from '../../platform/cluster/limits/open-streams.ts'
import { invalidFields, ValidationError } from '../../platform/errors.ts'
import { problemsOf } from '../../platform/http/validation/issue-places.ts'
import { ErrorResponse } from '../../platform/http/validation/schemas.ts'
import { valuesOfTexts } from '../../platform/http/validation/text-form.ts'
import { ChatPath } from '../chat/chats.schemas.ts'
import { StreamEvent } from '../events/events.schemas.ts'
import { lastEventId, sseReader, streamEvents } from '../events/stream-events.ts'
import type { OutputService } from '../outputs/outputs.service.ts'
import { ReviewDecision } from '../reviews/reviews.schemas.ts'
import type { ReviewService } from '../reviews/reviews.service.ts'
import type { ShownMessage } from './messages.history.store.ts'
import {
  EventsQuery,
  Feedback,
  History,
  HistoryQuery,
  HistoryReply,
  MessagePath,
  MessageQuery,
  MessageReply,
  MessageRetrievalReply,
  MessageRightsReply,
  UpdateMessage,
} from './messages.schemas.ts'
import type { MessageService } from './messages.service.ts'
import { type Beside, toWire, usageOf } from './messages.wire.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 404: ErrorResponse }
const tags = ['Messages']

export interface MessageRoutesOptions {
  messages: MessageService
  reviews: ReviewService
  outputs: OutputService
  openStreams: OpenStreams
}

const onMessage = [reach.agent('use'), reach.part('chat'), reach.part('message')]

export const messageRoutes =
  ({ messages, reviews, outputs, openStreams }: MessageRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    /** The files that their tools made, by message. */
    const outputsOf = ({ organizationId }: Caller, rows: ShownMessage[]) =>
      outputs.listFiles(
        organizationId,
        rows.filter(({ outputCount }) => outputCount > 0).map(({ id }) => id),
      )

    async function reply({ organizationId }: Caller, row: ShownMessage, beside?: Beside) {
      const waiting = await reviews.findPending(organizationId, [row])
      return { data: toWire(row, { review: waiting.get(row.id), ...beside }) }
    }

    app.get(
      '/agents/:agent_id/chats/:chat_id/message/:message_id',
      {
        config: { access: { who: 'caller', on: onMessage, visitors: true, virtualUsers: true } },
        schema: {
          operationId: 'messages.get',
          tags,
          summary: 'Get a message',
          params: MessagePath,
          querystring: MessageQuery,
          response: { 200: MessageReply, ...errors },
        },
      },
      async ({ caller, params, query }) => {
        const { message, versions } = await messages.getWithVersions(caller, params)
        const made = query.downloadable_output && (await outputsOf(caller, [message]))
        const files = made ? (made.get(message.id) ?? []) : undefined
        const sent = await messages.sentWith(caller, [message])
        return reply(caller, message, { files, sent, versions, usage: query.usage ? usageOf(message) : undefined })
      },
    )

    app.get(
      '/agents/:agent_id/chats/:chat_id/messages',
      {
        config: {
          access: { who: 'caller', on: [reach.agent('use'), reach.part('chat')], visitors: true, virtualUsers: true },
        },
        schema: {
          operationId: 'messages.list',
          tags,
          summary: 'Get the message history: parameters in the JSON body, or in the query string',
          params: ChatPath,
          querystring: HistoryQuery,
          response: { 200: HistoryReply, ...errors },
        },
      },
      async ({ caller, params, query, body }) => {
        const history = readHistory(query, body)
        const { messages: rows, total, sentFiles, versions } = await messages.history(caller, params, history)
        const sent = Map.groupBy(sentFiles, ({ messageId }) => messageId)
        const made = await outputsOf(caller, rows)
        const waiting = await reviews.findPending(caller.organizationId, rows)
        const { page, page_size, usage } = history
        const shown = rows.map((row) =>
          toWire(row, {
            review: waiting.get(row.id),
            files: made.get(row.id) ?? [],
            sent: sent.get(row.id) ?? [],
            usage: usage ? usageOf(row) : undefined,
            versions: versions.get(row.id),
          }),
        )
        return {
          data: { messages: shown, total, page, page_size, count: rows.length, has_more: page * page_size < total },
        }
      },
    )

    app.get(
      '/agents/:agent_id/chats/:chat_id/message/:message_id/rights',
      {
        config: { access: { who: 'admin', on: onMessage } },
        schema: {
          operationId: 'messages.rights',
          tags,
          summary: 'Show as which rights a message was answered, to admins who may read the chat',
          params: MessagePath,
          response: { 200: MessageRightsReply, ...errors, 403: ErrorResponse },
        },
      },
      async ({ caller, params }) => ({ data: await messages.getRights(caller, params) }),
    )

    app.get(
      '/agents/:agent_id/chats/:chat_id/message/:message_id/retrieval',
      {
        config: { access: { who: 'caller', on: onMessage, virtualUsers: 'keys' } },
        schema: {
          operationId: 'messages.retrieval',
          tags,
          summary: 'Show what the searches of an answer found, as its model was given it, and what it cites',
          params: MessagePath,
          response: { 200: MessageRetrievalReply, ...errors },
        },
      },
      async ({ caller, params }) => ({ data: await messages.getRetrieval(caller, params) }),
    )

    app.patch(
      '/agents/:agent_id/chats/:chat_id/message/:message_id',
      {
        config: { access: { who: 'caller', on: onMessage, virtualUsers: 'keys' } },
        schema: {
          operationId: 'messages.update',
          tags,
          summary: 'Pin or unpin a message',
          params: MessagePath,
          body: UpdateMessage,
          response: { 200: MessageReply, ...errors },
        },
      },
      async ({ caller, params, body }) => reply(caller, await messages.update(caller, params, body)),
    )

    app.post(
      '/agents/:agent_id/chats/:chat_id/message/:message_id/feedback',
      {
        config: { access: { who: 'caller', on: onMessage, visitors: true, virtualUsers: true } },
        schema: {
          operationId: 'messages.giveFeedback',
          tags,
          summary: 'Say whether the answer was good',
          params: MessagePath,
          body: Feedback,
          response: { 200: MessageReply, ...errors },
        },
      },
      async ({ caller, params, body }) => reply(caller, await messages.giveFeedback(caller, params, body)),
    )

    app.post(
      '/agents/:agent_id/chats/:chat_id/message/:message_id/review',
      {
        config: { access: { who: 'caller', on: onMessage, visitors: true, virtualUsers: true } },
        schema: {
          operationId: 'messages.review',
          tags,
          summary: 'Decide what a message waits for: approve or reject a tool call, or answer a question',
          params: MessagePath,
          body: ReviewDecision,
          response: { 200: MessageReply, ...errors, 409: ErrorResponse },
        },
      },
      async ({ caller, params, body }) => reply(caller, await messages.review(caller, params, body)),
    )

    app.post(
      '/agents/:agent_id/chats/:chat_id/message/:message_id/cancel',
      {
        config: { access: { who: 'caller', on: onMessage, visitors: true, virtualUsers: true } },
        schema: {
          operationId: 'messages.cancel',
          tags,
          summary: 'End a run early; what it said so far stays',
          params: MessagePath,
          response: { 200: MessageReply, ...errors },
        },
      },
      async ({ caller, params }) => reply(caller, await messages.cancel(caller, params)),
    )

    app.get(
      '/agents/:agent_id/chats/:chat_id/message/:message_id/events',
      {
        config: { access: { who: 'caller', on: onMessage, visitors: true, virtualUsers: true } },
        schema: {
          operationId: 'messages.events',
          tags,
          summary: 'Read the stream of a message from any event on, while it runs and after',
          params: MessagePath,
          querystring: EventsQuery,
          response: {
            200: { description: 'The events', content: { 'text/event-stream': { schema: StreamEvent } } },
            ...errors,
            429: ErrorResponse,
          },
        },
      },
      async ({ caller, params, query, headers }, reply) => {
        const after = query.starting_after ?? lastEventId(headers['last-event-id']) ?? -1
        await streamEvents(reply, await openStreams.open(streamsOf(caller)), async () => {
          const events = await messages.events(caller, params)
          return (stream) => events.read(sseReader(stream, { withIds: true }), after)
        })
        return reply
      },
    )

    app.delete(
      '/agents/:agent_id/chats/:chat_id/message/:message_id',
      {
        config: { access: { who: 'caller', on: onMessage, virtualUsers: 'keys' } },
        schema: {
          operationId: 'messages.delete',
          tags,
          summary: 'Delete a message; one that runs is cancelled first',
          params: MessagePath,
          response: { 200: z.object({}), ...errors },
        },
      },
      async ({ caller, params }) => {
        await messages.remove(caller, params)
        return {}
      },
    )
  }

/** The body wins over the query string. */
function readHistory(query: z.infer<typeof HistoryQuery>, body: unknown): History {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw new ValidationError('The body must be a JSON object')
  const result = History.safeParse({ ...valuesOfTexts(History, query), ...(body as object | undefined) })
  if (result.success) return result.data
  throw invalidFields(problemsOf(result.error))
}
