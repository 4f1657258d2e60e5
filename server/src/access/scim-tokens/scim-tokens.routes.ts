import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import { WorkspacePath } from '../keys/keys.schemas.ts'
import { reach } from '../rules/access-rule.ts'
import { CreatedScimToken, CreateScimToken, ScimTokenList, ScimTokenPath, toWire } from './scim-tokens.schemas.ts'
import type { ScimTokens } from './scim-tokens.service.ts'

const tags = ['Members']

export interface ScimTokenRoutesOptions {
  scimTokens: ScimTokens
  publicUrl(): string
}

export const scimTokenRoutes =
  ({ scimTokens, publicUrl }: ScimTokenRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const baseUrl = () => `${publicUrl()}/scim/v2`

    app.post(
      '/workspaces/:workspace_id/scim-tokens',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'scimTokens.create',
          tags,
          summary: "Make a token for a company's directory (SCIM 2.0); it is shown this once",
          params: WorkspacePath,
          body: CreateScimToken,
          response: { 200: CreatedScimToken, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => {
        const { record, token } = await scimTokens.create(caller, body)
        return { data: { ...toWire(record), base_url: baseUrl(), token } }
      },
    )

    app.get(
      '/workspaces/:workspace_id/scim-tokens',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'scimTokens.list',
          tags,
          summary: 'List the SCIM tokens of a workspace, newest first',
          params: WorkspacePath,
          response: { 200: ScimTokenList, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({
        data: { base_url: baseUrl(), scim_tokens: (await scimTokens.list(caller)).map(toWire) },
      }),
    )

    app.delete(
      '/workspaces/:workspace_id/scim-tokens/:scim_token_id',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('scim_token')] } },
        schema: {
          operationId: 'scimTokens.revoke',
          tags,
          summary: 'Revoke a SCIM token; it stops working at once',
          params: ScimTokenPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await scimTokens.revoke(caller, params.scim_token_id)
        return { data: { deleted: true as const } }
      },
    )
  }
