import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { failures } from '../platform/http/failures.ts'
import { ObjectId } from '../platform/http/validation/schemas.ts'
import { type AccessService, permissionsOf } from './access.service.ts'
import { type Caller, PERMISSIONS } from './caller.ts'
import { KeyScopes, type LiveScopes } from './keys/key-scopes.ts'

const Named = z.object({ id: ObjectId, name: z.string() })

export const Identity = z
  .object({
    organization: Named,
    workspace: Named,
    key: Named.extend({
      role: z.enum(['owner', 'admin', 'member']),
      permissions: z.array(z.enum(PERMISSIONS)),
      scopes: KeyScopes.nullable(),
    }),
    member: z
      .object({
        id: ObjectId,
        account_id: ObjectId,
        email: z.string(),
        name: z.string(),
        groups: z.array(Named),
      })
      .nullable()
      .meta({ description: 'The person who is signed in, or whose key it is; null for a key of a program' }),
  })
  .meta({
    id: 'Identity',
    description: 'Organization, workspace, role and permissions of an API key, and the person behind it',
  })

export interface IdentityOptions {
  access: AccessService
  liveLists: LiveScopes
  members: { describe(caller: Caller): Promise<z.input<typeof Identity>['member']> }
}

export const identityRoutes =
  (options: IdentityOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/me',
      {
        config: { access: { who: 'caller', bound: 'filtered', virtualUsers: 'keys' } },
        schema: {
          operationId: 'me.get',
          summary: "Show the key's organization, workspace and permissions",
          response: { 200: z.object({ data: Identity }), ...failures(401) },
        },
      },
      async ({ caller }) => ({ data: await identityOf(options, caller) }),
    )
  }

export async function identityOf(
  { access, liveLists, members }: IdentityOptions,
  caller: Caller,
): Promise<z.input<typeof Identity>> {
  const row = await access.describe(caller)
  const [scopes = null] = caller.scopes ? await liveLists.ofScopes(caller, [caller.scopes]) : []
  return {
    organization: { id: row.organizationId, name: row.organizationName },
    workspace: { id: row.workspaceId, name: row.workspaceName },
    key: {
      id: row.keyId,
      name: row.keyName,
      role: row.role,
      permissions: permissionsOf(row.role, JSON.parse(row.permissions)),
      scopes,
    },
    member: await members.describe(caller),
  }
}
