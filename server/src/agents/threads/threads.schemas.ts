import { z } from 'zod'
import { ObjectId } from '../../platform/http/validation/schemas.ts'

const Named = z.object({ id: ObjectId, name: z.string() })

const ThreadsAccess = z
  .object({
    admins: z.boolean().meta({ description: 'Whether admins and owners of the workspace see its threads' }),
    members: z.array(Named),
    groups: z.array(Named),
    owner: Named.nullable().meta({ description: 'The member who made the agent; null for one that a key made' }),
    can_change: z.boolean().meta({ description: 'Whether the caller may change this' }),
  })
  .meta({ id: 'ThreadsAccess', description: 'Readers of the chats that others have with an agent' })

export const ThreadsAccessReply = z.object({ data: ThreadsAccess })

export const SetThreadsAccess = z
  .strictObject({
    admins: z.boolean(),
    member_ids: z.array(z.string()).max(1000).default([]),
    group_ids: z.array(z.string()).max(1000).default([]),
  })
  .meta({ id: 'SetThreadsAccess', description: 'Everybody else sees their own chats only' })
export type SetThreadsAccess = z.infer<typeof SetThreadsAccess>
