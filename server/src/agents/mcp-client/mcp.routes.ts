import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { ErrorResponse } from '../../platform/http/validation/schemas.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import type { AgentService } from '../agent/agents.service.ts'
import { CheckMcpServer } from './mcp.schemas.ts'
import type { McpService } from './mcp.service.ts'
import { CheckMcpServerReply } from './mcp-check.schemas.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 403: ErrorResponse, 404: ErrorResponse }

export const mcpServerRoutes =
  ({ agents, mcp }: { agents: AgentService; mcp: McpService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/mcp-servers/actions/check',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change')] } },
        schema: {
          operationId: 'agents.mcpServers.check',
          tags: ['Agents'],
          summary: 'Look whether an MCP server can be reached, and which tools it offers',
          params: AgentPath,
          body: CheckMcpServer,
          response: { 200: CheckMcpServerReply, ...errors },
        },
      },
      async ({ caller, params, body }) => {
        const agent = await agents.getOwn(caller, params.agent_id)
        const server = mcp.chosen(caller.organizationId, body, agent.mcpServers)
        return { data: await mcp.check(agent, server) }
      },
    )
  }
