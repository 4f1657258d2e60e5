import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Deleted, ErrorResponse, pageOf } from '../platform/http/schemas.ts'
import { AgentList, AgentListQuery, AgentPath, AgentReply, CreateAgent, UpdateAgent } from './agents.schemas.ts'
import type { AgentService } from './agents.service.ts'
import type { AgentRecord } from './agents.store.ts'
import { toWireMcpServer } from './mcp/mcp.service.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 403: ErrorResponse, 404: ErrorResponse }
const manage = { config: { permission: 'manage_agents' } } as const

export const agentRoutes =
  ({ agents }: { agents: AgentService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents',
      {
        ...manage,
        schema: {
          operationId: 'agents.create',
          tags: ['Agents'],
          summary: 'Create an agent',
          body: CreateAgent,
          response: { 200: AgentReply, ...errors },
        },
      },
      async ({ caller, body }) => ({ data: toWire(await agents.create(caller, body)) }),
    )

    app.get(
      '/agents',
      {
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
        return { data: { agents: found.agents.map(toWire), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/agents/:agent_id',
      {
        schema: {
          operationId: 'agents.get',
          tags: ['Agents'],
          summary: 'Get an agent',
          params: AgentPath,
          response: { 200: AgentReply, ...errors },
        },
      },
      async ({ caller, params }) => ({ data: toWire(await agents.get(caller, params.agent_id)) }),
    )

    app.patch(
      '/agents/:agent_id',
      {
        ...manage,
        schema: {
          operationId: 'agents.update',
          tags: ['Agents'],
          summary: 'Change an agent; what is left out stays',
          params: AgentPath,
          body: UpdateAgent,
          response: { 200: AgentReply, ...errors },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await agents.update(caller, params.agent_id, body)) }),
    )

    app.delete(
      '/agents/:agent_id',
      {
        ...manage,
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

const toWire = (agent: AgentRecord) => ({
  id: agent.id,
  workspace_id: agent.workspaceId,
  name: agent.name,
  description: agent.description,
  instructions: agent.instructions,
  model: agent.model,
  knowledge_base_ids: agent.knowledgeBaseIds,
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
  created_at: agent.createdAt,
  updated_at: agent.updatedAt,
})
