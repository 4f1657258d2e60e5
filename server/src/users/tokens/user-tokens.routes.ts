import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { CreateUserToken, UserTokenReply } from './user-tokens.schemas.ts'
import type { UserTokenService } from './user-tokens.service.ts'

export const userTokenRoutes =
  ({ userTokens }: { userTokens: UserTokenService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/user-tokens',
      {
        config: {
          access: {
            who: 'caller',
            on: [reach.agent('use', 'body.agent_ids'), reach.folder('read', 'body.knowledge_base_ids', 'ignored')],
            bound: 'checked',
            virtualUsers: 'keys',
          },
        },
        schema: {
          operationId: 'userTokens.create',
          tags: ['Virtual users'],
          summary: 'Get a token with which a virtual user chats by themselves, from a browser',
          description:
            'It opens their own chats with the agents named, and nothing else; no token makes another one. It may no more than the key that made it, and ends with it, with the agent and with the virtual user.',
          body: CreateUserToken,
          response: { 200: UserTokenReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, body }) => {
        const { token, expiresAt, virtualUserId } = await userTokens.create(caller, body)
        return {
          data: {
            token,
            expires_at: new Date(expiresAt).toISOString(),
            virtual_user_id: virtualUserId,
          },
        }
      },
    )
  }
