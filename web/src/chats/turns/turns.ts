import type { Citation, Message, OutputFile, Review } from '@docent/sdk'
import {
  type Ask,
  isRunning,
  type LiveAnswer,
  reasoningSteps,
  type SentFile,
  type Step,
} from '../answers/live-answer.ts'

/** Question and answer, as shown. */
export interface Turn {
  id: string
  query: string
  response: string
  steps: Step[]
  /** Whether the steps are complete. A stored message has only the thoughts; its events have the rest. */
  hasAllSteps: boolean
  citations: Citation[]
  /** Files made by the answer. */
  files: OutputFile[]
  /** Files attached to the question. */
  sentFiles: SentFile[]
  shortcut: NonNullable<Ask['shortcut']> | null
  review: Review | null
  error: string | null
  /** `provider/model` that the question named; null: that of the agent. */
  model: string | null
  state: LiveAnswer['state']
  /** Stored message; null while only this page knows it. */
  message: Message | null
}

/** Turns from the history and live answers, merged in order without repeats. */
export function mergeTurns(messages: Message[], answers: LiveAnswer[]): Turn[] {
  const live = new Map(answers.map((answer) => [answer.messageId, answer]))
  const known = messages.map((message) => {
    const answer = live.get(message.id)
    return answer && isRunning(answer) ? toTurn(answer, message) : storedTurn(message, answer)
  })
  const ids = new Set(messages.map(({ id }) => id))
  const coming = answers.filter(({ messageId, state }) => !ids.has(messageId) && state !== 'done')
  return [...known, ...coming.map((answer) => toTurn(answer))]
}

const stored = new WeakMap<Message, { answer: LiveAnswer | undefined; turn: Turn }>()

/** Turn of a stored message. It stays the same object while the message does, so that it is not drawn again. */
function storedTurn(message: Message, answer: LiveAnswer | undefined): Turn {
  const known = stored.get(message)
  if (known && known.answer === answer) return known.turn
  const turn = messageToTurn(message, answer)
  stored.set(message, { answer, turn })
  return turn
}

/** Made files are known when the answer is complete. */
const toTurn = (answer: LiveAnswer, message: Message | null = null): Turn => ({
  id: answer.messageId,
  query: answer.query,
  response: answer.response,
  steps: answer.steps,
  hasAllSteps: true,
  citations: answer.citations,
  files: [],
  sentFiles: answer.asked?.files ?? (message ? sentWith(message) : []),
  shortcut: answer.asked?.shortcut ?? (message ? toShortcut(message) : null),
  review: answer.review,
  error: answer.error,
  model: answer.asked?.model ?? message?.asked_model ?? null,
  state: answer.state,
  message,
})

/** Text that was streamed stays visible where the server crashed and stored less. */
const longest = ({ response, error_message }: Message, heard = ''): string =>
  error_message !== null && heard.startsWith(response) ? heard : response

const messageToTurn = (message: Message, answer: LiveAnswer | undefined): Turn => ({
  id: message.id,
  query: message.query,
  response: longest(message, answer?.response),
  steps: answer?.steps ?? reasoningSteps(message.reasoning),
  hasAllSteps: answer !== undefined && answer.lastEvent >= 0,
  citations: message.citations,
  files: message.output_files ?? [],
  sentFiles: answer?.asked?.files ?? sentWith(message),
  shortcut: toShortcut(message),
  review: message.review ?? null,
  error: message.error_message,
  model: message.asked_model ?? null,
  state: { completed: 'done', waiting: 'waiting', in_progress: 'following' }[
    message.ai_resolution_status
  ] as Turn['state'],
  message,
})

const sentWith = ({ uploaded_files = [] }: Message & { uploaded_files?: SentFile[] }): SentFile[] => uploaded_files

const toShortcut = ({ quick_action_id, quick_action_fields_with_values }: Message): Turn['shortcut'] =>
  quick_action_id ? { id: quick_action_id, values: quick_action_fields_with_values } : null

/** Question of a turn, to ask it again. */
export const toAsk = ({ query, sentFiles, shortcut, model }: Turn): Ask => ({
  query,
  model,
  files: sentFiles,
  ...(shortcut && { shortcut }),
})
