import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, pageOf } from '../../platform/http/validation/schemas.ts'
import { ChatPath } from '../chat/chats.schemas.ts'
import {
  ChatShareList,
  ChatShareReply,
  ChatSharesQuery,
  ShareChat,
  SharedChatPath,
  SharedChatQuery,
  SharedChatReply,
} from './chat-shares.schemas.ts'
import type { ChatSharesService } from './chat-shares.service.ts'
import type { TitledShare } from './chat-shares.store.ts'

const tags = ['Chats']
const SHARED = { who: 'caller', on: [reach.part('shared_chat')] } as const

export const chatShareRoutes =
  ({ chatShares }: { chatShares: ChatSharesService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.put(
      '/agents/:agent_id/chats/:chat_id/share',
      {
        config: { access: { who: 'caller', on: [reach.agent('use'), reach.part('chat')] } },
        schema: {
          operationId: 'chats.share',
          tags,
          summary: 'Share an own chat with the workspace by a link, or change what is shown of it',
          params: ChatPath,
          body: ShareChat,
          response: { 200: ChatShareReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: shareToWire(await chatShares.share(caller, params, body)) }),
    )

    app.get(
      '/chats/shared',
      {
        config: { access: { who: 'caller' } },
        schema: {
          operationId: 'chats.listShared',
          tags,
          summary: 'List chats that the caller shared, the newest share first',
          querystring: ChatSharesQuery,
          response: { 200: ChatShareList, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const { shares, total } = await chatShares.list(caller, query)
        return { data: { shares: shares.map(shareToWire), ...pageOf(query, total) } }
      },
    )

    app.get(
      '/shared-chats/:shared_chat_id',
      {
        config: { access: SHARED },
        schema: {
          operationId: 'chats.readShared',
          tags,
          summary: 'Read a chat that a member of the workspace shared, oldest message first',
          params: SharedChatPath,
          querystring: SharedChatQuery,
          response: { 200: SharedChatReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const { share, messages, ...read } = await chatShares.read(caller, params.shared_chat_id, query)
        return {
          data: {
            title: share.title,
            agent_name: read.agentName,
            shared_by: read.sharedBy,
            is_own: read.isOwn,
            agent_id: share.agentId,
            chat_id: share.chatId,
            follows: share.messageIds === null,
            created_at: share.createdAt,
            updated_at: share.updatedAt,
            messages: messages.map((message) => ({
              id: message.id,
              query: message.query,
              response: message.response,
              error_message: message.errorMessage,
              created_at: message.createdAt,
              citations: message.citations,
              hidden_citations: message.hiddenCitations,
            })),
            ...pageOf(query, read.total),
          },
        }
      },
    )

    app.delete(
      '/shared-chats/:shared_chat_id',
      {
        config: { access: SHARED },
        schema: {
          operationId: 'chats.unshare',
          tags,
          summary: 'Stop sharing a chat: its link leads nowhere from then on',
          params: SharedChatPath,
          response: { 200: Deleted, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await chatShares.end(caller, params.shared_chat_id)
        return { data: { deleted: true as const } }
      },
    )
  }

const shareToWire = (share: TitledShare & { url: string }) => ({
  id: share.id,
  url: share.url,
  chat_id: share.chatId,
  agent_id: share.agentId,
  title: share.title,
  follows: share.messageIds === null,
  created_at: share.createdAt,
  updated_at: share.updatedAt,
})
