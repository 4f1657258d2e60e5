import type { Citation, ToolPreview } from '../../agents/agents.ts'
import type { KeptSearch } from '../../retrieval/retrieval.ts'
import type { StreamEvent } from '../events/events.schemas.ts'
import type { ReviewOnWire } from '../reviews/reviews.wire.ts'

/**
 * Entry of the log of a stream, in order. Texts are not in it: a delta is only its length, and replays cut it out of
 * the message's `response` or `reasoning`. So a log is small, is stored with the message, and resumes at any event.
 */
export type LogEntry = DeltasEntry | SingleEntry

/** Consecutive deltas: `lengths[i]` characters for the event `seq + i`. */
export interface DeltasEntry {
  type: 'reasoning' | 'response'
  seq: number
  lengths: number[]
}

export type SingleEntry =
  | { type: 'metadata'; seq: number }
  | { type: 'end_reasoning'; seq: number }
  | LiveUpdateEntry
  | { type: 'review_request'; seq: number; review: ReviewOnWire }
  | { type: 'end_response'; seq: number; data: { message_id: string; citations: Citation[] } }
  | { type: 'error'; seq: number; text: string }

export interface LiveUpdateEntry {
  type: 'live_update'
  seq: number
  subtype: LiveUpdate
  data: LiveUpdateData
  elapsed_ms: number
  /** Search that the call was, with its result: no part of the event. */
  search?: KeptSearch
}

export type LiveUpdate = 'tool_call_start' | 'tool_call_result' | 'tool_call_end'

export interface LiveUpdateData {
  tool_name: string
  preview: ToolPreview | null
  /** Id of the call, in all of its updates. */
  tool_call_id: string
  /** Arguments of the call, left out where they are long; at its start, and in a result if a person changed them. */
  arguments?: Record<string, unknown> | null
  /** The sub-agent at work, and the call that put it there. */
  agent?: { id: string; name: string }
  parent_tool_call_id?: string
}

export interface LoggedTexts {
  messageId: string
  response: string
  reasoning: string
}

/** The events after `after` (-1 for all); deltas that were apart may come in one. */
export function replay(log: readonly LogEntry[], texts: LoggedTexts, after: number): StreamEvent[] {
  const position = { response: 0, reasoning: 0 }
  const events: StreamEvent[] = []
  for (const entry of log) {
    if (!isDeltas(entry)) {
      if (entry.seq > after) events.push(toEvent(entry, texts.messageId))
      continue
    }
    const { type, seq, lengths } = entry
    const known = Math.min(Math.max(after - seq + 1, 0), lengths.length)
    const from = position[type] + sum(lengths, 0, known)
    const to = from + sum(lengths, known, lengths.length)
    position[type] = to
    if (known < lengths.length) events.push(toDelta(type, texts[type].slice(from, to), seq + lengths.length - 1))
  }
  return events
}

/** Numbers skipped after a process died: those of events that were shown and lost are not used again. */
export const LOST_NUMBERS = 100_000

/** Number of the newest event; -1 for none. */
export function lastSeqOf(log: readonly LogEntry[]): number {
  const last = log.at(-1)
  if (!last) return -1
  return isDeltas(last) ? last.seq + last.lengths.length - 1 : last.seq
}

const isDeltas = (entry: LogEntry): entry is DeltasEntry => 'lengths' in entry

function sum(lengths: number[], from: number, to: number): number {
  let total = 0
  for (let i = from; i < to; i++) total += lengths[i]!
  return total
}

/** The event that an entry stands for. */
export function toEvent(entry: SingleEntry, messageId: string): StreamEvent {
  const { type, seq: sequence_number } = entry
  switch (type) {
    case 'metadata': {
      const data = { message_id: messageId }
      return { type, subtype: null, text: '', extended_text: null, data, elapsed_ms: null, sequence_number }
    }
    case 'live_update': {
      const { subtype, data, elapsed_ms } = entry
      return { type, subtype, text: data.tool_name, extended_text: null, data, elapsed_ms, sequence_number }
    }
    case 'end_response':
      return { type, subtype: null, text: '', extended_text: null, data: entry.data, sequence_number }
    case 'end_reasoning':
      return { type, subtype: null, text: '', extended_text: null, data: null, sequence_number }
    case 'review_request': {
      const { review } = entry
      const data = { message_id: messageId, review }
      return { type, subtype: null, text: review.text, extended_text: null, data, sequence_number }
    }
    case 'error':
      return { type, subtype: null, text: entry.text, extended_text: null, data: null, sequence_number }
  }
}

export const toPing = (sequence_number: number): StreamEvent => ({
  type: 'ping',
  subtype: null,
  text: '',
  extended_text: null,
  data: null,
  sequence_number,
})

export const toDelta = (type: DeltasEntry['type'], text: string, sequence_number: number): StreamEvent => ({
  type,
  subtype: null,
  text,
  extended_text: null,
  data: null,
  sequence_number,
})
