import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { failures } from '../../platform/http/failures.ts'
import {
  BeginSourceLogin,
  BegunSourceLogin,
  FinishedSourceLogin,
  FinishSourceLogin,
  toSourceConnection,
} from './source-logins.schemas.ts'
import type { SourceLogins } from './source-logins.service.ts'

const config = { access: { who: 'create_knowledgebase' } } as const

/** Routes to log in at a provider of documents. */
export const sourceLoginRoutes =
  ({ sourceLogins }: { sourceLogins: SourceLogins }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/integrations/actions/connect',
      {
        config,
        schema: {
          operationId: 'integrations.connect',
          summary: 'Begin the login at a provider of documents',
          body: BeginSourceLogin,
          response: { 200: BegunSourceLogin, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => ({ data: { authorization_url: await sourceLogins.begin(caller, body.provider) } }),
    )

    app.post(
      '/integrations/actions/finish-connect',
      {
        config,
        schema: {
          operationId: 'integrations.finishConnect',
          summary: 'Finish the login at a provider of documents, with the session or key that began it',
          body: FinishSourceLogin,
          response: { 200: FinishedSourceLogin, ...failures(400, 401, 403, 409) },
        },
      },
      async ({ caller, body }) => {
        const connection = await sourceLogins.finish(caller, body)
        return { data: { id: connection.id, connection: toSourceConnection(connection) } }
      },
    )
  }
