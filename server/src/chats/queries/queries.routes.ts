import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { IdempotencyConflictError, idempotencyKeyOf, reach, streamsOf } from '../../access/access.ts'
import type { OpenStreams } from '../../platform/cluster/limits/open-streams.ts'
import { ErrorResponse } from '../../platform/http/validation/schemas.ts'
import { ChatPath } from '../chat/chats.schemas.ts'
import { MessageIdConflictError } from '../chats.errors.ts'
import { StreamEvent } from '../events/events.schemas.ts'
import { sseReader, streamEvents } from '../events/stream-events.ts'
import { AsyncQueryReply, QueryReply, SendAsyncQuery, SendQuery } from './queries.schemas.ts'
import type { QueryService } from './queries.service.ts'

const errors = {
  400: ErrorResponse,
  401: ErrorResponse,
  403: ErrorResponse,
  404: ErrorResponse,
  429: ErrorResponse,
  500: ErrorResponse,
  503: ErrorResponse,
}

const onQuery = [
  reach.agent('use'),
  reach.part('chat'),
  reach.folder('read', 'body.knowledge_base_ids', 'ignored'),
  reach.part('job', 'body.job_id'),
  reach.part('shortcut', 'body.shortcut_id'),
]

export const queryRoutes =
  ({ queries, openStreams }: { queries: QueryService; openStreams: OpenStreams }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/chats/:chat_id/query',
      {
        config: {
          knowsRepeats: true,
          access: {
            who: 'caller',
            on: onQuery,
            visitors: 'counted',
            virtualUsers: true,
          },
        },
        schema: {
          operationId: 'chats.queries.create',
          tags: ['Messages'],
          summary: 'Ask the agent; the answer comes whole, or as Server-Sent Events with is_stream',
          params: ChatPath,
          body: SendQuery,
          response: {
            200: {
              description: 'The answer',
              content: { 'application/json': { schema: QueryReply }, 'text/event-stream': { schema: StreamEvent } },
            },
            ...errors,
          },
        },
      },
      async (request, reply) => {
        const { caller, params, body } = request
        const send = () => askOnce(request, body, (once) => queries.send(caller, params, once))
        if (!body.is_stream) {
          const answer = await send()
          const { text, review } = await answer.result()
          const waiting = review && { ai_resolution_status: 'waiting' as const, review }
          return { data: { text, message_id: answer.messageId, ...waiting } }
        }
        await streamEvents(reply, await openStreams.open(streamsOf(caller)), async () => {
          const answer = await send()
          return (stream) => answer.read(sseReader(stream))
        })
        return reply
      },
    )

    app.post(
      '/agents/:agent_id/chats/:chat_id/async_query',
      {
        config: {
          knowsRepeats: true,
          access: {
            who: 'caller',
            on: onQuery,
            virtualUsers: 'keys',
          },
        },
        schema: {
          operationId: 'chats.queries.createAsync',
          tags: ['Messages'],
          summary: 'Ask the agent; the answer is sent to a webhook',
          params: ChatPath,
          body: SendAsyncQuery,
          response: { 200: AsyncQueryReply, ...errors },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        const { messageId } = await askOnce(request, body, (once) => queries.sendAsync(caller, params, once))
        return { data: { message_id: messageId } }
      },
    )
  }

/**
 * Asks under the message id that the Idempotency-Key stands for, if the query names none itself.
 * @throws IdempotencyConflictError when that was another query
 */
async function askOnce<B extends { message_id?: string | null | undefined }, A>(
  request: FastifyRequest,
  body: B,
  ask: (body: B) => Promise<A>,
): Promise<A> {
  const key = idempotencyKeyOf(request)
  if (key === undefined || body.message_id != null) return ask(body)
  const { agent_id, chat_id } = request.params as { agent_id: string; chat_id: string }
  const named = JSON.stringify([streamsOf(request.caller), agent_id, chat_id, key])
  try {
    return await ask({ ...body, message_id: hash('sha256', named).slice(0, 24) })
  } catch (error) {
    throw error instanceof MessageIdConflictError ? new IdempotencyConflictError() : error
  }
}
