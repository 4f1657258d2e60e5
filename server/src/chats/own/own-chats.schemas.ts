import { z } from 'zod'
import { listOf, ObjectId, PageQuery, TextQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { ChatType, PutAwayQuery } from '../chat/chats.schemas.ts'

export const OwnChatsQuery = z.object({
  ...PageQuery,
  ...PutAwayQuery,
  chat_type: ChatType.optional(),
  search: TextQuery().optional().meta({ description: 'Case-insensitive substring of the title' }),
})
export type OwnChatsQuery = z.infer<typeof OwnChatsQuery>

export const ChangeChats = z
  .strictObject({
    chat_ids: z
      .array(z.string().transform((id) => id.toLowerCase()))
      .min(1)
      .max(100),
    action: z.enum(['archive', 'unarchive', 'pin', 'unpin', 'delete']),
  })
  .meta({ id: 'ChangeChats', description: 'Own chats, with any agents, and what to do with all of them' })
export type ChangeChats = z.infer<typeof ChangeChats>

export const ChangedChats = z.object({
  data: z.object({
    changed_ids: z.array(ObjectId),
    missing_ids: z
      .array(z.string())
      .meta({ description: 'Ids of chats that are not there, or that are not to be changed by the caller' }),
  }),
})

const PinnedMessage = z
  .object({
    message_id: ObjectId,
    chat_id: ObjectId,
    agent_id: ObjectId,
    title: z.string().meta({ description: 'Title of the chat' }),
    query: z.string().meta({ description: 'Its first 500 characters' }),
    response: z.string().meta({ description: 'Its first 500 characters' }),
    is_shown: z.boolean().meta({ description: 'false: it is in a branch of the chat that is not shown' }),
    created_at: Timestamp,
  })
  .meta({ id: 'PinnedMessage', description: 'A pinned answer' })

export const PinnedMessageList = listOf('messages', PinnedMessage)
export const PinnedMessagesQuery = z.object(PageQuery)
