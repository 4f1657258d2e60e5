import { z } from 'zod'
import { ValidationError } from '../platform/errors.ts'
import { listOf, Name, ObjectId, PageQuery, TextQuery, Timestamp } from '../platform/http/schemas.ts'
import { AttributionEmail } from '../users/attribution.ts'

export const ChatType = z.enum(['playground', 'configuration', 'interact', 'standard']).meta({
  id: 'ChatType',
  description: 'Where the chat appears in the product',
})

/** At most 50 keys. */
export const ChatMetadata = z
  .record(z.string().max(256), z.string().max(10_000))
  .refine((map) => Object.keys(map).length <= 50, 'must have at most 50 keys')
  .meta({ id: 'ChatMetadata', description: 'String keys and string values, at most 50' })

const NewChat = z
  .object({ id: ObjectId, title: z.string(), chat_type: ChatType, agent_id: ObjectId, created_at: Timestamp })
  .meta({ id: 'NewChat', description: 'A chat as it was created' })

export const Chat = NewChat.extend({ metadata: ChatMetadata }).meta({
  id: 'Chat',
  description: 'A conversation with one agent',
})

export const CreateChat = z
  .object({
    title: Name.default('New Chat'),
    chat_type: ChatType.default('standard'),
    metadata: ChatMetadata.default({}),
  })
  .meta({ id: 'CreateChat' })
export type CreateChat = z.infer<typeof CreateChat>

export const UpdateChat = z
  .object({ title: Name, metadata: ChatMetadata })
  .partial()
  .meta({ id: 'UpdateChat', description: 'What is left out stays; metadata is replaced as a whole' })
export type UpdateChat = z.infer<typeof UpdateChat>

export const ChatPath = z.object({ agent_id: z.string(), chat_id: z.string() })
export type ChatPath = z.infer<typeof ChatPath>

export const CreateChatReply = z.object({ data: z.object({ chat: NewChat }) })
export const ChatReply = z.object({ data: Chat })
export const ChatList = listOf('chats', Chat)

export const ChatListQuery = z
  .object({
    ...PageQuery,
    chat_type: ChatType.optional(),
    virtual_user_email: AttributionEmail.optional().meta({ description: 'Chats in which this person asked something' }),
    search: TextQuery().optional().meta({ description: 'Case-insensitive substring of the title' }),
  })
  .catchall(z.unknown())
  .meta({ description: 'metadata.KEY=VALUE, any number of times: chats with this metadata' })
export type ChatListQuery = z.infer<typeof ChatListQuery>

/** The `metadata.KEY=VALUE` pairs of a query string. @throws ValidationError for a key that is given twice */
export function metadataFilter(query: Record<string, unknown>): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (!name.startsWith(PREFIX)) continue
    if (typeof value !== 'string' || name === PREFIX) {
      const message = 'must be given once, with a key'
      throw new ValidationError(`${name}: ${message}`, [{ path: name, message }])
    }
    pairs[name.slice(PREFIX.length)] = value
  }
  return pairs
}

const PREFIX = 'metadata.'
