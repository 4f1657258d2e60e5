import { z } from 'zod'
import { listOf, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { Citation } from '../messages/messages.schemas.ts'

export const ShareChat = z
  .strictObject({
    follows: z.boolean().default(false).meta({
      description: 'true: readers see the chat as it is at any time; false: as it is now, until it is shared again',
    }),
  })
  .meta({ id: 'ShareChat' })

/** Secret part of a link: anything of another form is not there. */
const ShareId = z.string().max(100)

export const SharedChatPath = z.object({ shared_chat_id: ShareId })

const ChatShare = z
  .object({
    id: z.string().meta({ description: 'Secret part of the link' }),
    url: z.string().meta({ description: 'Link for members of the workspace' }),
    chat_id: ObjectId,
    agent_id: ObjectId,
    title: z.string().meta({ description: 'Title of the chat' }),
    follows: z.boolean().meta({ description: 'true: the chat as it is at any time; false: as it was at updated_at' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'ChatShare', description: 'A chat that members of its workspace may read by a link' })

export const ChatShareReply = z.object({ data: ChatShare })
export const ChatShareList = listOf('shares', ChatShare)
export const ChatSharesQuery = z.object({ ...PageQuery, chat_id: ObjectId.optional() })
export const SharedChatQuery = z.object(PageQuery)

const SharedMessage = z
  .object({
    id: ObjectId,
    query: z.string(),
    response: z.string(),
    error_message: z.string().nullable(),
    created_at: Timestamp,
    citations: z.array(Citation).meta({ description: 'Passages of files that the reader may read' }),
    hidden_citations: z.number().int().meta({ description: 'Number of passages that the reader may not read' }),
  })
  .meta({ id: 'SharedMessage', description: 'A question with its answer in a shared chat' })

export const SharedChatReply = z.object({
  data: listOf('messages', SharedMessage).shape.data.extend({
    title: z.string(),
    agent_name: z.string(),
    shared_by: z.string().meta({ description: 'Name of the member who shared it' }),
    is_own: z.boolean().meta({ description: 'Whether the caller shared it' }),
    agent_id: ObjectId,
    chat_id: ObjectId,
    follows: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
})
