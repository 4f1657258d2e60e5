import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { failures } from '../../platform/http/failures.ts'
import { reach } from '../rules/access-rule.ts'
import type { BrowserOrigins } from './browser-origins.service.ts'

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether it is an origin as browsers send it: exact, and encrypted unless it is this computer. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.origin !== text || text.includes('*')) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.test(url.hostname))
}

const Origins = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .transform((origin) => origin.replace(/\/$/, ''))
      .refine(isOrigin, 'must be an origin like https://app.example.com: https (http for localhost), no path, no *'),
  )
  .max(50, 'must name at most 50 origins')

const BrowserOriginList = z
  .strictObject({ origins: Origins })
  .meta({ id: 'BrowserOrigins', description: 'Origins whose pages may call with the token of a virtual user' })

const WorkspacePath = z.object({ workspace_id: z.string() })
const BrowserOriginsReply = z.object({ data: z.object({ origins: z.array(z.string()) }) })
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
