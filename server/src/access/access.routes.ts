import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { failures } from '../platform/http/failures.ts'
import { Identity, toWire } from './access.schemas.ts'
import { type AccessService, permissionsOf } from './access.service.ts'
import type { Caller } from './caller.ts'
import type { LiveScopes } from './keys/key-scopes.ts'

/** Member behind a caller. */
export interface Person {
  id: string
  accountId: string
  email: string
  name: string
  pictureUrl: string | null
  groups: { id: string; name: string }[]
}

export interface IdentityOptions {
  access: AccessService
  liveLists: LiveScopes
  members: { describe(caller: Caller): Promise<Person | null> }
  config: { uploads: { maxBytes: number; ttlMs: number } }
}

export const identityRoutes =
  (options: IdentityOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/me',
      {
        config: { access: { who: 'caller', bound: 'filtered', virtualUsers: 'keys', withoutSecondFactor: true } },
        schema: {
          operationId: 'me.get',
          summary: "Show the key's organization, workspace and permissions",
          response: { 200: z.object({ data: Identity }), ...failures(401) },
        },
      },
      async ({ caller }) => ({ data: await describeIdentity(options, caller) }),
    )
  }

export async function describeIdentity(
  { access, liveLists, members, config }: IdentityOptions,
  caller: Caller,
): Promise<z.input<typeof Identity>> {
  const known = await access.describe(caller)
  const [scopes = null] = caller.scopes ? await liveLists.ofScopes(caller, [caller.scopes]) : []
  const person = await members.describe(caller)
  return {
    organization: { id: known.organizationId, name: known.organizationName },
    workspace: { id: known.workspaceId, name: known.workspaceName },
    key: {
      id: known.keyId,
      name: known.keyName,
      role: known.role,
      permissions: permissionsOf(known.role, known.permissions),
      scopes,
    },
    member: person && toWire(person),
    needs_second_factor: caller.needsSecondFactor === true,
    limits: { upload_bytes: config.uploads.maxBytes, upload_seconds: config.uploads.ttlMs / 1000 },
  }
}
