import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, Name, ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import type { ApiKeyRecord } from '../access.store.ts'
import { Expiry, WorkspacePath } from '../keys/keys.schemas.ts'
import { reach } from '../rules/access-rule.ts'
import type { ScimTokens } from './scim-tokens.service.ts'

const tags = ['Members']

const ScimToken = z
  .object({
    id: ObjectId,
    name: z.string(),
    prefix: z.string().meta({ description: 'The first 8 characters, to recognise it by' }),
    role: z.enum(['owner', 'admin', 'member']).meta({
      description: 'Role of whoever made it: the token ends no membership of a higher one',
    }),
    expires_at: Timestamp.nullable(),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({ description: 'To the minute' }),
  })
  .meta({ id: 'ScimToken', description: "A token with which a company's directory manages the members by SCIM 2.0" })
const CreateScimToken = z.strictObject({ name: Name, expires_at: Expiry.default(null) }).meta({ id: 'CreateScimToken' })
const BaseUrl = z.string().meta({ description: 'Address to enter in the directory, as tenant or base URL' })
const ScimTokenList = z.object({ data: z.object({ base_url: BaseUrl, scim_tokens: z.array(ScimToken) }) })
const CreatedScimToken = z.object({
  data: ScimToken.extend({
    base_url: BaseUrl,
    token: z.string().meta({ description: 'Shown this once' }),
  }).meta({ id: 'CreatedScimToken' }),
})
const ScimTokenPath = WorkspacePath.extend({ scim_token_id: z.string() })

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

const toWire = (token: ApiKeyRecord) => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  role: token.role,
  expires_at: token.expiresAt,
  created_at: token.createdAt,
  last_used_at: token.lastUsedAt,
})
