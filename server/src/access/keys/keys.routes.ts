import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Deleted, ErrorResponse, pageOf } from '../../platform/http/validation/schemas.ts'
import { permissionsOf } from '../access.service.ts'
import { reach } from '../rules/access-rule.ts'
import { type KeyScopes, type LiveScopes, type ResolveScopes, requireKnownOperations } from './key-scopes.ts'
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
import type { ApiKeyRow, KeyService } from './keys.service.ts'

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
        const { row, key } = await keys.create(caller, { ...body, scopes })
        return { data: { ...toApiKey(row), key } }
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
        const scopes = await liveLists.ofScopes(caller, found.keys.map(scopesOf))
        const shown = found.keys.map((row, at) => ({ ...toApiKey(row), scopes: scopes[at]! }))
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
        const { row, key } = await keys.rotateOf(caller, params.key_id, body.overlap_seconds)
        return { data: { ...toApiKey(row), key } }
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

export const scopesOf = ({ scopes }: ApiKeyRow): KeyScopes | null => (scopes ? JSON.parse(scopes) : null)

export const toApiKey = (row: ApiKeyRow) => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  role: row.role,
  permissions: permissionsOf(row.role, JSON.parse(row.permissions)),
  scopes: scopesOf(row),
  rate_limit: row.rate_per_second === null ? null : { per_second: row.rate_per_second, burst: row.rate_burst! },
  expires_at: row.expires_at,
  earlier_secret_until: row.earlier_until,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
})
