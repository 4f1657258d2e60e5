import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ErrorResponse, IntegerQuery, ObjectId, TextQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import type { ChatSearch } from './chat-search.ts'

const SearchQuery = z.object({
  query: TextQuery(256)
    .refine((text) => text.trim() !== '', 'must not be empty')
    .meta({ description: 'Words or parts of words, at most eight; a message that is found holds all of them' }),
  limit: IntegerQuery({ min: 1, max: 50, byDefault: 20 }),
})

const FoundMessage = z
  .object({
    message_id: ObjectId,
    chat_id: ObjectId,
    agent_id: ObjectId,
    title: z.string().meta({ description: 'Title of the chat' }),
    found_in: z.enum(['query', 'response']),
    snippet: z.string().meta({ description: 'Text around the first word that was found, on one line' }),
    created_at: Timestamp,
  })
  .meta({ id: 'FoundMessage', description: 'A message that holds what was searched' })

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
