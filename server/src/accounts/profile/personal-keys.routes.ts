import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  CreatedApiKey,
  type LiveScopes,
  RotateApiKey,
  reach,
  requireKnownOperations,
  toApiKey,
} from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import { CreatePersonalKey, PersonalKeyPath, PersonalKeys } from './account.schemas.ts'
import type { PersonalKeyService } from './personal-keys.service.ts'

const tags = ['Account']

export interface PersonalKeyRoutesOptions {
  personalKeys: PersonalKeyService
  operations: ReadonlySet<string>
  liveLists: LiveScopes
}

export const personalKeyRoutes =
  ({ personalKeys, operations, liveLists }: PersonalKeyRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/account/api-keys',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.apiKeys.create',
          tags,
          summary: 'Make a personal API key for this workspace, with the rights of the member; it is shown this once',
          body: CreatePersonalKey,
          response: { 200: CreatedApiKey, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, body }) => {
        requireKnownOperations(body.scopes, operations)
        const { record, key } = await personalKeys.create(caller, body)
        return { data: { ...toApiKey(record), key } }
      },
    )

    app.get(
      '/account/api-keys',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.apiKeys.list',
          tags,
          summary: 'The personal API keys that one has in this workspace, newest first',
          response: { 200: PersonalKeys, ...failures(401, 403) },
        },
      },
      async ({ caller }) => {
        const keys = await personalKeys.list(caller)
        const scopes = await liveLists.ofScopes(
          caller,
          keys.map((key) => key.scopes),
        )
        return { data: { api_keys: keys.map((record, at) => ({ ...toApiKey(record), scopes: scopes[at]! })) } }
      },
    )

    app.post(
      '/account/api-keys/:key_id/rotate',
      {
        config: { access: { who: 'account', on: [reach.part('key')] } },
        schema: {
          operationId: 'account.apiKeys.rotate',
          tags,
          summary: 'Give a personal API key a new secret; the earlier one works for some time beside it',
          params: PersonalKeyPath,
          body: RotateApiKey,
          response: { 200: CreatedApiKey, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => {
        const { record, key } = await personalKeys.rotate(caller, params.key_id, body.overlap_seconds)
        return { data: { ...toApiKey(record), key } }
      },
    )

    app.delete(
      '/account/api-keys/:key_id',
      {
        config: { access: { who: 'account', on: [reach.part('key')] } },
        schema: {
          operationId: 'account.apiKeys.revoke',
          tags,
          summary: 'Revoke a personal API key; it stops working within 5 seconds',
          params: PersonalKeyPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await personalKeys.revoke(caller, params.key_id)
        return { data: { deleted: true as const } }
      },
    )
  }
