import { z } from 'zod'
import { Name, ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'

export const Group = z
  .object({
    id: ObjectId,
    name: z.string(),
    members: z.number().int().meta({ description: 'How many members it has' }),
    created_at: Timestamp,
  })
  .meta({ id: 'MemberGroup', description: 'Members of a workspace under one name' })
export const GroupFields = z.strictObject({ name: Name }).meta({ id: 'MemberGroupFields' })
export const GroupPath = z.object({ group_id: z.string() })
