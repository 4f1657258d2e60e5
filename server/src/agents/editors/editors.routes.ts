import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import { AgentEditorsReply, SetAgentEditors } from './editors.schemas.ts'
import type { AgentEditorsService } from './editors.service.ts'

const tags = ['Agents']

export const agentEditorsRoutes =
  ({ agentEditors }: { agentEditors: AgentEditorsService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/agents/:agent_id/editors',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')] } },
        schema: {
          operationId: 'agents.editors.get',
          tags,
          summary: 'List who may change the agent beside its owner and the admins',
          params: AgentPath,
          response: { 200: AgentEditorsReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => ({ data: await agentEditors.get(caller, params.agent_id) }),
    )

    app.put(
      '/agents/:agent_id/editors',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('manage')], bound: 'closed' } },
        schema: {
          operationId: 'agents.editors.set',
          tags,
          summary: 'Say who may change the agent beside its owner and the admins, who alone may say so',
          params: AgentPath,
          body: SetAgentEditors,
          response: { 200: AgentEditorsReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: await agentEditors.set(caller, params.agent_id, body) }),
    )
  }
