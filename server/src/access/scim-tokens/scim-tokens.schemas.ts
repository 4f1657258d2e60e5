import { z } from 'zod'
import { Name, ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import type { ApiKeyRecord } from '../access.store.ts'
import { Expiry, WorkspacePath } from '../keys/keys.schemas.ts'

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
export const CreateScimToken = z
  .strictObject({ name: Name, expires_at: Expiry.default(null) })
  .meta({ id: 'CreateScimToken' })
const BaseUrl = z.string().meta({ description: 'Address to enter in the directory, as tenant or base URL' })
export const ScimTokenList = z.object({ data: z.object({ base_url: BaseUrl, scim_tokens: z.array(ScimToken) }) })
export const CreatedScimToken = z.object({
  data: ScimToken.extend({
    base_url: BaseUrl,
    token: z.string().meta({ description: 'Shown this once' }),
  }).meta({ id: 'CreatedScimToken' }),
})
export const ScimTokenPath = WorkspacePath.extend({ scim_token_id: z.string() })

export const toWire = (token: ApiKeyRecord) => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  role: token.role,
  expires_at: token.expiresAt,
  created_at: token.createdAt,
  last_used_at: token.lastUsedAt,
})
