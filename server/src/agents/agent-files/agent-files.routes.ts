import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { ErrorResponse } from '../../platform/http/validation/schemas.ts'
import { type ShownAgents, shownAgents } from '../agent/agents.routes.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import { AgentFileReply, ExportQuery, ImportAgent, ImportAgentReply } from './agent-files.schemas.ts'
import type { AgentFiles } from './agent-files.service.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 403: ErrorResponse, 404: ErrorResponse }

export const agentFileRoutes =
  ({ agentFiles, ...services }: ShownAgents & { agentFiles: AgentFiles }): FastifyPluginAsyncZod =>
  async (app) => {
    const shown = shownAgents(services)

    app.get(
      '/agents/:agent_id/export',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')] } },
        schema: {
          operationId: 'agents.export',
          tags: ['Agents'],
          summary: 'Get an agent as a file: with its jobs and shortcuts, folders by path, without ids and secrets',
          params: AgentPath,
          querystring: ExportQuery,
          response: { 200: AgentFileReply, ...errors },
        },
      },
      async ({ caller, params, query }) => ({ data: await agentFiles.export(caller, params.agent_id, query) }),
    )

    app.post(
      '/agents/import',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change', 'body.agent_id')] } },
        schema: {
          operationId: 'agents.import',
          tags: ['Agents'],
          summary: 'Make an agent of a file, or make one like a file; what could not be mapped is named',
          body: ImportAgent,
          response: { 200: ImportAgentReply, ...errors },
        },
      },
      async ({ caller, body }) => {
        const { agent, ...rest } = await agentFiles.import(caller, body)
        return { data: { ...rest, agent: agent ? (await shown(caller, [agent]))[0]! : null } }
      },
    )
  }
