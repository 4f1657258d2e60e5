import { z } from 'zod'
import { FileId, Model, none, PersonName, TextFormat, withoutUnusedTools } from '../openai.schemas.ts'

const TextPart = z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() })

const ImagePart = z
  .object({ type: z.literal('input_image'), image_url: z.string().nullish(), file_id: FileId.nullish() })
  .refine(({ image_url, file_id }) => Boolean(image_url) !== Boolean(file_id), 'needs either image_url or file_id')

const FilePart = z
  .object({
    type: z.literal('input_file'),
    file_id: FileId.nullish(),
    file_data: z.string().nullish(),
    file_url: z.string().nullish(),
    filename: z.string().nullish(),
  })
  .refine(
    ({ file_id, file_data, file_url }) => [file_id, file_data, file_url].filter(Boolean).length === 1,
    'needs one of file_id, file_data and file_url',
  )

const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() })

const Message = z.object({
  type: z
    .literal('message', 'must be "message", or the type of an item of an answer: agents carry out their own tools')
    .default('message'),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [TextPart, ImagePart, FilePart, RefusalPart]))]),
})

/** Items of an earlier answer, which clients send back: the agent knows what it did. */
const OtherItem = z.object({
  type: z.enum([
    'reasoning',
    'file_search_call',
    'web_search_call',
    'code_interpreter_call',
    'mcp_call',
    'mcp_list_tools',
    'item_reference',
  ]),
})

/** Call of a tool of the client, from before an agent was asked. */
const FunctionCall = z.object({ type: z.literal('function_call'), name: z.string(), arguments: z.string() })
const FunctionOutput = z.object({
  type: z.literal('function_call_output'),
  output: z.union([z.string(), z.array(z.discriminatedUnion('type', [TextPart, ImagePart, FilePart]))]),
})

const ChatId = z
  .string()
  .regex(/^(conv_)?[0-9a-f]{24}$/, 'must be the id of a conversation that an earlier response had')
  .transform((id) => id.replace('conv_', ''))

/** Parameters of sampling are the agent's, and ignored here. */
export const CreateResponse = withoutUnusedTools(
  z.object({
    model: Model,
    input: z.union([
      z.string(),
      z
        .array(z.union([Message, OtherItem, FunctionCall, FunctionOutput]))
        .min(1)
        .max(2000),
    ]),
    instructions: z.string().nullish(),
    previous_response_id: z
      .string()
      .regex(/^(resp_)?[0-9a-f]{24}$/, 'must be the id of an earlier response')
      .transform((id) => id.replace('resp_', ''))
      .nullish(),
    conversation: z.union([ChatId, z.object({ id: ChatId }).transform(({ id }) => id)]).nullish(),
    stream: z.boolean().nullish(),
    user: PersonName,
    safety_identifier: PersonName,
    tools: none('agents carry out their own tools: give them to the agent'),
    background: z.literal(false, 'must be false: use POST …/async_query for answers that a webhook gets').nullish(),
    text: z.object({ format: TextFormat.nullish() }).nullish(),
  }),
)
export type CreateResponse = z.infer<typeof CreateResponse>

export const GetResponse = z.object({
  stream: z
    .literal('false', 'must be false: a stored response is read whole; GET …/message/{message_id}/events streams')
    .nullish(),
})
