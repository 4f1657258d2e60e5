import type { Citation, LiveUpdateEvent, Message, StreamEvent, ToolPreview } from '@docent/sdk'
import type { ChatPath } from './chats.queries.ts'

/** What an agent did on the way to its answer, in order. */
export type Step =
  | { kind: 'reasoning'; text: string; isDone: boolean }
  | { kind: 'tool'; toolName: string; preview: ToolPreview | null; isDone: boolean }

/**
 * An answer as it comes.
 * - `asking`: nothing was heard yet. `streaming`: it is being read.
 * - `following`: the line is in trouble; the answer goes on at the server, and is read when it is back.
 * - `refused`: the server did not take the question, which exists here alone.
 * - `done`: the message in the history is the whole truth, but for the steps.
 */
export interface LiveAnswer {
  path: ChatPath
  messageId: string
  query: string
  state: 'asking' | 'streaming' | 'following' | 'refused' | 'done'
  response: string
  steps: Step[]
  citations: Citation[]
  /** Why it failed. */
  error: string | null
}

export function beginAnswer(path: ChatPath, messageId: string, query: string): LiveAnswer {
  return { path, messageId, query, state: 'asking', response: '', steps: [], citations: [], error: null }
}

export const isUnderWay = (answer: LiveAnswer | undefined): answer is LiveAnswer =>
  answer !== undefined && answer.state !== 'done' && answer.state !== 'refused'

/** The answer after one more event; types that are not known change nothing. */
export function addEvent(answer: LiveAnswer, event: StreamEvent): LiveAnswer {
  const { response, steps } = answer
  const next = { ...answer, state: 'streaming' } as const
  switch (event.type) {
    case 'metadata':
      // First in every stream: one that is read from its start starts over.
      return { ...beginAnswer(answer.path, answer.messageId, answer.query), state: 'streaming' }
    case 'response':
      return { ...next, response: response + event.text }
    case 'reasoning':
      return { ...next, steps: addReasoning(steps, event.text) }
    case 'end_reasoning':
      return { ...next, steps: steps.map(endReasoning) }
    case 'live_update':
      return { ...next, steps: addToolUpdate(steps, event) }
    case 'end_response':
      return { ...next, citations: event.data.citations }
    default:
      return next
  }
}

/** The answer with what the message holds so far; the stream may have been ahead of it. */
export function addProgress(answer: LiveAnswer, { response, reasoning }: Message): LiveAnswer {
  const steps = answer.steps.length === 0 ? reasoningSteps(reasoning) : answer.steps
  return { ...answer, response: response.length > answer.response.length ? response : answer.response, steps }
}

/** What a stored message tells of its steps. */
export const reasoningSteps = (text: string): Step[] => (text ? [{ kind: 'reasoning', text, isDone: true }] : [])

function addReasoning(steps: Step[], text: string): Step[] {
  const last = steps.at(-1)
  if (last?.kind === 'reasoning' && !last.isDone) return [...steps.slice(0, -1), { ...last, text: last.text + text }]
  return [...steps, { kind: 'reasoning', text, isDone: false }]
}

const endReasoning = (step: Step): Step => (step.kind === 'reasoning' ? { ...step, isDone: true } : step)

function addToolUpdate(steps: Step[], { subtype, data: { tool_name: toolName, preview } }: LiveUpdateEvent): Step[] {
  if (subtype === 'tool_call_start') return [...steps, { kind: 'tool', toolName, preview: null, isDone: false }]
  const at = steps.findIndex((step) => step.kind === 'tool' && step.toolName === toolName && !step.isDone)
  if (at < 0) return steps
  return steps.with(at, { kind: 'tool', toolName, preview, isDone: true })
}
