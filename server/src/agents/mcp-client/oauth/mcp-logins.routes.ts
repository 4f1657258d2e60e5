import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../../access/access.ts'
import { failures } from '../../../platform/http/failures.ts'
import { Deleted } from '../../../platform/http/validation/schemas.ts'
import { AgentPath } from '../../agent/agents.schemas.ts'
import type { AgentService } from '../../agent/agents.service.ts'
import { BegunMcpLogin, FinishedMcpLogin, FinishMcpLogin, McpServerUrl } from './mcp-logins.schemas.ts'
import type { McpLogins } from './mcp-logins.service.ts'

const config = { access: { who: 'manage_agents', on: [reach.agent('change')] } } as const

/** Routes to log an agent in at an MCP server, and out. */
export const mcpLoginRoutes =
  ({ agents, mcpLogins }: { agents: AgentService; mcpLogins: McpLogins }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/mcp-servers/actions/connect',
      {
        config,
        schema: {
          operationId: 'agents.mcpServers.connect',
          tags: ['Agents'],
          summary: 'Begin the login at an MCP server that asks for one',
          params: AgentPath,
          body: McpServerUrl,
          response: { 200: BegunMcpLogin, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params, body }) => {
        const agent = await agents.getOwn(caller, params.agent_id)
        return { data: { authorization_url: await mcpLogins.begin(caller, agent, body.url) } }
      },
    )

    app.post(
      '/agents/:agent_id/mcp-servers/actions/finish-connect',
      {
        config,
        schema: {
          operationId: 'agents.mcpServers.finishConnect',
          tags: ['Agents'],
          summary: 'Finish the login at an MCP server, with the session or key that began it',
          params: AgentPath,
          body: FinishMcpLogin,
          response: { 200: FinishedMcpLogin, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params, body }) => {
        const agent = await agents.getOwn(caller, params.agent_id)
        return { data: await mcpLogins.finish(caller, agent, body) }
      },
    )

    app.post(
      '/agents/:agent_id/mcp-servers/actions/disconnect',
      {
        config,
        schema: {
          operationId: 'agents.mcpServers.disconnect',
          tags: ['Agents'],
          summary: 'Log an agent out at an MCP server, and forget its tokens',
          params: AgentPath,
          body: McpServerUrl,
          response: { 200: Deleted, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => {
        await mcpLogins.disconnect(caller, await agents.getOwn(caller, params.agent_id), body.url)
        return { data: { deleted: true as const } }
      },
    )
  }
