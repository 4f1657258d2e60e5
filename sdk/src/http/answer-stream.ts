import type { Citation, Review, StreamEvent } from '../types.ts'
import { followRun, type StreamSource } from './event-stream.ts'

/** Outcome of an answer that was read to its end. */
export interface FinalAnswer {
  message_id: string
  /** The whole text, as far as this stream had it. */
  text: string
  citations: Citation[]
  /**
   * Set when the run waits for somebody's decision: `messages.review` gives it, `messages.events` follows what comes
   * then.
   */
  review: Review | null
}

/** Text of an answer: to await it gives it whole, `for await` piece by piece as it comes. */
export interface AnswerText extends PromiseLike<string>, AsyncIterable<string> {}

/**
 * An answer as it comes, event by event, over connections that may break. It is read once: `text` and `final` continue
 * where a loop left off, and `final` knows what was read before. To leave a loop with `break` ends the reading.
 */
export class AnswerStream implements AsyncIterableIterator<StreamEvent> {
  /** Id of the message that is answered. */
  readonly messageId: string
  readonly #events: AsyncGenerator<StreamEvent>
  #text = ''
  #citations: Citation[] = []
  #review: Review | null = null

  constructor(messageId: string, source: StreamSource, signal?: AbortSignal) {
    this.messageId = messageId
    this.#events = followRun(source, signal)
  }

  async next(): Promise<IteratorResult<StreamEvent>> {
    const next = await this.#events.next()
    if (!next.done) this.#note(next.value)
    return next
  }

  return(): Promise<IteratorResult<StreamEvent>> {
    return this.#events.return(undefined)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** All events, as the stream itself: text, reasoning, tool calls, requests for a review. */
  events(): AsyncIterable<StreamEvent> {
    return this
  }

  /** Text of the answer alone. @throws DocentError `AGENT_FAILED`, `CANCELLED` */
  text(): AnswerText {
    const final = () => this.final()
    const pieces = () => this.#pieces()
    return {
      // biome-ignore lint/suspicious/noThenProperty: the whole text can be awaited.
      then: (onText, onFailure) =>
        final()
          .then(({ text }) => text)
          .then(onText, onFailure),
      [Symbol.asyncIterator]: pieces,
    }
  }

  /** Reads to the end. @throws DocentError `AGENT_FAILED`, `CANCELLED` */
  async final(): Promise<FinalAnswer> {
    for await (const _ of this);
    return { message_id: this.messageId, text: this.#text, citations: this.#citations, review: this.#review }
  }

  async *#pieces(): AsyncGenerator<string> {
    for await (const event of this) if (event.type === 'response') yield event.text
  }

  #note(event: StreamEvent): void {
    if (event.type === 'response') this.#text += event.text
    else if (event.type === 'review_request') this.#review = event.data.review
    else if (event.type === 'end_response') {
      this.#citations = event.data.citations
      this.#review = null
    }
  }
}
