import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../access/access.ts'
import { AgentPath } from '../agents/agents.ts'
import { failures } from '../platform/http/failures.ts'
import { Deleted, pageOf } from '../platform/http/validation/schemas.ts'
import {
  AgentLinkList,
  AgentLinkListQuery,
  AgentLinkPath,
  AgentLinkReply,
  CreateAgentLink,
  UpdateAgentLink,
} from './links.schemas.ts'
import type { LinkOfAgent, LinkService } from './links.service.ts'
import { lookOf } from './look.ts'
import { allowsAudience } from './visitors.service.ts'

const tags = ['Agents']

export interface LinkRoutesOptions {
  links: LinkService
  /** URL where people reach this server. */
  publicUrl: () => string
}

/** Links to an agent: who may chat with it without a key, and where. */
export const linkRoutes =
  ({ links, publicUrl }: LinkRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/links',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change')] } },
        schema: {
          operationId: 'agents.links.create',
          tags,
          summary: 'Make a link through which people chat with the agent without a key',
          params: AgentPath,
          body: CreateAgentLink,
          response: { 200: AgentLinkReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await links.create(caller, params.agent_id, body)) }),
    )

    app.get(
      '/agents/:agent_id/links',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change')] } },
        schema: {
          operationId: 'agents.links.list',
          tags,
          summary: 'List the links of an agent, newest first',
          params: AgentPath,
          querystring: AgentLinkListQuery,
          response: { 200: AgentLinkList, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const { agent, links: found, total } = await links.list(caller, params.agent_id, query)
        return { data: { links: found.map((link) => toWire({ link, agent })), ...pageOf(query, total) } }
      },
    )

    app.get(
      '/agents/:agent_id/links/:link_id',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change'), reach.part('link')] } },
        schema: {
          operationId: 'agents.links.get',
          tags,
          summary: 'Get a link of an agent',
          params: AgentLinkPath,
          response: { 200: AgentLinkReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({ data: toWire(await links.get(caller, params)) }),
    )

    app.patch(
      '/agents/:agent_id/links/:link_id',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change'), reach.part('link')] } },
        schema: {
          operationId: 'agents.links.update',
          tags,
          summary: 'Change a link; what is left out stays',
          params: AgentLinkPath,
          body: UpdateAgentLink,
          response: { 200: AgentLinkReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await links.update(caller, params, body)) }),
    )

    app.delete(
      '/agents/:agent_id/links/:link_id',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change'), reach.part('link')] } },
        schema: {
          operationId: 'agents.links.delete',
          tags,
          summary: 'Delete a link; its visitors are out within seconds, and their chats stay',
          params: AgentLinkPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await links.remove(caller, params)
        return { data: { deleted: true as const } }
      },
    )

    function toWire({ link, agent }: LinkOfAgent) {
      return {
        id: link.id,
        agent_id: link.agentId,
        name: link.name,
        audience: link.audience,
        token: link.token,
        url: `${publicUrl()}/shared/${link.token}`,
        embed_code: `<script src="${publicUrl()}/widget.js?link=${link.token}" async></script>`,
        allowed_origins: link.allowedOrigins,
        greeting: link.greeting,
        ...lookOf(link),
        queries_per_minute: link.queriesPerMinute,
        queries_per_visitor_per_minute: link.queriesPerVisitor,
        is_working: allowsAudience(agent, link),
        created_at: link.createdAt,
        updated_at: link.updatedAt,
      }
    }
  }
