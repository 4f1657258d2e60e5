import type { Caller } from '../../access/access.ts'
import type { MessageService } from '../../chats/chats.ts'
import { invalidField } from '../../platform/errors.ts'
import { ResponseNotFoundError } from '../openai-errors.ts'
import type { Conversation } from '../spoken.ts'
import type { CreateResponse } from './responses.schemas.ts'

/** As many as an agent is ever told of. */
const MOST_TURNS = 100

/**
 * The chat that a request goes on with, and what counts as said before: the chat's own memory where the request goes on
 * at its end; else the turns up to the response that it names, in a chat of their own.
 * @throws ResponseNotFoundError, ValidationError
 */
export async function chatOfRequest(
  messages: MessageService,
  caller: Caller,
  { previous_response_id: previousId, conversation: chatId }: CreateResponse,
  said: Conversation,
): Promise<{ chatId?: string; conversation: Conversation }> {
  if (previousId && chatId)
    throw invalidField('conversation', 'cannot be given with previous_response_id: it says the same')
  if (chatId) return { chatId, conversation: said }
  if (!previousId) return { conversation: said }
  const path = await messages.findPath(caller, previousId)
  if (!path) throw new ResponseNotFoundError(`resp_${previousId}`)
  const query = { from_message: null, page: 1, page_size: MOST_TURNS, order: 'desc', usage: false } as const
  const { messages: newest } = await messages.history(caller, path, query)
  if (newest[0]?.id === previousId) return { chatId: path.chat_id, conversation: said }
  const at = newest.findIndex(({ id }) => id === previousId)
  if (at < 0) throw invalidField('previous_response_id', `is more than ${MOST_TURNS} messages back in its conversation`)
  const before = newest.slice(at).toReversed()
  const history = before.map(({ query, response }) => ({ query, response }))
  return { conversation: { ...said, history: [...history, ...said.history] } }
}
