import { z } from 'zod'
import { Model } from '../../agents/agents.ts'
import { FileFilter } from '../../drive/drive.ts'
import { ObjectId } from '../../platform/http/validation/schemas.ts'
import { AttributionEmail } from '../../users/users.ts'
import { Review } from '../reviews/reviews.schemas.ts'

const FieldWithValue = z.object({
  field_name: z.string().min(1).max(256),
  field_value: z.union([z.string(), z.number()]),
})

export const QuestionText = z.string().max(200_000, 'must have at most 200000 characters')

/** A blank query counts as absent. */
const QueryText = QuestionText.nullable().default(null)

const content = {
  query: QueryText.meta({ description: 'Message text; required unless shortcut_id is given' }),
  message_id: z
    .string()
    .regex(/^[0-9a-f]{24}$/i, 'must have 24 hexadecimal characters')
    .transform((id) => id.toLowerCase())
    .nullish()
    .meta({ description: 'Made up when absent. Also the retry key: the same id with the same content runs once' }),
  job_id: z.string().nullable().default(null),
  // Undefined rather than null where it says nothing: it is then no part of what a retry is compared by.
  knowledge_base_ids: z
    .array(z.string())
    .max(100, 'must name at most 100 folders')
    .nullish()
    .transform((ids) => ids ?? undefined)
    .meta({
      description:
        "Answers from these of the agent's folders, and what is below them; an empty list: from none. Without it: from all",
    }),
  filters: FileFilter.nullish()
    .transform((filter) => filter ?? undefined)
    .meta({ description: 'Answers only from files whose metadata meets this' }),
  version_of: z
    .string()
    .transform((id) => id.toLowerCase())
    .nullish()
    .transform((id) => id ?? undefined)
    .meta({
      description:
        'Message of the chat beside which the query stands as another version, with the memory of what came before: the chat branches. Without it the query follows the branch that is shown',
    }),
  model: Model.nullish()
    .transform((model) => model ?? undefined)
    .meta({
      description: "`provider/model` for this answer instead of the agent's; takes the permission manage_agents",
    }),
  virtual_user_email: AttributionEmail.nullable().default(null),
  pin_response: z.boolean().default(false),
  uploaded_files: z.array(z.string()).max(20, 'must name at most 20 files').default([]),
  shortcut_id: z.string().nullable().default(null),
  shortcut_fields_with_values: z.array(FieldWithValue).max(100).default([]),
}

const hasQuery = ({ query, shortcut_id }: { query: string | null; shortcut_id: string | null }) =>
  Boolean(query?.trim()) || shortcut_id !== null
const queryMissing = { path: ['query'], message: 'is required unless shortcut_id is given' }

export const SendQuery = z
  .object({ ...content, is_stream: z.boolean().default(false) })
  .refine(hasQuery, queryMissing)
  .meta({ id: 'SendQuery' })
export type SendQuery = z.infer<typeof SendQuery>

export const SendAsyncQuery = z
  .object({
    ...content,
    webhook_url: z
      .string()
      .refine((url) => url.trim() !== '', 'must not be empty')
      .meta({ description: 'http or https; receives a POST with the result' }),
  })
  .refine(hasQuery, queryMissing)
  .meta({ id: 'SendAsyncQuery' })
export type SendAsyncQuery = z.infer<typeof SendAsyncQuery>

/** Fields that both kinds of query have. */
export type QueryContent = Omit<SendQuery, 'is_stream'>

export const AsyncQueryReply = z.object({ data: z.object({ message_id: ObjectId }) })
export const QueryReply = z.object({
  data: z.object({
    text: z.string().meta({ description: 'The answer; of a message that waits, what it said and what is asked' }),
    message_id: ObjectId,
    ai_resolution_status: z.literal('waiting').optional(),
    review: Review.optional().meta({ description: 'What the message waits for; there only if it does' }),
  }),
})
