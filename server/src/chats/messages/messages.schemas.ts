import { z } from 'zod'
import { FileFilter } from '../../drive/drive.ts'
import { BooleanQuery, described, ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import { textForm } from '../../platform/http/validation/text-form.ts'
import { LocationSchema } from '../../retrieval/retrieval.ts'
import { ChatPath } from '../chat/chats.schemas.ts'
import { Review } from '../reviews/reviews.schemas.ts'

export const Citation = z
  .object({
    index: z.number().int().meta({ description: 'The number by which the text refers to it: [1]' }),
    data_source_id: ObjectId,
    title: z.string(),
    url: z.string().optional().meta({
      description: 'Address of the document in the web, if its metadata name one under `url`',
    }),
    location: LocationSchema,
    text: z.string(),
  })
  .meta({ id: 'Citation', description: 'A passage that the answer relies on' })

const FieldWithValue = z.object({ field_name: z.string(), field_value: z.union([z.string(), z.number()]) })

const tokens = z.number().int()

export const MessageUsage = z
  .object({
    input_tokens: tokens.meta({ description: 'Cached ones included' }),
    cached_input_tokens: tokens,
    output_tokens: tokens.meta({ description: 'Reasoning included' }),
    reasoning_tokens: tokens,
    cost_usd: z.number().nullable().meta({ description: 'By the prices of then; null where one was not known' }),
    model: z.string().meta({ description: '`provider/model` of the agent; its sub-agents may have used others' }),
  })
  .meta({ id: 'MessageUsage', description: 'Usage of all models together for one message' })
export type MessageUsage = z.infer<typeof MessageUsage>

const UploadedFile = z
  .object({
    id: ObjectId.meta({ description: 'As in uploaded_files of the query' }),
    file_name: z.string(),
    media_type: z.string(),
    size_bytes: z.number().int(),
  })
  .meta({ id: 'UploadedFile', description: 'A file that was sent with a query' })

export const OutputFile = z
  .object({
    key: z.string().meta({ description: 'As in downloadable_output' }),
    file_name: z.string(),
    media_type: z.string(),
    size_bytes: z.number().int(),
    url: z.string().meta({ description: 'Signed: works for a while, without an API key' }),
  })
  .meta({ id: 'OutputFile', description: 'A file that an agent made' })

export const Message = z
  .object({
    id: ObjectId,
    query: z.string(),
    response: z.string(),
    chat_id: ObjectId,
    agent_id: ObjectId,
    created_at: Timestamp,
    updated_at: Timestamp,
    message_type: z.string(),
    is_pinned: z.boolean(),
    reasoning: z.string(),
    ai_resolution_status: z.enum(['in_progress', 'waiting', 'completed']),
    review: Review.nullable().meta({
      description: 'The review that it waits for; null on every message that does not',
    }),
    error_message: z.string().nullable().meta({ description: 'Why it failed; null on every message that did not' }),
    quick_action_id: ObjectId.nullable(),
    quick_action_fields_with_values: z.array(FieldWithValue),
    citations: z.array(Citation),
    uploaded_files: z.array(UploadedFile).optional().meta({
      description: 'The files that were sent with the query; in the history, and where one message is asked for',
    }),
    versions: z
      .array(ObjectId)
      .optional()
      .meta({ description: 'It and the other versions of it, oldest first; there only if there are several' }),
    asked_model: z.string().optional().meta({ description: '`provider/model` that the query named, if it did' }),
    usage: MessageUsage.nullable()
      .optional()
      .meta({ description: 'Usage of the answer; null until it is complete. With `usage=true`' }),
    feedback: z.object({ rating: z.enum(['up', 'down']), comment: z.string().nullable() }).nullable(),
    downloadable_output: z.record(z.string(), z.string()).optional(),
    output_files: z
      .array(OutputFile)
      .optional()
      .meta({ description: 'The files behind downloadable_output, in the order in which they were made' }),
  })
  .meta({ id: 'Message', description: 'A query and its answer' })

/** Part of a message that its webhook tells. */
export const MessageResult = Message.pick({
  id: true,
  query: true,
  response: true,
  chat_id: true,
  agent_id: true,
  created_at: true,
  updated_at: true,
  message_type: true,
  is_pinned: true,
  downloadable_output: true,
  reasoning: true,
  quick_action_id: true,
  quick_action_fields_with_values: true,
  citations: true,
})

/** Body of the webhook of an asynchronous query. */
export const WebhookBody = z
  .object({
    status: z.enum(['success', 'error']),
    error_message: z.string().nullable().meta({ description: 'Why it failed; null when it did not' }),
    data: MessageResult,
  })
  .meta({ id: 'WebhookBody', description: 'The result of an asynchronous query' })

const Named = z.object({ id: ObjectId, name: z.string() })

export const MessageRights = z
  .object({
    rights_of: z.enum(['member', 'api_key', 'virtual_user', 'visitor']).meta({
      description:
        '`virtual_user`: by its grants; one without any is answered with the rights of the key. `visitor`: of a link, with the rights of `member` if there is one',
    }),
    member: Named.nullable().meta({ description: 'The member whose rights to folders counted' }),
    api_key: Named.nullable().meta({ description: 'The key that asked; for a member, the one that stands for them' }),
    virtual_user_id: ObjectId.nullable(),
    folders: z
      .array(z.object({ id: ObjectId, path: z.array(z.string()), can_read: z.boolean() }))
      .meta({ description: 'Folders of the agent, and whether these rights let it read them now' }),
  })
  .meta({ id: 'MessageRights', description: 'Rights with which a message was answered' })
export const MessageRightsReply = z.object({ data: MessageRights })

const KeptPassage = z
  .object({
    index: z.number().int().meta({ description: 'The number by which the answer may cite it' }),
    data_source_id: ObjectId,
    title: z.string(),
    location: LocationSchema,
    text: z.string().meta({ description: 'Up to 2,000 characters; the model also read what stands around it' }),
    score: z.number().meta({ description: 'Measure by which the passages of this search are ordered' }),
    bm25: z.number().meta({ description: 'Part of the words alone; 0 where only the meaning was near' }),
    is_cited: z.boolean(),
  })
  .meta({ id: 'KeptPassage', description: 'A passage that a model was given' })

const KeptSearch = z
  .object({
    tool_call_id: z.string().meta({ description: 'As in the events of the message' }),
    agent: Named.nullable().meta({ description: 'The sub-agent that searched; null for the agent itself' }),
    query: z.string(),
    filters: z
      .array(FileFilter)
      .meta({ description: 'Filters of the agent, the job and the query, all of which hold' }),
    terms: z
      .array(z.object({ term: z.string(), weight: z.number(), count: z.number().int() }))
      .meta({ description: 'The query as the search understood it: stems, and the rarer, the heavier' }),
    passages: z.array(KeptPassage).meta({ description: 'Best first' }),
  })
  .meta({ id: 'KeptSearch', description: 'A search that an agent made for an answer' })

export const MessageRetrievalReply = z.object({
  data: z
    .object({
      searches: z.array(KeptSearch).meta({ description: 'In the order in which they ended' }),
      citations: z.array(Citation),
    })
    .meta({ id: 'MessageRetrieval', description: 'Passages that an answer was given, and those that it cites' }),
})

/** Clients may choose the id of a message, in letters of either case: then it is found in both. */
const MessageId = z.string().transform((id) => id.toLowerCase())

export const MessagePath = ChatPath.extend({ message_id: MessageId })
export type MessagePath = z.infer<typeof MessagePath>

export const MessageQuery = z.object({ downloadable_output: BooleanQuery(false), usage: BooleanQuery(false) })
export const UpdateMessage = z.strictObject({ is_pinned: z.boolean() }).partial().meta({ id: 'UpdateMessage' })
export type UpdateMessage = z.infer<typeof UpdateMessage>

export const Feedback = z
  .strictObject({
    rating: z.enum(['up', 'down']).nullable().meta({ description: 'null takes the feedback back' }),
    comment: z.string().max(10_000, 'must have at most 10000 characters').nullable().default(null),
  })
  .meta({ id: 'Feedback' })
export type Feedback = z.infer<typeof Feedback>

/** Event after which a stream continues, in the query string or as `Last-Event-ID`. */
export const EventsQuery = z.object({
  starting_after: z
    .string()
    .regex(/^(-1|\d{1,15})$/, 'must be a sequence number')
    .transform(Number)
    .optional()
    .meta(described({ type: 'integer', minimum: -1, description: 'Number of the last event that was read; -1: none' })),
})

export const MessageReply = z.object({ data: Message })

const strictInteger = (min: number, max: number, byDefault: number) =>
  z.number().int().min(min).max(max).default(byDefault)

/** Parameters of the history, in the body of the GET. */
export const History = z.object({
  from_message: MessageId.nullable().default(null).meta({ description: 'This message and all later ones' }),
  page: strictInteger(1, 1_000_000_000, 1),
  page_size: strictInteger(1, 100, 50),
  order: z.enum(['asc', 'desc']).default('asc'),
  usage: z.boolean().default(false).meta({ description: 'Whether to tell what each message took' }),
})
export type History = z.infer<typeof History>

/** History in the query string, for clients that cannot send a body with GET. */
export const HistoryQuery = textForm(History)

export const HistoryReply = z.object({
  data: z.object({
    messages: z.array(Message),
    total: z.number().int(),
    page: z.number().int(),
    page_size: z.number().int(),
    count: z.number().int(),
    has_more: z.boolean(),
  }),
})
