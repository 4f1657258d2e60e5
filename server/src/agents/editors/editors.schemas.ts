import { z } from 'zod'
import { ObjectId } from '../../platform/http/validation/schemas.ts'

const Named = z.object({ id: ObjectId, name: z.string() })

const AgentEditors = z
  .object({
    members: z.array(Named),
    groups: z.array(Named),
    owner: Named.nullable().meta({ description: 'The member who made the agent; null for one that a key made' }),
  })
  .meta({ id: 'AgentEditors', description: 'People who may change an agent beside its owner and the admins' })

export const AgentEditorsReply = z.object({ data: AgentEditors })

export const SetAgentEditors = z
  .strictObject({
    member_ids: z.array(z.string()).max(1000).default([]),
    group_ids: z.array(z.string()).max(1000).default([]),
  })
  .meta({ id: 'SetAgentEditors', description: 'All who may change the agent from then on, beside owner and admins' })
export type SetAgentEditors = z.infer<typeof SetAgentEditors>
