import type { IncomingMessage } from 'node:http'
import { parseJson } from '../http-client.ts'
import type { ModelDelta, ModelReply } from '../model.ts'
import type { ModelClient, ModelProvider } from '../model-provider.ts'
import { contentTypeError, cutError, unreadableError } from '../provider-failures.ts'
import { CollectedAnswer } from './chat-completions.answer.ts'
import { createEventData } from './event-data.ts'

const MAX_ANSWER_CHARACTERS = 32 * 1024 * 1024
/** How long a connection may stay open after the answer's last event before it is closed for it. */
const LINGER_MS = 1000

/**
 * Reads the body of a successful answer to its end: server-sent events, or plain JSON from servers that do not stream.
 * The deltas of one network read are handed over together.
 */
export function readAnswer(
  response: IncomingMessage,
  {
    provider,
    model,
    onDeltas,
    onActivity,
    signal,
  }: Parameters<ModelClient['generate']>[1] & { provider: ModelProvider; model: string },
): Promise<ModelReply> {
  return new Promise((resolve, reject) => {
    let batch: ModelDelta[] = []
    let body: 'unknown' | 'events' | 'json' = 'unknown'
    let held = ''
    let hasEvents = false
    let isOver = false
    const answer = new CollectedAnswer({ provider, model }, (delta) => batch.push(delta))
    const readEvents = createEventData({
      maxCharacters: MAX_ANSWER_CHARACTERS,
      onData(data) {
        hasEvents = true
        answer.takeEvent(data)
      },
      takeAt(chunk, from) {
        const end = answer.takeAt(chunk, from)
        hasEvents ||= end > from
        return end
      },
      onTooLong() {
        throw unreadableError(provider, 'an event without an end')
      },
    })

    function read(chunk: string): void {
      if (body === 'events') {
        feed(chunk)
        return
      }
      held += chunk
      if (held.length > MAX_ANSWER_CHARACTERS) throw unreadableError(provider, 'an answer without an end')
      if (body === 'json') return
      body = kindOf(held.trimStart())
      if (body === 'events') feed(held)
    }

    // Servers do not always say truly what they send, so its first characters decide.
    function kindOf(start: string): typeof body {
      if (!start) return 'unknown'
      if (start[0] === '{' || start[0] === '[') return 'json'
      const contentType = response.headers['content-type'] ?? 'no content type'
      if (start[0] !== '<' && contentType.includes('event-stream')) return 'events'
      if (/^\uFEFF?(data|event|id|retry)?:/.test(start)) return 'events'
      if (start.length < 8) return 'unknown'
      throw contentTypeError(provider, contentType)
    }

    function feed(chunk: string): void {
      try {
        readEvents(chunk)
      } finally {
        // Also when an event could not be read: what came before it stands.
        handOver()
      }
      if (answer.isDone()) complete()
    }

    function handOver(): void {
      if (batch.length > 0) {
        const deltas = batch
        batch = []
        onDeltas(deltas)
      } else if (answer.hasToolCalls()) onActivity()
    }

    function end(): void {
      if (body === 'json') {
        const whole = parseJson(held)
        if (whole === undefined) throw unreadableError(provider, 'broken JSON')
        answer.take(whole)
        if (!answer.isComplete()) throw unreadableError(provider, 'JSON without a choice')
      } else if (body === 'events' && !answer.isComplete()) {
        endLastEvent()
        if (!hasEvents) throw unreadableError(provider, 'a stream without events')
      }
      if (!answer.isComplete()) throw cutError(provider)
      complete()
    }

    // Some servers leave out the empty line after their last event; half an event is a cut.
    function endLastEvent(): void {
      try {
        readEvents('\n\n')
      } catch {
        throw cutError(provider)
      } finally {
        handOver()
      }
    }

    function complete(): void {
      isOver = true
      const reply = answer.finish()
      handOver()
      resolve(reply)
      if (response.complete) return
      // The rest is read so that the connection can be used again; a server that never ends it loses it.
      const linger = setTimeout(() => response.destroy(), LINGER_MS).unref()
      response.on('close', () => clearTimeout(linger))
    }

    /** Runs a step of reading; whatever it throws ends the reading. */
    function guard(step: () => void): void {
      if (isOver) return
      try {
        step()
      } catch (error) {
        isOver = true
        response.destroy()
        reject(signal.aborted ? signal.reason : error)
      }
    }

    response.setEncoding('utf8')
    response.on('data', (chunk: string) => guard(() => read(chunk)))
    response.on('end', () => guard(end))
    response.on('error', () =>
      guard(() => {
        // Whole but for its last bytes: nothing that the reader sees is missing.
        if (!answer.isComplete()) throw cutError(provider)
        complete()
      }),
    )
  })
}
