import { z } from 'zod'
import { ObjectId } from '../../platform/http/validation/schemas.ts'

export const SecondFactorDemandReply = z.object({
  data: z
    .object({
      is_demanded: z.boolean(),
      members_without: z.array(z.object({ id: ObjectId, name: z.string() })).meta({
        description: 'Members with a password and without a second factor, by name, at most 100',
      }),
      members_without_total: z.int(),
    })
    .meta({ id: 'SecondFactorDemand', description: 'Whether a workspace demands a second factor of its members' }),
})
export const SetSecondFactorDemand = z.strictObject({ is_demanded: z.boolean() }).meta({ id: 'SetSecondFactorDemand' })
export const WorkspacePath = z.object({ workspace_id: z.string() })
