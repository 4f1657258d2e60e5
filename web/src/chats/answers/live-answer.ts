import type { Citation, LiveUpdateEvent, Message, Question, Review, StreamEvent, ToolPreview } from '@docent/sdk'
import type { ChatPath } from '../chats.queries.ts'

export interface ReasoningStep {
  kind: 'reasoning'
  text: string
  isDone: boolean
  /** Times when it began and ended, by this page's clock. */
  startedAt?: number
  endedAt?: number
}

export interface ToolStep {
  kind: 'tool'
  toolName: string
  preview: ToolPreview | null
  isDone: boolean
  callId?: string
  /** Arguments of the call; null if they are long. */
  given?: Record<string, unknown> | null
  /** Sub-agent that made the call, and the call that started it. */
  agentName?: string
  parentCallId?: string
  /** Milliseconds since the question arrived at the server. */
  startedMs?: number
  endedMs?: number
}

/** Step of an agent on the way to its answer. */
export type Step = ReasoningStep | ToolStep

/** File attached to a question. */
export interface SentFile {
  id: string
  file_name: string
  media_type: string
  size_bytes: number
}

/** Question of a person: text, or a shortcut with its values, and files. */
export interface Ask {
  query: string
  files?: SentFile[]
  shortcut?: { id: string; values: NonNullable<Question['shortcut_fields_with_values']> }
  /** Message beside which it stands as another version. */
  versionOf?: string
  /** `provider/model` that answers instead of the agent's; null or absent: the agent's. */
  model?: string | null
}

/**
 * Answer as it streams in.
 * - `asking`: no event has arrived yet.
 * - `streaming`: events are arriving.
 * - `lost`: the server cannot be reached; it is asked again until it answers.
 * - `following`: the answer continues on the server, and no events of it arrive.
 * - `waiting`: a person has to decide; the answer then continues by itself.
 * - `refused`: the server refused the question, which exists on this page only.
 * - `done`: the stored message has everything but the steps.
 */
export interface LiveAnswer {
  path: ChatPath
  messageId: string
  query: string
  /** Question asked here; null if somebody else asked it, or this person before a reload. */
  asked: Ask | null
  state: 'asking' | 'streaming' | 'lost' | 'following' | 'waiting' | 'refused' | 'done'
  response: string
  /** Response according to the events; a stored message may have more. */
  heard: string
  /** Sequence number of the last event received, -1 before the first. */
  lastEvent: number
  steps: Step[]
  citations: Citation[]
  /** Reviews that the answer waits for. */
  review: Review | null
  /** Reason of the failure. */
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

export const isRunning = (answer: LiveAnswer | undefined): answer is LiveAnswer =>
  answer !== undefined && answer.state !== 'done' && answer.state !== 'refused'

/** Whether an answer is on its way: running, and not for a person to decide. */
export const isOnItsWay = (answer: LiveAnswer): boolean => isRunning(answer) && answer.state !== 'waiting'

/**
 * Applies one event to an answer; unknown event types change nothing.
 * @param at time of arrival, by one clock for all events
 */
export function addEvent(answer: LiveAnswer, event: StreamEvent, at: number = performance.now()): LiveAnswer {
  const { response, heard, steps } = answer
  const lastEvent = event.sequence_number ?? answer.lastEvent
  if (event.type === 'ping') return answer.state === 'waiting' ? answer : { ...answer, state: 'streaming' }
  const next = { ...answer, lastEvent, state: 'streaming', review: null } as const
  switch (event.type) {
    case 'metadata':
      // First event of every stream: reading from the start begins with an empty answer.
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

/** States that end when the server tells of a message that does not wait. */
const NEXT: Partial<Record<LiveAnswer['state'], LiveAnswer['state']>> = { waiting: 'streaming', lost: 'following' }

/** Adds what the stored message has so far; the stream may have been ahead of it. */
export function addProgress(answer: LiveAnswer, message: Message): LiveAnswer {
  const { response, reasoning, review } = message
  const isWaiting = message.ai_resolution_status === 'waiting'
  return {
    ...answer,
    state: isWaiting ? 'waiting' : (NEXT[answer.state] ?? answer.state),
    review: review ?? null,
    response: response.length > answer.response.length ? response : answer.response,
    // A stream that has sent events will send the rest, too.
    steps: answer.lastEvent < 0 && answer.steps.length === 0 ? reasoningSteps(reasoning) : answer.steps,
  }
}

/** Steps of a stored message. */
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
  // The result holds the arguments as a reviewer may have changed them.
  const given = data.arguments === undefined ? step.given : data.arguments
  return steps.with(at, { ...step, given, preview: preview ?? step.preview, isDone: true, endedMs: elapsed_ms })
}
