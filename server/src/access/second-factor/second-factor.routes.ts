import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { failures } from '../../platform/http/failures.ts'
import { reach } from '../rules/access-rule.ts'
import { SecondFactorDemandReply, SetSecondFactorDemand, WorkspacePath } from './second-factor.schemas.ts'
import type { SecondFactorDemand } from './second-factor.service.ts'

const tags = ['Members']

export const secondFactorRoutes =
  ({ secondFactorDemand }: { secondFactorDemand: SecondFactorDemand }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/second-factor',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'members.secondFactor.get',
          tags,
          summary: 'Whether the workspace demands a second factor of its members, and who has none',
          params: WorkspacePath,
          response: { 200: SecondFactorDemandReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: await secondFactorDemand.get(caller) }),
    )

    app.put(
      '/workspaces/:workspace_id/second-factor',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'members.secondFactor.set',
          tags,
          summary: 'Demand a second factor of the members of the workspace, or no longer',
          description:
            'Members who have a password and no second factor then get 403 SECOND_FACTOR_NEEDED in this workspace, with their sessions and personal keys alike, until they set one up on their account page. Who signs in with a provider alone is not asked: the provider proves who they are. API keys of programs are not concerned.',
          params: WorkspacePath,
          body: SetSecondFactorDemand,
          response: { 200: SecondFactorDemandReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => ({ data: await secondFactorDemand.set(caller, body.is_demanded) }),
    )
  }
