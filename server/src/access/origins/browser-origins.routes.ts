import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { failures } from '../../platform/http/failures.ts'
import { reach } from '../rules/access-rule.ts'
import { BrowserOriginList, BrowserOriginsReply, WorkspacePath } from './browser-origins.schemas.ts'
import type { BrowserOrigins } from './browser-origins.service.ts'

const tags = ['Virtual users']

export const browserOriginRoutes =
  ({ browserOrigins }: { browserOrigins: BrowserOrigins }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/origins',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'browserOrigins.get',
          tags,
          summary: 'List the origins whose pages may call with the token of a virtual user',
          params: WorkspacePath,
          response: { 200: BrowserOriginsReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: { origins: await browserOrigins.list(caller) } }),
    )

    app.put(
      '/workspaces/:workspace_id/origins',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'browserOrigins.put',
          tags,
          summary: 'Set the origins whose pages may call with the token of a virtual user',
          params: WorkspacePath,
          body: BrowserOriginList,
          response: { 200: BrowserOriginsReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => ({ data: { origins: await browserOrigins.replace(caller, body.origins) } }),
    )
  }
