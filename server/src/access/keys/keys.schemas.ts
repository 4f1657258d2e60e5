import { z } from 'zod'
import { listOf, Name, ObjectId, PageQuery, Timestamp } from '../../platform/http/schemas.ts'
import { PERMISSIONS } from '../caller.ts'
import { KeyScopes } from './key-scopes.ts'

const RoleName = z.enum(['owner', 'admin', 'member'])
const Permissions = z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length)

export const ApiKey = z
  .object({
    id: ObjectId,
    name: z.string(),
    prefix: z.string().meta({ description: 'The first 8 characters, to recognise it by' }),
    role: RoleName,
    permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'Owners and admins hold all' }),
    scopes: KeyScopes.nullable(),
    expires_at: Timestamp.nullable(),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({ description: 'To the minute' }),
  })
  .meta({ id: 'ApiKey', description: 'A key without its secret' })

export const CreateApiKey = z
  .strictObject({
    name: Name,
    role: RoleName.default('member'),
    permissions: Permissions.default([]),
    scopes: KeyScopes.nullable().default(null),
    expires_at: z.iso
      .datetime({ offset: true, message: 'must be an ISO 8601 time, for instance 2027-01-31T00:00:00Z' })
      .transform((time) => new Date(time).toISOString())
      .nullable()
      .default(null),
  })
  // An empty object may be a list that somebody failed to fill: it must not open everything.
  .refine(({ scopes }) => scopes === null || Object.values(scopes).some((narrowed) => narrowed != null), {
    path: ['scopes'],
    message: 'must hold operations, agent_ids or knowledge_base_ids; null makes a key that is not narrowed',
  })
  .meta({ id: 'CreateApiKey' })
export type CreateApiKey = z.infer<typeof CreateApiKey>

export const WorkspacePath = z.object({ workspace_id: z.string() })
export const ApiKeyPath = WorkspacePath.extend({ key_id: z.string() })
export const CreatedApiKey = z.object({
  data: ApiKey.extend({ key: z.string().meta({ description: 'Shown this once' }) }).meta({ id: 'CreatedApiKey' }),
})
export const ApiKeyList = listOf('api_keys', ApiKey)
export const ApiKeyListQuery = z.object(PageQuery)
