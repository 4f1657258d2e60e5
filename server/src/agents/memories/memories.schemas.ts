import { z } from 'zod'
import { listOf, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { VirtualUserParams } from '../../users/users.ts'

export const MemoryParams = VirtualUserParams.extend({ memory_id: ObjectId })

export const MemoryListQuery = z.object({
  agent_id: ObjectId.optional().meta({ description: 'Only what this agent remembers' }),
  ...PageQuery,
})

export const Memory = z
  .object({
    id: ObjectId,
    agent_id: ObjectId.meta({ description: 'The agent that remembers it; others do not know it' }),
    topic: z.string().nullable(),
    text: z.string(),
    message_id: ObjectId.meta({ description: 'The message in which it was said; it may be deleted by now' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Memory', description: 'Something that an agent remembers of a person' })

export const MemoryList = listOf('memories', Memory)
