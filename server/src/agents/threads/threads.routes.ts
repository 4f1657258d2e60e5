import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import { SetThreadsAccess, ThreadsAccessReply } from './threads.schemas.ts'
import type { ThreadsAccessService } from './threads.service.ts'

const tags = ['Agents']

export const threadsAccessRoutes =
  ({ threadsAccess }: { threadsAccess: ThreadsAccessService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/agents/:agent_id/threads-access',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')] } },
        schema: {
          operationId: 'agents.threadsAccess.get',
          tags,
          summary: 'Show who sees the chats that others have with the agent',
          params: AgentPath,
          response: { 200: ThreadsAccessReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => ({ data: await threadsAccess.get(caller, params.agent_id) }),
    )

    app.put(
      '/agents/:agent_id/threads-access',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change')], bound: 'closed' } },
        schema: {
          operationId: 'agents.threadsAccess.set',
          tags,
          summary: 'Let others see the chats that begin with the agent from now on; only its owner may',
          params: AgentPath,
          body: SetThreadsAccess,
          response: { 200: ThreadsAccessReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: await threadsAccess.set(caller, params.agent_id, body) }),
    )
  }
