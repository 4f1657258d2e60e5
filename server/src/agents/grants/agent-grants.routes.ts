import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import { AgentGrantsReply, SetAgentGrants } from './agent-grants.schemas.ts'
import type { AgentGrantsService } from './agent-grants.service.ts'

const tags = ['Agents']

export const agentGrantRoutes =
  ({ agentGrants }: { agentGrants: AgentGrantsService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/agents/:agent_id/grants',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')] } },
        schema: {
          operationId: 'agents.grants.get',
          tags,
          summary: 'Show who may use and change the agent, and who sees its threads',
          params: AgentPath,
          response: { 200: AgentGrantsReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => ({ data: await agentGrants.get(caller, params.agent_id) }),
    )

    app.put(
      '/agents/:agent_id/grants',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('manage')], bound: 'closed' } },
        schema: {
          operationId: 'agents.grants.set',
          tags,
          summary: 'Say who may use and change the agent, and who sees its threads',
          description:
            'All grants at once; its owner and the admins may say so, and only its owner changes those of the level `threads`. Members who may not use it, and keys of the role member, get 404 for the agent and their chats with it until they may again. Links to the agent work for those whom they are for.',
          params: AgentPath,
          body: SetAgentGrants,
          response: { 200: AgentGrantsReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: await agentGrants.set(caller, params.agent_id, body) }),
    )
  }
