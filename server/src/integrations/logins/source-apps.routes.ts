import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import type { SourceApp as GivenApp } from '../../platform/source-apps.ts'
import { PROVIDERS } from './providers.ts'
import { PutSourceApp, type SourceApp, SourceAppPath, SourceAppReply, SourceAppsReply } from './source-apps.schemas.ts'
import type { SourceApps } from './source-apps.service.ts'
import type { SourceAppRecord } from './source-apps.store.ts'
import type { SourceLogins } from './source-logins.service.ts'

const tags = ['Integrations']
const admin = {
  config: { access: { who: 'admin', on: [reach.workspace, reach.part('source_app', 'params.provider')] } },
} as const

/** Routes of the apps with which people log in at providers of documents. */
export const sourceAppRoutes =
  ({ sourceApps, sourceLogins }: { sourceApps: SourceApps; sourceLogins: SourceLogins }): FastifyPluginAsyncZod =>
  async (app) => {
    const fixedToWire = (fixed: GivenApp): SourceApp => ({
      ...shown(fixed),
      secret_hint: null,
      is_by_environment: true,
      redirect_url: sourceLogins.redirectUrl(),
    })
    const toWire = (record: SourceAppRecord): SourceApp => ({
      ...shown({
        provider: record.provider,
        client_id: record.clientId,
        tenant: record.tenant,
        authorize_url: record.authorizeUrl,
        token_url: record.tokenUrl,
      }),
      secret_hint: record.secretHint,
      is_by_environment: false,
      redirect_url: sourceLogins.redirectUrl(),
    })

    app.get(
      '/integrations/apps',
      {
        config: { access: { who: 'create_knowledgebase' } },
        schema: {
          operationId: 'integrations.apps',
          summary: 'List the providers at which people can log in to link their documents',
          response: { 200: SourceAppsReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({
        data: {
          redirect_url: sourceLogins.redirectUrl(),
          apps: [...sourceApps.fixed.map(fixedToWire), ...(await sourceApps.list(caller)).map(toWire)],
        },
      }),
    )

    app.put(
      '/workspaces/:workspace_id/source-apps/:provider',
      {
        ...admin,
        schema: {
          operationId: 'integrations.putApp',
          tags,
          summary: 'Set the app with which people of a workspace log in at a provider of documents',
          params: SourceAppPath,
          body: PutSourceApp,
          response: { 200: SourceAppReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await sourceApps.put(caller, params.provider, body)) }),
    )

    app.delete(
      '/workspaces/:workspace_id/source-apps/:provider',
      {
        ...admin,
        schema: {
          operationId: 'integrations.deleteApp',
          tags,
          summary:
            'Remove the app at a provider; folders that are linked by it keep their files and ask for a new login',
          params: SourceAppPath,
          response: { 200: Deleted, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await sourceApps.remove(caller, params.provider)
        return { data: { deleted: true as const } }
      },
    )
  }

type Shown = { [field in 'tenant' | 'authorize_url' | 'token_url']?: string | null | undefined } & Pick<
  GivenApp,
  'provider' | 'client_id'
>

const shown = ({ provider, client_id, tenant = null, authorize_url = null, token_url = null }: Shown) => ({
  provider,
  name: PROVIDERS[provider].name,
  client_id,
  tenant,
  authorize_url,
  token_url,
})
