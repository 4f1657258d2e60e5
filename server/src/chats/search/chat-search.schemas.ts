import { z } from 'zod'
import { IntegerQuery, ObjectId, TextQuery, Timestamp } from '../../platform/http/validation/schemas.ts'

export const SearchQuery = z.object({
  query: TextQuery(256)
    .refine((text) => text.trim() !== '', 'must not be empty')
    .meta({ description: 'Words or parts of words, at most eight; a message that is found holds all of them' }),
  limit: IntegerQuery({ min: 1, max: 50, byDefault: 20 }),
})

export const FoundMessage = z
  .object({
    message_id: ObjectId,
    chat_id: ObjectId,
    agent_id: ObjectId,
    title: z.string().meta({ description: 'Title of the chat' }),
    found_in: z.enum(['query', 'response']),
    snippet: z.string().meta({ description: 'Text around the first word that was found, on one line' }),
    created_at: Timestamp,
  })
  .meta({ id: 'FoundMessage', description: 'A message that holds what was searched' })
