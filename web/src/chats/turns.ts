import type { Citation, Message, OutputFile } from '@docent/sdk'
import { isUnderWay, type LiveAnswer, reasoningSteps, type Step } from './live-answer.ts'

/** A question and its answer, as they are shown. */
export interface Turn {
  id: string
  query: string
  response: string
  steps: Step[]
  citations: Citation[]
  files: OutputFile[]
  error: string | null
  state: 'asking' | 'streaming' | 'following' | 'refused' | 'done'
}

/** What was read from the history, and what is on its way, each once and in order. */
export function turnsOf(messages: Message[], answers: LiveAnswer[]): Turn[] {
  const live = new Map(answers.map((answer) => [answer.messageId, answer]))
  const known = messages.map((message) => {
    const answer = live.get(message.id)
    return answer && isUnderWay(answer) ? turnOf(answer) : turnOfMessage(message, answer)
  })
  const ids = new Set(messages.map(({ id }) => id))
  const coming = answers.filter(({ messageId, state }) => !ids.has(messageId) && state !== 'done')
  return [...known, ...coming.map(turnOf)]
}

/** Files are known when the answer is complete. */
const turnOf = ({ messageId, path: _, ...rest }: LiveAnswer): Turn => ({ id: messageId, files: [], ...rest })

const turnOfMessage = (message: Message, answer: LiveAnswer | undefined): Turn => ({
  id: message.id,
  query: message.query,
  response: message.response,
  steps: answer?.steps ?? reasoningSteps(message.reasoning),
  citations: message.citations,
  files: message.output_files ?? [],
  error: message.error_message,
  state: message.ai_resolution_status === 'completed' ? 'done' : 'following',
})
