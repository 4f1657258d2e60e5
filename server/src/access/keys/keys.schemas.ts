import { z } from 'zod'
import { listOf, Name, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { PERMISSIONS } from '../caller.ts'
import { KeyScopes, NewKeyScopes } from './key-scopes.ts'

const RoleName = z.enum(['owner', 'admin', 'member'])
const Permissions = z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length)

const RateLimit = z
  .strictObject({
    per_second: z.number().min(0.01).max(10_000).meta({ description: 'Requests that come back each second' }),
    burst: z.int().min(1).max(100_000).meta({ description: 'Requests that a rested key may send at once' }),
  })
  .meta({ id: 'KeyRateLimit', description: 'Rate limit of one key, at most the one that the server sets for all' })

export const Expiry = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 time, for instance 2027-01-31T00:00:00Z' })
  .transform((time) => new Date(time).toISOString())
  .nullable()

export const ApiKey = z
  .object({
    id: ObjectId,
    name: z.string(),
    prefix: z.string().meta({ description: 'The first 8 characters, to recognise it by' }),
    role: RoleName,
    permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'Owners and admins hold all' }),
    scopes: KeyScopes.nullable(),
    rate_limit: RateLimit.nullable().meta({ description: 'Its own; null for that of all keys' }),
    expires_at: Timestamp.nullable(),
    earlier_secret_until: Timestamp.nullable().meta({
      description: 'Time at which the secret before the last rotation stops working; null if never rotated',
    }),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({ description: 'To the minute' }),
  })
  .meta({ id: 'ApiKey', description: 'A key without its secret' })

export const CreateApiKey = z
  .strictObject({
    name: Name,
    role: RoleName.default('member'),
    permissions: Permissions.default([]),
    scopes: NewKeyScopes.nullable().default(null),
    expires_at: Expiry.default(null),
    rate_limit: RateLimit.nullable().default(null),
  })
  .meta({ id: 'CreateApiKey' })
export type CreateApiKey = Omit<z.infer<typeof CreateApiKey>, 'scopes'> & { scopes: KeyScopes | null }

export const UpdateApiKey = z
  .strictObject({
    name: Name.optional(),
    expires_at: Expiry.optional(),
    rate_limit: RateLimit.nullable().optional(),
    scopes: NewKeyScopes.nullable().optional().meta({ description: 'Takes the place of all that it had' }),
  })
  .meta({ id: 'UpdateApiKey', description: 'Fields that are left out stay' })
export type UpdateApiKey = Omit<z.infer<typeof UpdateApiKey>, 'scopes'> & { scopes?: KeyScopes | null }

const LONGEST_OVERLAP_SECONDS = 30 * 86_400

export const RotateApiKey = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(LONGEST_OVERLAP_SECONDS).default(86_400).meta({
      description: 'Time during which the earlier secret works beside the new one; 0 ends it within 5 seconds',
    }),
  })
  .meta({ id: 'RotateApiKey' })

export const WorkspacePath = z.object({ workspace_id: z.string() })
export const ApiKeyPath = WorkspacePath.extend({ key_id: z.string() })
export const CreatedApiKey = z.object({
  data: ApiKey.extend({ key: z.string().meta({ description: 'Shown this once' }) }).meta({ id: 'CreatedApiKey' }),
})
export const OneApiKey = z.object({ data: ApiKey })
export const ApiKeyList = listOf('api_keys', ApiKey)
export const ApiKeyListQuery = z.object(PageQuery)
