import type { IncomingMessage } from 'node:http'
import { contentTypeError, cutError, unreadableError } from '../failures/provider-failures.ts'
import type { ModelDelta, ModelReply } from '../model.ts'
import type { ModelClient, ModelProvider } from '../model-provider.ts'
import { parseJson } from '../read-reply.ts'
import { CollectedAnswer } from './chat-completions.answer.ts'
import { createEventData } from './event-data.ts'

const MAX_ANSWER_CHARACTERS = 32 * 1024 * 1024
/** How long a connection may stay open after the answer's last event before it is closed for it. */
const LINGER_MS = 1000

type ReadOptions = Parameters<ModelClient['generate']>[1] & { provider: ModelProvider; model: string }

/**
 * Reads the body of a successful answer to its end: server-sent events, or plain JSON from servers that do not stream.
 * The deltas of one network read are handed over together.
 */
export const readAnswer = (response: IncomingMessage, options: ReadOptions): Promise<ModelReply> =>
  new AnswerReader(response, options).read()

class AnswerReader {
  readonly #response: IncomingMessage
  readonly #options: ReadOptions
  readonly #result = Promise.withResolvers<ModelReply>()
  readonly #answer: CollectedAnswer
  readonly #readEvents: (chunk: string) => void
  #batch: ModelDelta[] = []
  #body: 'unknown' | 'events' | 'json' = 'unknown'
  #held = ''
  #hasEvents = false
  #isOver = false

  constructor(response: IncomingMessage, options: ReadOptions) {
    this.#response = response
    this.#options = options
    const answer = new CollectedAnswer(options, (delta) => this.#batch.push(delta))
    this.#answer = answer
    this.#readEvents = createEventData({
      maxCharacters: MAX_ANSWER_CHARACTERS,
      onData: (data) => {
        this.#hasEvents = true
        answer.takeEvent(data)
      },
      takeAt: (chunk, from) => {
        const end = answer.takeAt(chunk, from)
        this.#hasEvents ||= end > from
        return end
      },
      onTooLong: () => {
        throw unreadableError(options.provider, 'an event without an end')
      },
    })
  }

  read(): Promise<ModelReply> {
    const response = this.#response
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.#guard(() => this.#take(chunk)))
    response.on('end', () => this.#guard(() => this.#end()))
    response.on('error', () =>
      this.#guard(() => {
        // Whole but for its last bytes: nothing that the reader sees is missing.
        if (!this.#answer.isComplete()) throw cutError(this.#options.provider)
        this.#complete()
      }),
    )
    return this.#result.promise
  }

  #take(chunk: string): void {
    if (this.#body === 'events') {
      this.#feed(chunk)
      return
    }
    this.#held += chunk
    if (this.#held.length > MAX_ANSWER_CHARACTERS)
      throw unreadableError(this.#options.provider, 'an answer without an end')
    if (this.#body === 'json') return
    this.#body = this.#kindOf(this.#held.trimStart())
    if (this.#body === 'events') this.#feed(this.#held)
  }

  /** Servers do not always say truly what they send, so its first characters decide. */
  #kindOf(start: string): 'unknown' | 'events' | 'json' {
    if (!start) return 'unknown'
    if (start[0] === '{' || start[0] === '[') return 'json'
    const contentType = this.#response.headers['content-type'] ?? 'no content type'
    if (start[0] !== '<' && contentType.includes('event-stream')) return 'events'
    if (/^\uFEFF?(data|event|id|retry)?:/.test(start)) return 'events'
    if (start.length < 8) return 'unknown'
    throw contentTypeError(this.#options.provider, contentType)
  }

  #feed(chunk: string): void {
    try {
      this.#readEvents(chunk)
    } finally {
      // Also when an event could not be read: what came before it stands.
      this.#handOver()
    }
    if (this.#answer.isDone()) this.#complete()
  }

  #handOver(): void {
    if (this.#batch.length > 0) {
      const deltas = this.#batch
      this.#batch = []
      this.#options.onDeltas(deltas)
    } else if (this.#answer.hasToolCalls()) this.#options.onActivity()
  }

  #end(): void {
    const { provider } = this.#options
    const answer = this.#answer
    if (this.#body === 'json') {
      const whole = parseJson(this.#held)
      if (whole === undefined) throw unreadableError(provider, 'broken JSON')
      answer.take(whole)
      if (!answer.isComplete()) throw unreadableError(provider, 'JSON without a choice')
    } else if (this.#body === 'events' && !answer.isComplete()) {
      this.#endLastEvent()
      if (!this.#hasEvents) throw unreadableError(provider, 'a stream without events')
    }
    if (!answer.isComplete()) throw cutError(provider)
    this.#complete()
  }

  /** Some servers leave out the empty line after their last event; half an event is a cut. */
  #endLastEvent(): void {
    try {
      this.#readEvents('\n\n')
    } catch {
      throw cutError(this.#options.provider)
    } finally {
      this.#handOver()
    }
  }

  #complete(): void {
    this.#isOver = true
    const reply = this.#answer.finish()
    this.#handOver()
    this.#result.resolve(reply)
    const response = this.#response
    if (response.complete) return
    // The rest is read so that the connection can be used again; a server that never ends it loses it.
    const linger = setTimeout(() => response.destroy(), LINGER_MS).unref()
    response.on('close', () => clearTimeout(linger))
  }

  /** Runs a step of reading; an error in it ends the reading. */
  #guard(step: () => void): void {
    if (this.#isOver) return
    try {
      step()
    } catch (error) {
      this.#isOver = true
      this.#response.destroy()
      const { signal } = this.#options
      this.#result.reject(signal.aborted ? signal.reason : error)
    }
  }
}
