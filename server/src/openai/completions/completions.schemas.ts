import { z } from 'zod'
import { FileId, Model, none, PersonName, TextFormat, withoutUnusedTools } from '../openai.schemas.ts'

const TextPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() })

const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]),
})

const FilePart = z.object({
  type: z.literal('file'),
  file: z
    .object({ file_id: FileId.nullish(), file_data: z.string().nullish(), filename: z.string().nullish() })
    .refine(({ file_id, file_data }) => Boolean(file_id) !== Boolean(file_data), 'needs either file_id or file_data'),
})

const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() })

const text = z.union([z.string(), z.array(TextPart)])

const Message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: text }),
  z.object({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [TextPart, ImagePart, FilePart]))]),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [TextPart, RefusalPart]))]).nullish(),
    tool_calls: z
      .array(
        z.object({
          type: z.literal('function').default('function'),
          function: z.object({ name: z.string(), arguments: z.string().default('') }),
        }),
      )
      .nullish(),
  }),
  z.object({ role: z.literal('tool'), content: text }),
])

/** Parameters of sampling are the agent's, and ignored here. */
export const CreateCompletion = withoutUnusedTools(
  z.object({
    model: Model,
    messages: z.array(Message).min(1).max(2000),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    user: PersonName,
    safety_identifier: PersonName,
    n: z.literal(1, 'must be 1: an agent gives one answer').nullish(),
    tools: none('agents carry out their own tools: give them to the agent'),
    functions: none('agents carry out their own tools: give them to the agent'),
    response_format: TextFormat.nullish(),
  }),
)
export type CreateCompletion = z.infer<typeof CreateCompletion>
