import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Caller } from '../../access/access.ts'
import { reach } from '../../access/access.ts'
import type { OpenStreams } from '../../platform/cluster/limits/open-streams.ts'
import { ValidationError } from '../../platform/errors.ts'
import { BooleanQuery, described, ErrorResponse } from '../../platform/http/schemas.ts'
import { dollarsOf } from '../../usage/usage.ts'
import { ChatPath } from '../chat/chats.schemas.ts'
import { StreamEvent } from '../events/events.schemas.ts'
import { lastEventId, sseReader, streamEvents } from '../events/stream-events.ts'
import { ReviewDecision } from '../reviews/reviews.schemas.ts'
import type { ReviewService } from '../reviews/reviews.service.ts'
import type { ReviewRow } from '../reviews/reviews.store.ts'
import { toReview } from '../reviews/reviews.wire.ts'
import type { ChatFile } from './message-files.store.ts'
import type { ShownMessage, UsedOfMessage } from './messages.history.store.ts'
import {
  EventsQuery,
  Feedback,
  History,
  HistoryReply,
  MessagePath,
  MessageQuery,
  MessageReply,
  type MessageUsage,
  UpdateMessage,
} from './messages.schemas.ts'
import type { MessageService } from './messages.service.ts'
import { linksOf, type OutputFile, type OutputService } from './outputs.service.ts'

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
        rows.filter(({ output_count }) => output_count > 0).map(({ id }) => id),
      )

    async function reply({ organizationId }: Caller, row: ShownMessage, beside?: Beside) {
      const waiting = await reviews.findPending(organizationId, [row])
      return { data: toWire(row, { review: waiting.get(row.id), ...beside }) }
    }

    app.get(
      '/agents/:agent_id/chats/:chat_id/message/:message_id',
      {
        config: { access: { who: 'caller', on: onMessage, visitors: true } },
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
        const message = await messages.get(caller, params)
        const made = query.downloadable_output && (await outputsOf(caller, [message]))
        const files = made ? (made.get(message.id) ?? []) : undefined
        const sent = await messages.sentWith(caller, [message])
        return reply(caller, message, { files, sent, usage: query.usage ? usageOf(message) : undefined })
      },
    )

    app.get(
      '/agents/:agent_id/chats/:chat_id/messages',
      {
        config: { access: { who: 'caller', on: [reach.agent('use'), reach.part('chat')], visitors: true } },
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
        const { messages: rows, total, sentFiles } = await messages.history(caller, params, history)
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
          }),
        )
        return {
          data: { messages: shown, total, page, page_size, count: rows.length, has_more: page * page_size < total },
        }
      },
    )

    app.patch(
      '/agents/:agent_id/chats/:chat_id/message/:message_id',
      {
        config: { access: { who: 'caller', on: onMessage } },
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
        config: { access: { who: 'caller', on: onMessage, visitors: true } },
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
        config: { access: { who: 'caller', on: onMessage, visitors: true } },
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
        config: { access: { who: 'caller', on: onMessage, visitors: true } },
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
        config: { access: { who: 'caller', on: onMessage, visitors: true } },
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
        await streamEvents(reply, await openStreams.open(caller.keyId), async () => {
          const events = await messages.events(caller, params)
          return (stream) => events.read(sseReader(stream, { withIds: true }), after)
        })
        return reply
      },
    )

    app.delete(
      '/agents/:agent_id/chats/:chat_id/message/:message_id',
      {
        config: { access: { who: 'caller', on: onMessage } },
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

/** The same names in the query string, for clients that cannot send a body with GET; checked with the body's. */
const HistoryQuery = z.object({
  from_message: z.string().optional().meta({ description: 'This message and all later ones' }),
  page: z
    .string()
    .optional()
    .meta(described({ type: 'integer', minimum: 1, default: 1 })),
  page_size: z
    .string()
    .optional()
    .meta(described({ type: 'integer', minimum: 1, maximum: 100, default: 50 })),
  order: z
    .string()
    .optional()
    .meta(described({ enum: ['asc', 'desc'], default: 'asc' })),
  usage: z
    .string()
    .optional()
    .meta(described({ type: 'boolean', default: false, description: 'Whether to tell what each message took' })),
})

const UsageFlag = BooleanQuery(false)

/** The body wins over the query string. */
function readHistory(query: z.infer<typeof HistoryQuery>, body: unknown): History {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw new ValidationError('The body must be a JSON object')
  const result = History.safeParse({ ...valuesIn(query), ...(body as object | undefined) })
  if (result.success) return result.data
  const details = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new ValidationError(`${details[0]!.path}: ${details[0]!.message}`, details)
}

/** Digits are numbers in a query string, true and false booleans; anything else stays text, which the schema refuses. */
function valuesIn({ page, page_size, usage, ...rest }: z.infer<typeof HistoryQuery>): Record<string, unknown> {
  const read = (text: string | undefined) => (text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text)
  const flag = UsageFlag.safeParse(usage)
  return { ...rest, page: read(page), page_size: read(page_size), usage: flag.success ? flag.data : usage }
}

/** Parts shown beside a message; left out where nobody asked for them. */
interface Beside {
  review?: ReviewRow
  /** That its tools made. */
  files?: OutputFile[]
  /** That came with the query. */
  sent?: ChatFile[]
  usage?: MessageUsage | null
}

const toWire = (row: ShownMessage, { review, files, sent, usage }: Beside) => ({
  id: row.id,
  query: row.query,
  response: row.response,
  chat_id: row.chat_id,
  agent_id: row.agent_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  message_type: row.message_type,
  is_pinned: row.is_pinned === 1,
  reasoning: row.reasoning,
  ai_resolution_status: row.status,
  review: review ? toReview(review) : null,
  error_message: row.error_message,
  quick_action_id: row.quick_action_id,
  quick_action_fields_with_values: row.quick_action_fields === '[]' ? [] : JSON.parse(row.quick_action_fields),
  citations: row.citations === '[]' ? [] : JSON.parse(row.citations),
  feedback: row.feedback_rating && { rating: row.feedback_rating, comment: row.feedback_comment },
  // Undefined and so not sent, rather than absent: objects of one shape are quicker to write.
  downloadable_output: files && linksOf(files),
  output_files: files?.map(toOutputFile),
  uploaded_files: sent?.map(toUploadedFile),
  usage,
})

const toOutputFile = ({ key, fileName, mediaType, sizeBytes, url }: OutputFile) => ({
  key,
  file_name: fileName,
  media_type: mediaType,
  size_bytes: sizeBytes,
  url,
})

const toUploadedFile = ({ id, fileName, mediaType, sizeBytes }: ChatFile) => ({
  id,
  file_name: fileName,
  media_type: mediaType,
  size_bytes: sizeBytes,
})

/** Null until the message is complete. */
const usageOf = ({ model, ...row }: UsedOfMessage): MessageUsage | null =>
  model === null
    ? null
    : {
        input_tokens: row.input_tokens,
        cached_input_tokens: row.cached_input_tokens,
        output_tokens: row.output_tokens,
        reasoning_tokens: row.reasoning_tokens,
        cost_usd: dollarsOf(row.cost_micros),
        model,
      }
