import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Caller } from '../../access/access.ts'
import { reach } from '../../access/access.ts'
import { Deleted, ErrorResponse, pageOf } from '../../platform/http/validation/schemas.ts'
import { toWireMcpServer } from '../mcp-client/mcp.service.ts'
import { toWireOpenApiTools } from '../openapi-tools/openapi.service.ts'
import { AgentList, AgentListQuery, AgentPath, AgentReply, CreateAgent, UpdateAgent } from './agents.schemas.ts'
import type { AgentService } from './agents.service.ts'
import type { AgentRecord } from './agents.store.ts'
import type { LiveLists } from './live-lists.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 403: ErrorResponse, 404: ErrorResponse }

export interface ShownAgents {
  agents: AgentService
  liveLists: LiveLists
}

/** Makes the function that shows agents to a caller. */
export const shownAgents =
  ({ agents, liveLists }: ShownAgents) =>
  async (caller: Caller, records: AgentRecord[]) =>
    showAgents(await liveLists.ofAgents(caller, records), await agents.findChangeable(caller, records))

export const agentRoutes =
  ({ agents, liveLists }: ShownAgents): FastifyPluginAsyncZod =>
  async (app) => {
    const shown = shownAgents({ agents, liveLists })
    const reply = async (caller: Caller, agent: AgentRecord) => ({ data: (await shown(caller, [agent]))[0]! })

    app.post(
      '/agents',
      {
        config: {
          access: {
            who: 'manage_agents',
            on: [reach.folder('read', 'body.knowledge_base_ids'), reach.agent('use', 'body.sub_agent_ids')],
          },
        },
        schema: {
          operationId: 'agents.create',
          tags: ['Agents'],
          summary: 'Create an agent',
          body: CreateAgent,
          response: { 200: AgentReply, ...errors },
        },
      },
      async ({ caller, body }) => reply(caller, await agents.create(caller, body)),
    )

    app.get(
      '/agents',
      {
        config: { access: { who: 'caller', bound: 'filtered', virtualUsers: 'keys' } },
        schema: {
          operationId: 'agents.list',
          tags: ['Agents'],
          summary: 'List agents, newest first',
          querystring: AgentListQuery,
          response: { 200: AgentList, ...errors },
        },
      },
      async ({ caller, query }) => {
        const found = await agents.list(caller, query)
        return { data: { agents: await shown(caller, found.agents), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/agents/:agent_id',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')], virtualUsers: 'keys' } },
        schema: {
          operationId: 'agents.get',
          tags: ['Agents'],
          summary: 'Get an agent',
          params: AgentPath,
          response: { 200: AgentReply, ...errors },
        },
      },
      async ({ caller, params }) => reply(caller, await agents.get(caller, params.agent_id)),
    )

    app.patch(
      '/agents/:agent_id',
      {
        config: {
          access: {
            who: 'manage_agents',
            on: [
              reach.agent('change'),
              reach.agent('use', 'body.sub_agent_ids'),
              reach.folder('read', 'body.knowledge_base_ids'),
            ],
          },
        },
        schema: {
          operationId: 'agents.update',
          tags: ['Agents'],
          summary: 'Change an agent; what is left out stays',
          params: AgentPath,
          body: UpdateAgent,
          response: { 200: AgentReply, ...errors },
        },
      },
      async ({ caller, params, body }) => reply(caller, await agents.update(caller, params.agent_id, body)),
    )

    app.delete(
      '/agents/:agent_id',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change')] } },
        schema: {
          operationId: 'agents.delete',
          tags: ['Agents'],
          summary: 'Delete an agent; its chats are out of reach from then on',
          params: AgentPath,
          response: { 200: Deleted, ...errors },
        },
      },
      async ({ caller, params }) => {
        await agents.remove(caller, params.agent_id)
        return { data: { deleted: true as const } }
      },
    )
  }

const showAgents = (agents: AgentRecord[], changeable: ReadonlySet<string>) =>
  agents.map((agent) => ({ ...toWire(agent), can_change: changeable.has(agent.id) }))

const toWire = (agent: AgentRecord) => ({
  id: agent.id,
  workspace_id: agent.workspaceId,
  name: agent.name,
  description: agent.description,
  instructions: agent.instructions,
  model: agent.model,
  knowledge_base_ids: agent.knowledgeBaseIds,
  filters: agent.filters,
  tools: agent.tools as string[],
  visibility: agent.visibility,
  sub_agent_ids: agent.subAgentIds,
  tools_needing_approval: agent.toolsNeedingApproval,
  limits: {
    max_steps: agent.limits.maxSteps,
    max_tokens: agent.limits.maxTokens,
    max_seconds: agent.limits.maxSeconds,
    max_tool_output_characters: agent.limits.maxToolOutputCharacters,
  },
  mcp_servers: agent.mcpServers.map(toWireMcpServer),
  openapi_tools: agent.openApiTools.map(toWireOpenApiTools),
  created_at: agent.createdAt,
  updated_at: agent.updatedAt,
})
