import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { failures } from '../platform/http/failures.ts'
import { ObjectId, PictureUrl } from '../platform/http/validation/schemas.ts'
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
        picture_url: PictureUrl,
        groups: z.array(Named),
      })
      .nullable()
      .meta({ description: 'The person who is signed in, or whose key it is; null for a key of a program' }),
    needs_second_factor: z
      .boolean()
      .meta({ description: 'Whether the workspace demands a second factor that the person has yet to set up' }),
    limits: z.object({
      upload_bytes: z.number().int().meta({ description: 'Size of the largest file that can be uploaded' }),
    }),
  })
  .meta({
    id: 'Identity',
    description: 'Organization, workspace, role and permissions of an API key, and the person behind it',
  })

/** Member behind a caller. */
interface Person {
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
  config: { uploads: { maxBytes: number } }
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
    limits: { upload_bytes: config.uploads.maxBytes },
  }
}

const toWire = ({ id, accountId, email, name, pictureUrl, groups }: Person) => ({
  id,
  account_id: accountId,
  email,
  name,
  picture_url: pictureUrl,
  groups,
})
