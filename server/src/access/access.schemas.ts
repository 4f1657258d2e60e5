import { z } from 'zod'
import { ObjectId, PictureUrl } from '../platform/http/validation/schemas.ts'
import type { Person } from './access.routes.ts'
import { PERMISSIONS } from './caller.ts'
import { KeyScopes } from './keys/key-scopes.ts'

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
      upload_seconds: z.number().int().meta({ description: 'Time for which an uploaded file waits to be used' }),
    }),
  })
  .meta({
    id: 'Identity',
    description: 'Organization, workspace, role and permissions of an API key, and the person behind it',
  })

export const toWire = ({ id, accountId, email, name, pictureUrl, groups }: Person) => ({
  id,
  account_id: accountId,
  email,
  name,
  picture_url: pictureUrl,
  groups,
})
