import { z } from 'zod'
import { IntegerQuery, Name, ObjectId, TextQuery, Timestamp } from '../platform/http/validation/schemas.ts'
import { AttributionEmail } from './attribution.ts'
import { Metadata } from './metadata.ts'
import type { VirtualUser as VirtualUserRecord } from './users.store.ts'

export const WorkspaceParams = z.object({ workspace_id: z.string() })
export const VirtualUserParams = WorkspaceParams.extend({ virtual_user_id: ObjectId })

export const CreateVirtualUser = z.object({
  email: AttributionEmail,
  name: Name.nullish(),
  origin: Name.nullish().meta({ description: 'Application that the person comes from' }),
  metadata: Metadata.optional(),
})
export type CreateVirtualUser = z.infer<typeof CreateVirtualUser>

export const UpdateVirtualUser = z.object({
  name: Name.nullable().optional().meta({ description: 'null clears' }),
  origin: Name.nullable().optional().meta({ description: 'null clears' }),
  metadata: Metadata.optional().meta({ description: 'Replaces all that was there' }),
  email: z.never('cannot be changed').optional(),
})
export type UpdateVirtualUser = z.infer<typeof UpdateVirtualUser>

export const ListVirtualUsersQuery = z.object({
  email: AttributionEmail.optional().meta({ description: 'Exactly this e-mail, whatever its case' }),
  search: TextQuery(256).optional().meta({ description: 'Part of the e-mail, name or origin, whatever its case' }),
  page: IntegerQuery({ min: 0, max: 1_000_000_000, byDefault: 0 }),
  page_size: IntegerQuery({ min: 1, max: 200, byDefault: 50 }),
})
export type ListVirtualUsersQuery = z.infer<typeof ListVirtualUsersQuery>

export const VirtualUser = z
  .object({
    id: ObjectId,
    organization_id: ObjectId,
    email: z.string(),
    name: z.string().nullable(),
    origin: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'VirtualUser', description: 'A person on whose behalf an application sends requests' })

export const VirtualUserReply = z.object({ data: VirtualUser })
export const VirtualUserListReply = z.object({
  data: z.object({
    virtual_users: z.array(VirtualUser),
    pagination: z.object({ page: z.number().int(), page_size: z.number().int(), total_count: z.number().int() }),
  }),
})
export const DeletedVirtualUserReply = z.object({ data: z.object({ deleted: z.literal(true) }) })

export const toVirtualUser = (user: VirtualUserRecord): z.input<typeof VirtualUser> => ({
  id: user.id,
  organization_id: user.organizationId,
  email: user.email,
  name: user.name,
  origin: user.origin,
  metadata: JSON.parse(user.metadata),
  created_at: user.createdAt,
  updated_at: user.updatedAt,
})
