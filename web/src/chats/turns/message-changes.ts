import type { Message } from '@docent/sdk'
import { docent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import type { Ask } from '../answers/live-answer.ts'
import { ask } from '../answers/live-answers.ts'
import { type ChatPath, forgetMessage, putMessage } from '../chats.queries.ts'
import { tellOtherTabs } from '../other-tabs.ts'
import { type Turn, toAsk } from './turns.ts'

/** Shows a change at once, and reverts it with an error if the server refuses it. */
async function change(path: ChatPath, before: Message, after: Message, act: () => Promise<unknown>): Promise<void> {
  putMessage(path, after)
  try {
    await act()
    tellOtherTabs(path)
  } catch (error) {
    putMessage(path, before)
    toast(explain(error), { isError: true })
  }
}

/** Pins or unpins a message. */
export function pin(path: ChatPath, message: Message, is_pinned: boolean): Promise<void> {
  const { messages } = docent().chats
  return change(path, message, { ...message, is_pinned }, () =>
    messages.update(path.agentId, path.chatId, message.id, { is_pinned }),
  )
}

/** Rates an answer; null removes the rating. */
export function rate(
  path: ChatPath,
  message: Message,
  feedback: NonNullable<Message['feedback']> | null,
): Promise<void> {
  const { messages } = docent().chats
  return change(path, message, { ...message, feedback }, () =>
    messages.giveFeedback(path.agentId, path.chatId, message.id, feedback ?? { rating: null, comment: null }),
  )
}

/** Deletes a question with its answer, irreversibly. @throws DocentError */
export async function removeMessage(path: ChatPath, id: string): Promise<void> {
  await docent().chats.messages.delete(path.agentId, path.chatId, id)
  forgetMessage(path, id)
  tellOtherTabs(path)
}

/**
 * Asks the last question of a chat again, perhaps edited. It replaces the old question, whose answer is deleted.
 * @throws DocentError if nothing was changed.
 */
export async function askInPlace(path: ChatPath, turn: Turn, question: Ask = toAsk(turn)): Promise<void> {
  if (turn.message) await removeMessage(path, turn.id)
  ask(path, question)
}
