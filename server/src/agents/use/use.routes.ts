import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import { AgentUseReply, SetAgentUse } from './use.schemas.ts'
import type { AgentUseService } from './use.service.ts'

const tags = ['Agents']

export const agentUseRoutes =
  ({ agentUse }: { agentUse: AgentUseService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/agents/:agent_id/use',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')] } },
        schema: {
          operationId: 'agents.use.get',
          tags,
          summary: 'Show which members may use the agent',
          params: AgentPath,
          response: { 200: AgentUseReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => ({ data: await agentUse.get(caller, params.agent_id) }),
    )

    app.put(
      '/agents/:agent_id/use',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('manage')], bound: 'closed' } },
        schema: {
          operationId: 'agents.use.set',
          tags,
          summary: 'Let every member use the agent, or only certain ones; up to its owner and the admins',
          description:
            'To members who may not use it, the agent and their chats with it are not there (404) until they may again. Its owner, its editors, those who are let see its threads and the admins always may. API keys of programs are narrowed by their scopes alone, and links to the agent work for those whom they are for.',
          params: AgentPath,
          body: SetAgentUse,
          response: { 200: AgentUseReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: await agentUse.set(caller, params.agent_id, body) }),
    )
  }
