import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { AgentPath } from '../../agents/agents.ts'
import { Deleted, ErrorResponse, pageOf } from '../../platform/http/validation/schemas.ts'
import { ProjectPath } from '../../projects/projects.ts'
import {
  ChatListQuery,
  ChatPath,
  ChatReply,
  CreateChat,
  CreateChatReply,
  ProjectChatsQuery,
  ThreadList,
  UpdateChat,
  UsedChatList,
} from './chats.schemas.ts'
import type { ChatService } from './chats.service.ts'
import type { ChatRecord, ThreadRecord } from './chats.store.ts'
import type { ThreadDetails } from './threads.store.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 404: ErrorResponse }
const tags = ['Chats']

export const chatRoutes =
  ({ chats }: { chats: ChatService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/chats',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')], visitors: true, virtualUsers: true } },
        schema: {
          operationId: 'chats.create',
          tags,
          summary: 'Create a chat with an agent',
          params: AgentPath,
          body: CreateChat,
          response: { 200: CreateChatReply, ...errors, 403: ErrorResponse, 429: ErrorResponse },
        },
        preValidation: emptyBodyIsObject,
      },
      async ({ caller, params, body }) => {
        const chat = chatToWire(await chats.create(caller, params.agent_id, body))
        const { id, title, chat_type, agent_id, created_at } = chat
        return { data: { chat: { id, title, chat_type, agent_id, created_at } } }
      },
    )

    app.get(
      '/agents/:agent_id/chats',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')], visitors: true, virtualUsers: true } },
        schema: {
          operationId: 'chats.list',
          tags,
          summary: 'List the chats of an agent, by default newest first, with what became of them',
          params: AgentPath,
          querystring: ChatListQuery,
          response: { 200: ThreadList, ...errors },
        },
      },
      async ({ caller, params, query }) => {
        const found = await chats.list(caller, params.agent_id, query)
        return { data: { chats: found.chats.map(threadToWire), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/agents/:agent_id/chats/:chat_id',
      {
        config: {
          access: { who: 'caller', on: [reach.agent('use'), reach.part('chat')], visitors: true, virtualUsers: true },
        },
        schema: {
          operationId: 'chats.get',
          tags,
          summary: 'Get a chat',
          params: ChatPath,
          response: { 200: ChatReply, ...errors },
        },
      },
      async ({ caller, params }) => ({ data: chatToWire(await chats.get(caller, params, 'read')) }),
    )

    app.patch(
      '/agents/:agent_id/chats/:chat_id',
      {
        config: { access: { who: 'caller', on: [reach.agent('use'), reach.part('chat')], virtualUsers: 'keys' } },
        schema: {
          operationId: 'chats.update',
          tags,
          summary: 'Rename, archive or pin a chat, replace its metadata, move it to a project, or show another branch',
          params: ChatPath,
          body: UpdateChat,
          response: { 200: ChatReply, ...errors },
        },
      },
      async ({ caller, params, body }) => ({ data: chatToWire(await chats.update(caller, params, body)) }),
    )

    app.delete(
      '/agents/:agent_id/chats/:chat_id',
      {
        config: { access: { who: 'caller', on: [reach.agent('use'), reach.part('chat')], virtualUsers: 'keys' } },
        schema: {
          operationId: 'chats.delete',
          tags,
          summary: 'Delete a chat with its messages; what runs in it is cancelled',
          params: ChatPath,
          response: { 200: Deleted, ...errors },
        },
      },
      async ({ caller, params }) => {
        await chats.remove(caller, params)
        return { data: { deleted: true as const } }
      },
    )

    app.get(
      '/projects/:project_id/chats',
      {
        config: { access: { who: 'caller', on: [reach.part('project')] } },
        schema: {
          operationId: 'projects.chats.list',
          tags: ['Projects'],
          summary: 'List own chats of a project, with any agent, the last used first',
          params: ProjectPath,
          querystring: ProjectChatsQuery,
          response: { 200: UsedChatList, ...errors },
        },
      },
      async ({ caller, params, query }) => {
        const found = await chats.listOfProject(caller, params.project_id, query)
        return { data: { chats: found.chats.map(usedChatToWire), ...pageOf(query, found.total) } }
      },
    )
  }

/** A chat needs no fields: a request without a body is as good as one with an empty object. */
const emptyBodyIsObject = async (request: { body: unknown }) => {
  if (request.body === undefined) request.body = {}
}

export const chatToWire = (chat: ChatRecord) => ({
  id: chat.id,
  title: chat.title,
  chat_type: chat.chatType,
  agent_id: chat.agentId,
  created_at: chat.createdAt,
  metadata: chat.metadata,
  project_id: chat.projectId,
  is_archived: chat.isArchived,
  is_pinned: chat.isPinned,
})

export const usedChatToWire = (thread: ThreadRecord) => ({
  ...chatToWire(thread),
  last_message_at: thread.lastMessageAt,
  message_count: thread.messageCount,
})

const threadToWire = (thread: ThreadRecord & ThreadDetails) => ({
  ...chatToWire(thread),
  last_message_at: thread.lastMessageAt,
  message_count: thread.messageCount,
  total_tokens: thread.totalTokens,
  status: thread.status,
  feedback: thread.feedback,
  virtual_users: thread.people,
  virtual_user_count: thread.peopleCount,
})
