import { expect } from 'vitest'
import { api } from './api.ts'
import { target } from './target.ts'

export interface StreamedEvent {
  type: string
  subtype: string | null
  text: string
  data: any
  elapsed_ms?: number | null
  sequence_number: number
}

export interface OpenStream {
  status: number
  headers: Headers
  /** Events so far, [DONE] left out. */
  events: StreamedEvent[]
  /** The wire, byte for byte. */
  wire(): string
  /** Waits for the first event of which this is true. */
  seen(is: (event: StreamedEvent) => boolean): Promise<StreamedEvent>
  /** Waits for the end of the stream. */
  done(): Promise<StreamedEvent[]>
  leave(): void
}

/** Opens an event stream; with a body by POST, else by GET. */
export async function openStream(
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const controller = new AbortController()
  const response = await fetch(`${target.url}/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': api.key, ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
    signal: controller.signal,
  })
  expect(`${response.status} ${response.headers.get('content-type')}`).toBe('200 text/event-stream; charset=utf-8')
  let wire = ''
  let ended = false
  const events: StreamedEvent[] = []
  const listeners = new Set<() => void>()
  const reading = (async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of response.body!) {
      const text = decoder.decode(bytes, { stream: true })
      wire += text
      const frames = (rest + text).split('\n\n')
      rest = frames.pop()!
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1]
        if (data && data !== '[DONE]') events.push(JSON.parse(data))
      }
      for (const listener of listeners) listener()
    }
  })().finally(() => {
    ended = true
    for (const listener of listeners) listener()
  })
  // The failure reaches callers that await the end; others need not handle it.
  reading.catch(() => undefined)
  return {
    status: response.status,
    headers: response.headers,
    events,
    wire: () => wire,
    async seen(is) {
      for (;;) {
        const found = events.find(is)
        if (found) return found
        if (ended) throw new Error(`The stream ended without it: ${wire}`)
        await new Promise<void>((resolve) => {
          const listener = () => {
            listeners.delete(listener)
            resolve()
          }
          listeners.add(listener)
        })
      }
    },
    async done() {
      await reading
      return events
    },
    leave: () => controller.abort(),
  }
}

/** A streamed query to its end. */
export async function streamed(path: string, query: string, fields: object = {}): Promise<OpenStream> {
  const stream = await openStream(`${path}/query`, { query, is_stream: true, ...fields })
  await stream.done()
  return stream
}

/** Types in order, repetitions as one, pings left out: they depend on the clock. */
export const shapeOf = (events: StreamedEvent[]): string[] =>
  events
    .map(({ type, subtype }) => (subtype ? `${type}/${subtype}` : type))
    .filter((type, index, all) => type !== 'ping' && type !== all[index - 1])
