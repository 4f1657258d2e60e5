import type { ToolPreview } from '../../agents/tools/tool.ts'
import type { ReviewOnWire } from '../reviews.wire.ts'

/**
 * What a stream showed, in order. Texts are not in it: a delta is only its length, and replays cut it out of the
 * message's `response` or `reasoning`. So a log is small, is stored with the message, and resumes at any event.
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
  | { type: 'live_update'; seq: number; subtype: LiveUpdate; data: LiveUpdateData; elapsed_ms: number }
  | { type: 'review_request'; seq: number; review: ReviewOnWire }
  | { type: 'end_response'; seq: number; data: Record<string, unknown> }
  | { type: 'error'; seq: number; text: string }

export type LiveUpdate = 'tool_call_start' | 'tool_call_result' | 'tool_call_end'

export interface LiveUpdateData {
  tool_name: string
  preview: ToolPreview | null
  /** The same in all updates of one call. */
  tool_call_id: string
  /** What the tool is called with, left out where it is long; at its start, and in a result if a person changed it. */
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

/**
 * The events after `after` (-1 for all) as they go over the wire; deltas that were apart may come in one.
 */
export function replay(log: readonly LogEntry[], texts: LoggedTexts, after: number): string {
  const position = { response: 0, reasoning: 0 }
  let wire = ''
  for (const entry of log) {
    if (!isDeltas(entry)) {
      if (entry.seq > after) wire += frameOf(entry, texts.messageId)
      continue
    }
    const { type, seq, lengths } = entry
    const known = Math.min(Math.max(after - seq + 1, 0), lengths.length)
    const from = position[type] + sum(lengths, 0, known)
    const to = from + sum(lengths, known, lengths.length)
    position[type] = to
    if (known < lengths.length) wire += deltaFrame(type, texts[type].slice(from, to), seq + lengths.length - 1)
  }
  return wire
}

/** What was shown and got lost with its process has numbers that are not used again. */
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

/** One event as the contract wants it: a line `data: JSON`, then a blank line. */
export function frameOf(entry: SingleEntry, messageId: string): string {
  switch (entry.type) {
    case 'metadata':
      return frame('metadata', null, '', { message_id: messageId }, entry.seq, null)
    case 'live_update':
      return frame('live_update', entry.subtype, entry.data.tool_name, entry.data, entry.seq, entry.elapsed_ms)
    case 'end_response':
      return frame('end_response', null, '', entry.data, entry.seq)
    case 'end_reasoning':
      return frame('end_reasoning', null, '', null, entry.seq)
    case 'review_request':
      return frame(
        'review_request',
        null,
        entry.review.text,
        { message_id: messageId, review: entry.review },
        entry.seq,
      )
    case 'error':
      return frame('error', null, entry.text, null, entry.seq)
  }
}

export const pingFrame = (seq: number): string => frame('ping', null, '', null, seq)

/** The hot one: written out, because most events of a stream are deltas. */
export const deltaFrame = (type: 'response' | 'reasoning', text: string, seq: number): string =>
  `data: {"type":"${type}","subtype":null,"text":${JSON.stringify(text)},"extended_text":null,"data":null,"sequence_number":${seq}}\n\n`

export const DONE = 'data: [DONE]\n\n'

function frame(
  type: string,
  subtype: string | null,
  text: string,
  data: unknown,
  sequence_number: number,
  elapsed_ms?: number | null,
): string {
  const event = { type, subtype, text, extended_text: null, data, elapsed_ms, sequence_number }
  return `data: ${JSON.stringify(event)}\n\n`
}
