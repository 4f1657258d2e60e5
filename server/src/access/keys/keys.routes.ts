import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Deleted, ErrorResponse, pageOf } from '../../platform/http/validation/schemas.ts'
import { permissionsOf } from '../access.service.ts'
import type { ApiKeyRecord } from '../access.store.ts'
import { reach } from '../rules/access-rule.ts'
import type { LiveScopes, ResolveScopes } from './key-scopes.ts'
import {
  ApiKeyList,
  ApiKeyListQuery,
  ApiKeyPath,
  CreateApiKey,
  CreatedApiKey,
  OneApiKey,
  RotateApiKey,
  UpdateApiKey,
  WorkspacePath,
} from './keys.schemas.ts'
import type { KeyService } from './keys.service.ts'
import { requireKnownOperations } from './known-operations.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 403: ErrorResponse, 404: ErrorResponse }
const tags = ['Keys']

export interface KeyRoutesOptions {
  keys: KeyService
  /** Ids that scopes may name. */
  operations: ReadonlySet<string>
  liveLists: LiveScopes
  resolveScopes: ResolveScopes
}

export const keyRoutes =
  ({ keys, operations, liveLists, resolveScopes }: KeyRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/workspaces/:workspace_id/api-keys',
      {
        config: { access: { who: 'manage_keys', on: [reach.workspace] } },
        schema: {
          operationId: 'apiKeys.create',
          tags,
          summary: 'Make an API key; it is shown this once',
          params: WorkspacePath,
          body: CreateApiKey,
          response: { 200: CreatedApiKey, ...errors },
        },
      },
      async ({ caller, body }) => {
        requireKnownOperations(body.scopes, operations)
        const scopes = await resolveScopes(caller, body.scopes)
        const { record, key } = await keys.create(caller, { ...body, scopes })
        return { data: { ...toApiKey(record), key } }
      },
    )

    app.get(
      '/workspaces/:workspace_id/api-keys',
      {
        config: { access: { who: 'manage_keys', on: [reach.workspace] } },
        schema: {
          operationId: 'apiKeys.list',
          tags,
          summary: 'List the API keys of a workspace, newest first',
          params: WorkspacePath,
          querystring: ApiKeyListQuery,
          response: { 200: ApiKeyList, ...errors },
        },
      },
      async ({ caller, query }) => {
        const found = await keys.list(caller, query)
        const scopes = await liveLists.ofScopes(
          caller,
          found.keys.map((key) => key.scopes),
        )
        const shown = found.keys.map((record, at) => ({ ...toApiKey(record), scopes: scopes[at]! }))
        return { data: { api_keys: shown, ...pageOf(query, found.total) } }
      },
    )

    app.patch(
      '/workspaces/:workspace_id/api-keys/:key_id',
      {
        config: { access: { who: 'manage_keys', on: [reach.workspace, reach.part('key')] } },
        schema: {
          operationId: 'apiKeys.update',
          tags,
          summary: 'Change the name, the expiry, the rate limit or the scopes of an API key',
          params: ApiKeyPath,
          body: UpdateApiKey,
          response: { 200: OneApiKey, ...errors },
        },
      },
      async ({ caller, params, body: { scopes, ...fields } }) => {
        requireKnownOperations(scopes ?? null, operations)
        const narrowed = scopes !== undefined && { scopes: await resolveScopes(caller, scopes) }
        return { data: toApiKey(await keys.update(caller, params.key_id, { ...fields, ...narrowed })) }
      },
    )

    app.post(
      '/workspaces/:workspace_id/api-keys/:key_id/rotate',
      {
        config: { access: { who: 'manage_keys', on: [reach.workspace, reach.part('key')] } },
        schema: {
          operationId: 'apiKeys.rotate',
          tags,
          summary: 'Give an API key a new secret; the earlier one works for some time beside it',
          params: ApiKeyPath,
          body: RotateApiKey,
          response: { 200: CreatedApiKey, ...errors },
        },
      },
      async ({ caller, params, body }) => {
        const { record, key } = await keys.rotateFor(caller, params.key_id, body.overlap_seconds)
        return { data: { ...toApiKey(record), key } }
      },
    )

    app.delete(
      '/workspaces/:workspace_id/api-keys/:key_id',
      {
        config: { access: { who: 'manage_keys', on: [reach.workspace, reach.part('key')] } },
        schema: {
          operationId: 'apiKeys.revoke',
          tags,
          summary: 'Revoke an API key; it stops working within 5 seconds',
          params: ApiKeyPath,
          response: { 200: Deleted, 409: ErrorResponse, ...errors },
        },
      },
      async ({ caller, params }) => {
        await keys.remove(caller, params.key_id)
        return { data: { deleted: true as const } }
      },
    )
  }

export const toApiKey = (key: ApiKeyRecord) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  role: key.role,
  permissions: permissionsOf(key.role, key.permissions),
  scopes: key.scopes,
  rate_limit: key.rateLimit && { per_second: key.rateLimit.perSecond, burst: key.rateLimit.burst },
  expires_at: key.expiresAt,
  earlier_secret_until: key.earlierUntil,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
})
