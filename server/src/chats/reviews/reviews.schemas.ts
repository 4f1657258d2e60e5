import { z } from 'zod'
import { listOf, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'

const Status = z.enum(['pending', 'approved', 'rejected', 'answered', 'expired', 'cancelled'])

export const Review = z
  .object({
    id: ObjectId,
    kind: z.enum(['approval', 'question']).meta({
      description: 'approval: a tool waits to be allowed; question: the agent asks something',
    }),
    status: Status,
    agent_id: ObjectId,
    chat_id: ObjectId,
    message_id: ObjectId,
    asked_by: ObjectId.meta({ description: 'The agent that asks: the one of the chat, or a sub-agent of it' }),
    tool_name: z.string(),
    text: z.string().meta({ description: 'The question, in words' }),
    arguments: z.record(z.string(), z.unknown()).nullable().meta({ description: 'Arguments of the call that waits' }),
    changed_arguments: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Arguments that the person who approved put in their place; null if none' }),
    options: z.array(z.string()).meta({ description: 'Answers to choose from; any other text is fine, too' }),
    note: z.string().nullable().meta({ description: 'The answer, or what was said along with the decision' }),
    decided_at: Timestamp.nullable(),
    decided_by: ObjectId.nullable().meta({ description: 'The API key' }),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'Review', description: 'A review: a run waits for the decision of a person' })

export const ReviewDecision = z
  .strictObject({
    decision: z
      .enum(['approve', 'reject', 'answer'])
      .meta({ description: 'answer: for a question, with the answer in `note`' }),
    note: z.string().max(20_000, 'must have at most 20000 characters').nullable().default(null),
    arguments: z
      .record(z.string(), z.unknown())
      .nullable()
      .default(null)
      .meta({ description: "With approve: what to call the tool with, all of it, in place of the model's arguments" }),
  })
  .meta({ id: 'ReviewDecision' })
export type ReviewDecision = z.infer<typeof ReviewDecision>

export const ReviewListQuery = z.object({ ...PageQuery, status: Status.optional() })
export const ReviewList = listOf('reviews', Review)
export const InboxPath = z.object({ workspace_id: z.string() })
