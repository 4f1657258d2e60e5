import type { Citation, RunEvents, ShownCall } from '../../agents/agents.ts'
import type { KeptSearch } from '../../retrieval/retrieval.ts'
import { EventBatch, type EventReader, type Readable } from '../events/event-batch.ts'
import type { StreamEvent } from '../events/events.schemas.ts'
import type { ReviewOnWire } from '../reviews/reviews.wire.ts'
import {
  type LiveUpdate,
  type LiveUpdateData,
  LOST_NUMBERS,
  type LogEntry,
  lastSeqOf,
  replay,
  type SingleEntry,
  toDelta,
  toEvent,
  toPing,
} from './run-log.ts'

/** How a run ended. */
export interface RunEnd {
  text: string
  /** Null for a run that did not fail. */
  errorMessage: string | null
  /** Review that it waits for, if it did not end but resumes when that is decided. */
  review?: ReviewOnWire
}

/** State left behind by an earlier part of the same run. */
export interface RunBefore {
  log: LogEntry[]
  response: string
  reasoning: string
  /** Time since the request. */
  elapsedMs: number
  /** Time at work. */
  activeMs: number
  /** How many there were: each may have shown more than the log has. */
  parts: number
}

/** Longest arguments that a stream shows. */
const SHOWN_ARGUMENTS = 2_000

export interface RunIdentity {
  organizationId: string
  chatId: string
  messageId: string
}

const FIRST_PING_MS = 1_000
const PING_MS = 5_000

/**
 * A message being answered: what was said so far, who listens, and how it ends. It belongs to the server: readers come
 * and go.
 */
export class Run implements Readable {
  readonly id: RunIdentity
  readonly events: RunEvents
  readonly done: Promise<RunEnd>
  #resolveDone!: (end: RunEnd) => void
  readonly #abort = new AbortController()
  readonly #log: LogEntry[] = []
  readonly #readers = new Set<EventReader>()
  readonly #startedAt = performance.now()
  readonly #before: Pick<RunBefore, 'elapsedMs' | 'activeMs'>
  #nextSeq = 0
  #lastEventAt = this.#startedAt
  #response = ''
  #reasoning = ''
  #end: (SingleEntry & { type: 'end_response' | 'review_request' | 'error' }) | undefined
  #isFinished = false

