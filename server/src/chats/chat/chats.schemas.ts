import { z } from 'zod'
import { invalidField } from '../../platform/errors.ts'
import {
  FlagQuery,
  listOf,
  Name,
  ObjectId,
  PageQuery,
  TextQuery,
  Timestamp,
} from '../../platform/http/validation/schemas.ts'
import { unknownParameters } from '../../platform/http/validation/strict-queries.ts'
import { AttributionEmail } from '../../users/users.ts'
import { CHAT_SORTS } from './chats.store.ts'

export const ChatType = z.enum(['playground', 'configuration', 'interact', 'standard']).meta({
  id: 'ChatType',
  description: 'Kind of chat: decides where the product shows it',
})

/** Metadata of a chat, at most 50 keys. */
export const ChatMetadata = z
  .record(z.string().max(256), z.string().max(10_000))
  .refine((map) => Object.keys(map).length <= 50, 'must have at most 50 keys')
  .meta({ id: 'ChatMetadata', description: 'String keys and string values, at most 50' })

const NewChat = z
  .object({ id: ObjectId, title: z.string(), chat_type: ChatType, agent_id: ObjectId, created_at: Timestamp })
  .meta({ id: 'NewChat', description: 'A chat as it was created' })

export const Chat = NewChat.extend({
  metadata: ChatMetadata,
  project_id: ObjectId.nullable().meta({ description: 'Project that it is in; null for none' }),
  is_archived: z.boolean().meta({ description: 'Put away by its owner: the UI lists it apart' }),
  is_pinned: z.boolean().meta({ description: 'Kept by its owner above other chats' }),
}).meta({
  id: 'Chat',
  description: 'A conversation with one agent',
})

export const CreateChat = z
  .object({
    title: Name.default('New Chat'),
    chat_type: ChatType.default('standard'),
    metadata: ChatMetadata.default({}),
    virtual_user_email: AttributionEmail.nullable()
      .default(null)
      .meta({ description: 'Virtual user whose chat it is: it takes only their messages, and their tokens open it' }),
    project_id: ObjectId.nullable().default(null).meta({ description: 'Project that it begins in' }),
  })
  .meta({ id: 'CreateChat' })
export type CreateChat = z.infer<typeof CreateChat>

export const UpdateChat = z
  .strictObject({
    title: Name,
    metadata: ChatMetadata,
    project_id: ObjectId.nullable().meta({ description: 'Moves it into a project, or with null out of its own' }),
    is_archived: z.boolean(),
    is_pinned: z.boolean(),
    shown_message_id: z
      .string()
      .transform((id) => id.toLowerCase())
      .meta({ description: 'Shows the newest branch with this message, which the next query continues' }),
  })
  .partial()
  .meta({ id: 'UpdateChat', description: 'Fields that are left out stay as they are; metadata is replaced as a whole' })
export type UpdateChat = z.infer<typeof UpdateChat>

export const ChatPath = z.object({ agent_id: z.string(), chat_id: z.string() })
export type ChatPath = z.infer<typeof ChatPath>

export const CreateChatReply = z.object({ data: z.object({ chat: NewChat }) })
export const ChatReply = z.object({ data: Chat })
export const ChatList = listOf('chats', Chat)

/** Chat as the threads table shows it. */
export const Thread = Chat.extend({
  last_message_at: Timestamp.nullable().meta({ description: 'When the newest message was asked' }),
  message_count: z.number().int(),
  total_tokens: z.number().int().meta({ description: 'Input and output of all messages' }),
  status: z.enum(['empty', 'in_progress', 'waiting', 'failed', 'completed']).meta({
    description:
      'waiting: a message waits for a review; in_progress: one is being answered; failed: one failed; empty: no message',
  }),
  feedback: z.object({ up: z.number().int(), down: z.number().int() }).meta({ description: 'Answers rated so' }),
  virtual_users: z
    .array(z.object({ id: ObjectId, email: z.string(), name: z.string().nullable() }))
    .meta({ description: 'Ten of those who asked in it; only keys of admins and owners see them' }),
  virtual_user_count: z.number().int().meta({ description: 'Virtual users who asked in it' }),
}).meta({ id: 'Thread', description: 'A chat with what became of it' })

export const ThreadList = listOf('chats', Thread)

const TimeOrDay = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO 8601 time or date, for instance 2026-01-31')
  .transform((time) => new Date(time).toISOString())

/** Whether archived and pinned chats are listed: without a value both they and the others. */
export const PutAwayQuery = {
  archived: FlagQuery.optional().meta({ description: 'true: only archived chats; false: only the others' }),
  pinned: FlagQuery.optional().meta({ description: 'true: only pinned chats; false: only the others' }),
}

export const ChatListQuery = z
  .object({
    ...PageQuery,
    chat_type: ChatType.optional(),
    virtual_user_email: AttributionEmail.optional().meta({ description: 'Chats in which this person asked something' }),
    search: TextQuery().optional().meta({ description: 'Case-insensitive substring of the title' }),
    project_id: ObjectId.optional().meta({ description: 'Chats in this project' }),
    ...PutAwayQuery,
    scope: z
      .enum(['own', 'all'])
      .default('all')
      .meta({ description: "own: what stands in a member's own list; all: also what they may see of others" }),
    status: z.enum(['in_progress', 'waiting', 'failed']).optional().meta({
      description: 'Chats with a message that is being answered, waits for a review, or failed',
    }),
    feedback: z.enum(['up', 'down']).optional().meta({ description: 'Chats with an answer that was rated so' }),
    from: TimeOrDay.optional().meta({ description: 'Created at this time, or on this day (UTC), or later' }),
    to: TimeOrDay.optional().meta({ description: 'Created before this time, or before this day (UTC)' }),
    sort: z
      .enum(CHAT_SORTS)
      .optional()
      .meta({ description: 'Default: created_at; is_pinned: pinned ones first, then by creation' }),
    order: z.enum(['asc', 'desc']).optional().meta({ description: 'Default: desc' }),
  })
  .catchall(z.unknown())
  .meta({ description: 'metadata.KEY=VALUE, any number of times: chats with this metadata' })
export type ChatListQuery = z.infer<typeof ChatListQuery>

/** A chat as lists over all agents show it. */
const UsedChat = Chat.extend({
  last_message_at: Timestamp.nullable().meta({ description: 'When the newest message was asked' }),
  message_count: z.number().int(),
}).meta({ id: 'UsedChat', description: 'A chat with any agent, and when it was last used' })

export const UsedChatList = listOf('chats', UsedChat)

export const ProjectChatsQuery = z.object({
  ...PageQuery,
  ...PutAwayQuery,
  search: TextQuery().optional().meta({ description: 'Case-insensitive substring of the title' }),
})
export type ProjectChatsQuery = z.infer<typeof ProjectChatsQuery>

/**
 * The `metadata.KEY=VALUE` pairs of a query string.
 * @throws ValidationError for a key that is given twice, and for a parameter that there is not
 */
export function metadataFilter(query: Record<string, unknown>): Record<string, string> {
  const others = Object.entries(query).filter(([name]) => !name.startsWith(PREFIX))
  const unknown = unknownParameters(Object.fromEntries(others), Object.keys(ChatListQuery.shape))
  if (unknown) throw unknown
  const pairs: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (!name.startsWith(PREFIX)) continue
    if (typeof value !== 'string' || name === PREFIX) {
      const message = 'must be given once, with a key'
      throw invalidField(name, message)
    }
    pairs[name.slice(PREFIX.length)] = value
  }
  return pairs
}

const PREFIX = 'metadata.'
