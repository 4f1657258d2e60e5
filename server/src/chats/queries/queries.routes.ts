import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach, streamsOf } from '../../access/access.ts'
import type { OpenStreams } from '../../platform/cluster/limits/open-streams.ts'
import { ErrorResponse } from '../../platform/http/validation/schemas.ts'
import { ChatPath } from '../chat/chats.schemas.ts'
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
      async ({ caller, params, body }, reply) => {
        if (!body.is_stream) {
          const answer = await queries.send(caller, params, body)
          const { text, review } = await answer.result()
          const waiting = review && { ai_resolution_status: 'waiting' as const, review }
          return { data: { text, message_id: answer.messageId, ...waiting } }
        }
        await streamEvents(reply, await openStreams.open(streamsOf(caller)), async () => {
          const answer = await queries.send(caller, params, body)
          return (stream) => answer.read(sseReader(stream))
        })
        return reply
      },
    )

    app.post(
      '/agents/:agent_id/chats/:chat_id/async_query',
      {
        config: {
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
      async ({ caller, params, body }) => {
        const { messageId } = await queries.sendAsync(caller, params, body)
        return { data: { message_id: messageId } }
      },
    )
  }