  constructor(id: RunIdentity, before?: RunBefore) {
    this.id = id
    this.#before = before ?? { elapsedMs: 0, activeMs: 0 }
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve
    })
    this.events = {
      reasoning: (text) => this.#addDeltas('reasoning', [text]),
      endReasoning: () => this.#add({ type: 'end_reasoning', seq: this.#nextSeq }),
      response: (texts) => this.#addDeltas('response', texts),
      toolCallStart: (call, given) =>
        this.#addLiveUpdate('tool_call_start', { ...shownCall(call), preview: null, arguments: shownArguments(given) }),
      toolCallResult: (call, preview, { changed, search } = {}) => {
        const given = changed && { arguments: shownArguments(changed) }
        this.#addLiveUpdate('tool_call_result', { ...shownCall(call), preview, ...given }, search)
      },
      toolCallEnd: (call) => this.#addLiveUpdate('tool_call_end', { ...shownCall(call), preview: null }),
    }
    if (before) this.#resumeFrom(before)
    else this.#add({ type: 'metadata', seq: 0 })
  }

  #resumeFrom({ log, response, reasoning, parts }: RunBefore): void {
    this.#log.push(...log)
    this.#response = response
    this.#reasoning = reasoning
    this.#nextSeq = lastSeqOf(log) + 1 + parts * LOST_NUMBERS
  }

  /** Milliseconds of work, of earlier parts of the run too. */
  get activeMs(): number {
    return this.#before.activeMs + Math.round(performance.now() - this.#startedAt)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get response(): string {
    return this.#response
  }

  get reasoning(): string {
    return this.#reasoning
  }

  get log(): readonly LogEntry[] {
    return this.#log
  }

  /** Number of the newest event, by which a caller sees whether anything happened since it last looked. */
  get lastSeq(): number {
    return this.#nextSeq - 1
  }

  get isFinished(): boolean {
    return this.#isFinished
  }

  /** Makes the run end early; the process that runs it finishes it with the reason. */
  cancel(reason: Error): void {
    this.#abort.abort(reason)
  }

  /** Everything after an event, at once, and then what comes. @returns a function that ends the reading. */
  read(reader: EventReader, after = -1): () => void {
    const texts = { messageId: this.id.messageId, response: this.#response, reasoning: this.#reasoning }
    const past = replay(this.#log, texts, after)
    if (past.length > 0) reader.write(new EventBatch(past))
    if (this.#isFinished) {
      reader.end()
      return () => {}
    }
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }

  /** Tells that the run still lives: after the first second without an event, then in every five of silence. */
  pingIfSilent(now: number): void {
    if (this.#end || this.#readers.size === 0) return
    const isUntouched = this.#nextSeq === 1
    if (now - this.#lastEventAt < (isUntouched ? FIRST_PING_MS : PING_MS)) return
    this.#lastEventAt = now
    this.#publish([toPing(this.#nextSeq++)])
  }

  /** Ends the log; readers hear the end once it is stored. @returns the whole log, to be stored. */
  seal(errorMessage: string | null, citations: Citation[]): LogEntry[] {
    const { messageId } = this.id
    this.#end =
      errorMessage === null
        ? { type: 'end_response', seq: this.#nextSeq++, data: { message_id: messageId, citations } }
        : { type: 'error', seq: this.#nextSeq++, text: errorMessage }
    return [...this.#log, this.#end]
  }

  /** Ends the log of a run that waits: another run continues the message. */
  sealWaiting(review: ReviewOnWire): LogEntry[] {
    this.#end = { type: 'review_request', seq: this.#nextSeq++, review }
    return [...this.#log, this.#end]
  }

  /**
   * Lets readers and those who wait know how the sealed run ended; its result must be stored by now.
   * @param problem why it is not, if it could not be
   */
  finish(problem?: string): void {
    const sealed = this.#end!
    const end = problem === undefined ? sealed : { type: 'error' as const, seq: sealed.seq, text: problem }
    this.#log.push(end)
    this.#isFinished = true
    const batch = new EventBatch([toEvent(end, this.id.messageId)])
    for (const reader of this.#readers) {
      reader.write(batch)
      if (end.type === 'review_request' && reader.pause) reader.pause()
      else reader.end()
    }
    this.#readers.clear()
    this.#resolveDone({
      text: this.#response,
      errorMessage: end.type === 'error' ? end.text : null,
      review: end.type === 'review_request' ? end.review : undefined,
    })
  }

  #addDeltas(type: 'response' | 'reasoning', texts: string[]): void {
    const last = this.#log.at(-1)!
    const isContinued = last.type === type && last.seq + last.lengths.length === this.#nextSeq
    const entry = isContinued ? last : { type, seq: this.#nextSeq, lengths: [] as number[] }
    if (!isContinued) this.#log.push(entry)
    const events: StreamEvent[] = []
    const isHeard = this.#readers.size > 0
    for (const text of texts) {
      entry.lengths.push(text.length)
      if (type === 'response') this.#response += text
      else this.#reasoning += text
      if (isHeard) events.push(toDelta(type, text, this.#nextSeq))
      this.#nextSeq++
    }
    this.#lastEventAt = performance.now()
    if (isHeard) this.#publish(events)
  }

  #addLiveUpdate(subtype: LiveUpdate, data: LiveUpdateData, search?: KeptSearch) {
    const elapsed_ms = this.#before.elapsedMs + Math.round(performance.now() - this.#startedAt)
    this.#add({ type: 'live_update', seq: this.#nextSeq, subtype, data, elapsed_ms, ...(search && { search }) })
  }

  #add(entry: SingleEntry): void {
    this.#log.push(entry)
    this.#nextSeq++
    this.#lastEventAt = performance.now()
    if (this.#readers.size > 0) this.#publish([toEvent(entry, this.id.messageId)])
  }

  #publish(events: StreamEvent[]): void {
    const batch = new EventBatch(events)
    for (const reader of this.#readers) reader.write(batch)
  }
}

const shownCall = ({ id, toolName, by }: ShownCall) => ({
  tool_name: toolName,
  tool_call_id: id,
  ...(by && { agent: { id: by.agentId, name: by.agentName }, parent_tool_call_id: by.parentCallId }),
})

const shownArguments = (given: Record<string, unknown> | undefined): Record<string, unknown> | null =>
  given && JSON.stringify(given).length <= SHOWN_ARGUMENTS ? given : null
