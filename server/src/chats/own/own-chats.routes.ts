import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { failures } from '../../platform/http/failures.ts'
import { pageOf } from '../../platform/http/validation/schemas.ts'
import { usedChatToWire } from '../chat/chats.routes.ts'
import { UsedChatList } from '../chat/chats.schemas.ts'
import {
  ChangeChats,
  ChangedChats,
  OwnChatsQuery,
  PinnedMessageList,
  PinnedMessagesQuery,
} from './own-chats.schemas.ts'
import type { OwnChatsService } from './own-chats.service.ts'

const access = { who: 'caller', bound: 'filtered', virtualUsers: 'keys' } as const

export const ownChatRoutes =
  ({ ownChats }: { ownChats: OwnChatsService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/chats',
      {
        config: { access },
        schema: {
          operationId: 'chats.listOwn',
          tags: ['Chats'],
          summary: 'List own chats with all agents, the last used first',
          querystring: OwnChatsQuery,
          response: { 200: UsedChatList, ...failures(400, 401) },
        },
      },
      async ({ caller, query }) => {
        const { chats, total } = await ownChats.list(caller, query)
        return { data: { chats: chats.map(usedChatToWire), ...pageOf(query, total) } }
      },
    )

    app.post(
      '/chats/batch',
      {
        config: { access },
        schema: {
          operationId: 'chats.changeMany',
          tags: ['Chats'],
          summary: 'Archive, pin or delete up to 100 chats at once',
          body: ChangeChats,
          response: { 200: ChangedChats, ...failures(400, 401) },
        },
      },
      async ({ caller, body }) => {
        const { changed, missing } = await ownChats.change(caller, body)
        return { data: { changed_ids: changed, missing_ids: missing } }
      },
    )

    app.get(
      '/chats/pinned-messages',
      {
        config: { access },
        schema: {
          operationId: 'messages.listPinned',
          tags: ['Messages'],
          summary: 'List pinned answers of own chats with all agents, newest first',
          querystring: PinnedMessagesQuery,
          response: { 200: PinnedMessageList, ...failures(400, 401) },
        },
      },
      async ({ caller, query }) => {
        const { messages, total } = await ownChats.listPinned(caller, query)
        return {
          data: {
            messages: messages.map((message) => ({
              message_id: message.id,
              chat_id: message.chatId,
              agent_id: message.agentId,
              title: message.title,
              query: message.query,
              response: message.response,
              is_shown: message.isAside === 0,
              created_at: message.createdAt,
            })),
            ...pageOf(query, total),
          },
        }
      },
    )
  }
