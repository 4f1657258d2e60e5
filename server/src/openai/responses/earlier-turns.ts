import type { Caller } from '../../access/access.ts'
import type { ChatFile, MessageService } from '../../chats/chats.ts'
import { invalidField } from '../../platform/errors.ts'
import { ResponseNotFoundError } from '../openai-errors.ts'
import type { Attachment, Conversation } from '../spoken.ts'
import type { CreateResponse } from './responses.schemas.ts'

/** Number of turns that an agent ever gets. */
const MOST_TURNS = 100

/**
 * Finds the chat that a request continues and the turns before it: the chat's own memory if the request continues the
 * chat at its end, otherwise the turns up to the response that it names, in a new chat.
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
  const { messages: newest, sentFiles } = await messages.history(caller, path, query)
  if (newest[0]?.id === previousId) return { chatId: path.chat_id, conversation: said }
  const at = newest.findIndex(({ id }) => id === previousId)
  if (at < 0) throw invalidField('previous_response_id', `is more than ${MOST_TURNS} messages back in its conversation`)
  const before = newest.slice(at)
  const history = before.toReversed().map(({ query, response }) => ({ query, response }))
  const sent = Map.groupBy(sentFiles, ({ messageId }) => messageId)
  const earlier = before.flatMap(({ id }) => (sent.get(id) ?? []).map(toAttachment))
  return {
    conversation: { ...said, history: [...history, ...said.history], earlier: [...said.earlier, ...earlier] },
  }
}

const toAttachment = ({ blobKey, fileName }: ChatFile): Attachment => ({
  path: 'previous_response_id',
  kind: 'sent',
  blobKey,
  fileName,
})
