import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ErrorResponse } from '../../platform/http/validation/schemas.ts'
import { FoundMessage, SearchQuery } from './chat-search.schemas.ts'
import type { ChatSearch } from './chat-search.ts'

export const chatSearchRoutes =
  ({ searchChats }: { searchChats: ChatSearch }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/chats/search',
      {
        config: { access: { who: 'caller', bound: 'filtered', virtualUsers: 'keys' } },
        schema: {
          operationId: 'chats.search',
          tags: ['Chats'],
          summary: "Find messages in the caller's own chats, newest chats first",
          querystring: SearchQuery,
          response: {
            200: z.object({
              data: z.object({
                messages: z.array(FoundMessage),
                is_complete: z.boolean().meta({
                  description:
                    'false: there may be more in older chats than the limit, or what is looked through, let in',
                }),
              }),
            }),
            400: ErrorResponse,
            401: ErrorResponse,
          },
        },
      },
      async ({ caller, query, signal }) => {
        const { messages, isComplete } = await searchChats(caller, query, signal)
        return {
          data: {
            messages: messages.map((found) => ({
              message_id: found.id,
              chat_id: found.chatId,
              agent_id: found.agentId,
              title: found.title,
              found_in: found.in,
              snippet: found.snippet,
              created_at: found.createdAt,
            })),
            is_complete: isComplete,
          },
        }
      },
    )
  }
