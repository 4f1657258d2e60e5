import type { Citation, LiveUpdateEvent, Message, Question, Review, StreamEvent, ToolPreview } from '@docent/sdk'
import type { ChatPath } from '../chats.queries.ts'

export interface ReasoningStep {
  kind: 'reasoning'
  text: string
  isDone: boolean
  /** When it was heard to begin and to end, by the clock of this page. */
  startedAt?: number
  endedAt?: number
}

export interface ToolStep {
  kind: 'tool'
  toolName: string
  preview: ToolPreview | null
  isDone: boolean
  callId?: string
  /** What the tool was called with; null where that is long. */
  given?: Record<string, unknown> | null
  /** The sub-agent that made the call, and the call that put it to work. */
  agentName?: string
  parentCallId?: string
  /** Since the question arrived at the server, in milliseconds. */
  startedMs?: number
  endedMs?: number
}

/** What an agent did on the way to its answer, in order. */
export type Step = ReasoningStep | ToolStep

/** A file that goes along with a question. */
export interface SentFile {
  id: string
  file_name: string
  media_type: string
  size_bytes: number
}

/** What a person asks: words, a shortcut with its values, files. */
export interface Ask {
  query: string
  files?: SentFile[]
  shortcut?: { id: string; values: NonNullable<Question['shortcut_fields_with_values']> }
}

/**
 * An answer as it comes.
 * - `asking`: nothing was heard yet. `streaming`: it is being read.
 * - `following`: the line is in trouble; the answer goes on at the server, and is read when it is back.
 * - `waiting`: a person has to decide; it goes on by itself then.
 * - `refused`: the server did not take the question, which exists here alone.
 * - `done`: the message in the history is the whole truth, but for the steps.
 */
export interface LiveAnswer {
  path: ChatPath
  messageId: string
  query: string
  /** What was asked here; null for what somebody else asked, or this person before the page was loaded. */
  asked: Ask | null
  state: 'asking' | 'streaming' | 'following' | 'waiting' | 'refused' | 'done'
  response: string
  /** What the events told of the response; a stored message may know more. */
  heard: string
  /** The last event that was heard, -1 before the first. */
  lastEvent: number
  steps: Step[]
  citations: Citation[]
  /** What it waits for. */
  review: Review | null
  /** Why it failed. */
  error: string | null
}

export function beginAnswer(path: ChatPath, messageId: string, question: string | Ask): LiveAnswer {
  const asked = typeof question === 'string' ? { query: question } : question
  return {
    path,
    messageId,
    query: asked.query,
    asked,
    state: 'asking',
    response: '',
    heard: '',
    lastEvent: -1,
    steps: [],
    citations: [],
    review: null,
    error: null,
  }
}

export const isUnderWay = (answer: LiveAnswer | undefined): answer is LiveAnswer =>
  answer !== undefined && answer.state !== 'done' && answer.state !== 'refused'

/**
 * The answer after one more event; types that are not known change nothing.
 * @param at when it was heard, by any clock that is the same for all events.
 */
export function addEvent(answer: LiveAnswer, event: StreamEvent, at: number = performance.now()): LiveAnswer {
  const { response, heard, steps } = answer
  const lastEvent = event.sequence_number ?? answer.lastEvent
  if (event.type === 'ping') return answer.state === 'waiting' ? answer : { ...answer, state: 'streaming' }
  const next = { ...answer, lastEvent, state: 'streaming', review: null } as const
  switch (event.type) {
    case 'metadata':
      // First in every stream: one that is read from its start starts over.
      return { ...next, response: '', heard: '', steps: [], citations: [] }
    case 'response': {
      const all = heard + event.text
      return { ...next, heard: all, response: all.length > response.length ? all : response }
    }
    case 'reasoning':
      return { ...next, steps: addReasoning(steps, event.text, at) }
    case 'end_reasoning':
      return { ...next, steps: steps.map((step) => endReasoning(step, at)) }
    case 'live_update':
      return { ...next, steps: addToolUpdate(steps, event) }
    case 'review_request':
      return { ...next, state: 'waiting', review: event.data.review }
    case 'end_response':
      return { ...next, citations: event.data.citations }
    default:
      return next
  }
}

/** The answer with what the message holds so far; the stream may have been ahead of it. */
export function addProgress(answer: LiveAnswer, message: Message): LiveAnswer {
  const { response, reasoning, review } = message
  const isWaiting = message.ai_resolution_status === 'waiting'
  return {
    ...answer,
    state: isWaiting ? 'waiting' : answer.state === 'waiting' ? 'streaming' : answer.state,
    review: review ?? null,
    response: response.length > answer.response.length ? response : answer.response,
    // Once events were heard they will tell the rest, too.
    steps: answer.lastEvent < 0 && answer.steps.length === 0 ? reasoningSteps(reasoning) : answer.steps,
  }
}

/** What a stored message tells of its steps. */
export const reasoningSteps = (text: string): Step[] => (text ? [{ kind: 'reasoning', text, isDone: true }] : [])

function addReasoning(steps: Step[], text: string, at: number): Step[] {
  const last = steps.at(-1)
  if (last?.kind === 'reasoning' && !last.isDone) return [...steps.slice(0, -1), { ...last, text: last.text + text }]
  return [...steps, { kind: 'reasoning', text, isDone: false, startedAt: at }]
}

const endReasoning = (step: Step, at: number): Step =>
  step.kind === 'reasoning' && !step.isDone ? { ...step, isDone: true, endedAt: at } : step

function addToolUpdate(steps: Step[], { subtype, data, elapsed_ms }: LiveUpdateEvent): Step[] {
  const { tool_name: toolName, preview, tool_call_id: callId } = data
  if (subtype === 'tool_call_start')
    return [
      ...steps,
      {
        kind: 'tool',
        toolName,
        preview: null,
        isDone: false,
        callId,
        given: data.arguments,
        agentName: data.agent?.name,
        parentCallId: data.parent_tool_call_id,
        startedMs: elapsed_ms,
      },
    ]
  const isMeant = (step: Step) =>
    step.kind === 'tool' && (callId === undefined ? step.toolName === toolName && !step.isDone : step.callId === callId)
  const at = steps.findLastIndex(isMeant)
  const step = steps[at] as ToolStep | undefined
  if (!step) return steps
  // Arguments in a result are what a person changed them to.
  const given = data.arguments === undefined ? step.given : data.arguments
  return steps.with(at, { ...step, given, preview: preview ?? step.preview, isDone: true, endedMs: elapsed_ms })
}
