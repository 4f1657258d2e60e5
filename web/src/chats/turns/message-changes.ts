import type { Message } from '@docent/sdk'
import { docent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import type { Ask } from '../answers/live-answer.ts'
import { ask } from '../answers/live-answers.ts'
import { type ChatPath, forgetMessage, putMessage, refreshMessages, setAside, showBranch } from '../chats.queries.ts'
import { tellOtherTabs } from '../other-tabs.ts'
import type { Turn } from './turns.ts'

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
export async function removeMessage(path: ChatPath, { id, versions }: Message): Promise<void> {
  const hasVersions = versions !== undefined
  await docent().chats.messages.delete(path.agentId, path.chatId, id)
  forgetMessage(path, id)
  // Another version may be in its place.
  if (hasVersions) await refreshMessages(path)
  tellOtherTabs(path)
}

/** Asks a question of a chat again, perhaps edited: another version of it, which sets aside what follows the old one. */
export function askVersion(path: ChatPath, turn: Turn, question: Ask): void {
  if (turn.message) setAside(path, turn.id)
  ask(path, turn.message ? { ...question, versionOf: turn.id } : question)
}

/** Shows another version of a message, with what follows it. @throws DocentError */
export async function showVersion(path: ChatPath, id: string): Promise<void> {
  await showBranch(path, id)
  tellOtherTabs(path)
}
