import { createParser } from 'eventsource-parser'
import type { StreamEvent } from '../types.ts'
import { DocentError } from './errors.ts'

/** The service lets no more than 5 s pass without an event: after this long the connection is dead. */
const LONGEST_SILENCE_MS = 20_000
/** Connections that break without a single event in between. */
const MAX_FRUITLESS = 3

export interface StreamSource {
  /** The stream from its start. */
  start(): Promise<Response>
  /** The stream after the event with this sequence number. */
  resume(after: number): Promise<Response>
}

/**
 * The events of a run. A broken connection is resumed after the last event, without a gap or a repetition.
 * @throws DocentError `AGENT_FAILED` (or `CANCELLED`) when the run ends so; CONNECTION_FAILED when the server stays away.
 */
export async function* followRun({ start, resume }: StreamSource, signal?: AbortSignal): AsyncGenerator<StreamEvent> {
  let after = -1
  let response = await start()
  for (let fruitless = 0; ; ) {
    try {
      for await (const event of readEvents(response)) {
        fruitless = 0
        after = event.sequence_number
        if (event.type === 'error') throw runError(event.text)
        yield event
      }
      return
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof BrokenStreamError)) throw error
      if (fruitless++ === MAX_FRUITLESS)
        throw new DocentError(error.message, { status: 0, code: 'CONNECTION_FAILED', cause: error.cause })
    }
    response = after < 0 ? await start() : await resume(after)
  }
}

const runError = (text: string) =>
  new DocentError(text, { status: 0, code: text === 'cancelled' ? 'CANCELLED' : 'AGENT_FAILED' })

export class BrokenStreamError extends Error {
  override name = 'BrokenStreamError'
}

/** Events until `[DONE]`. @throws BrokenStreamError when the connection ends before. */
export async function* readEvents<T = StreamEvent>(response: Response): AsyncGenerator<T> {
  const arrived: string[] = []
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) })
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read())
      if (done) throw new BrokenStreamError('The stream ended before the answer did')
      parser.feed(decoder.decode(value, { stream: true }))
      for (const data of arrived.splice(0)) {
        if (data === '[DONE]') return
        yield JSON.parse(data) as T
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function withinSilence<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BrokenStreamError('The stream fell silent')), LONGEST_SILENCE_MS)
  })
  try {
    return await Promise.race([read, silence])
  } catch (cause) {
    throw cause instanceof BrokenStreamError ? cause : new BrokenStreamError('The stream broke off', { cause })
  } finally {
    clearTimeout(timer)
  }
}
