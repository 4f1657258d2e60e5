import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { VirtualUserParams } from '../../users/users.ts'
import { SetVirtualUserGrants, VirtualUserGrantsReply } from './person-grants.schemas.ts'
import type { PersonGrantsService } from './person-grants.service.ts'

const tags = ['Virtual users']

export const personGrantRoutes =
  ({ personGrants }: { personGrants: PersonGrantsService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/grants',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user')] } },
        schema: {
          operationId: 'virtualUsers.grants.get',
          tags,
          summary: 'Tell from which folders a virtual user is answered',
          params: VirtualUserParams,
          response: { 200: VirtualUserGrantsReply, ...failures(401, 403, 404, 422) },
        },
      },
      async ({ caller, params }) => ({ data: await personGrants.get(caller, params.virtual_user_id) }),
    )

    app.put(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/grants',
      {
        config: {
          validationStatus: 422,
          access: {
            who: 'admin',
            on: [
              reach.workspace,
              reach.part('virtual_user'),
              reach.folder('read', 'body.knowledge_base_ids', 'ignored'),
            ],
            bound: 'closed',
          },
        },
        schema: {
          operationId: 'virtualUsers.grants.set',
          tags,
          summary: 'Say from which folders a virtual user is answered',
          description:
            'What agents find, read, list and cite for the virtual user is then in these folders, and in no others, whoever asks for it: with a key, a user token, over MCP or the OpenAI endpoints. A key or member that may read less brings no more than that. It counts for every question that is asked after the reply.',
          params: VirtualUserParams,
          body: SetVirtualUserGrants,
          response: { 200: VirtualUserGrantsReply, ...failures(400, 401, 403, 404, 422) },
        },
      },
      async ({ caller, params, body }) => ({ data: await personGrants.set(caller, params.virtual_user_id, body) }),
    )
  }
