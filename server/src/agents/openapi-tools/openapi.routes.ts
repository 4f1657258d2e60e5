import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import type { AgentService } from '../agent/agents.service.ts'
import { CheckOpenApiTools } from './openapi.schemas.ts'
import type { OpenApiService } from './openapi.service.ts'
import { CheckOpenApiToolsReply } from './openapi-check.schemas.ts'

export const openApiToolsRoutes =
  ({ agents, openApi }: { agents: AgentService; openApi: OpenApiService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/openapi-tools/actions/check',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change')] } },
        schema: {
          operationId: 'agents.openApiTools.check',
          tags: ['Agents'],
          summary: 'Look whether an OpenAPI document can be used, and which operations it describes',
          params: AgentPath,
          body: CheckOpenApiTools,
          response: { 200: CheckOpenApiToolsReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({
        data: await openApi.check(await agents.getOwn(caller, params.agent_id), body),
      }),
    )
  }
