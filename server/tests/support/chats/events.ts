import { expect } from 'vitest'

/** An event as it came over the wire, and when. */
export interface ReadEvent {
  type: string
  subtype: string | null
  text: string
  extended_text: string | null
  data: any
  elapsed_ms?: number | null
  sequence_number: number
}

export interface EventReader {
  response: Response
  /** The next event; undefined for `[DONE]`. @throws when the stream ends without it. */
  next(): Promise<ReadEvent | undefined>
  /** Events until one of this type, which is the last of them. */
  until(type: string): Promise<ReadEvent[]>
  /** All that is left. Checks that `[DONE]` is the very last thing on the wire. */
  rest(): Promise<ReadEvent[]>
  /** Everything that came so far, byte for byte. */
  raw(): string
  /** Leaves, as a client does that closes its window. */
  leave(): void
}

/** Reads a stream of events and holds it to the letter: `data:` lines, blank lines, nothing else. */
export function readEvents(response: Response, connection: AbortController): EventReader {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let raw = ''
  let unread = ''
  async function frame(): Promise<string | undefined> {
    while (!unread.includes('\n\n')) {
      const { value, done } = await reader.read()
      if (done) {
        expect(unread).toBe('')
        return undefined
      }
      raw += value
      unread += value
    }
    const end = unread.indexOf('\n\n')
    const text = unread.slice(0, end)
    unread = unread.slice(end + 2)
    expect(text).toMatch(/^data: [^\n\r]+$/)
    return text.slice('data: '.length)
  }

  async function next(): Promise<ReadEvent | undefined> {
    const text = await frame()
    if (text === undefined) throw new Error(`the stream ended without [DONE]: ${raw.slice(-500)}`)
    if (text !== '[DONE]') return JSON.parse(text)
    expect(await frame()).toBeUndefined()
    return undefined
  }

  async function rest(): Promise<ReadEvent[]> {
    const events: ReadEvent[] = []
    for (let event = await next(); event; event = await next()) events.push(event)
    return events
  }

  return {
    response,
    next,
    rest,
    async until(type) {
      const events: ReadEvent[] = []
      do {
        const event = await next()
        if (!event) throw new Error(`no ${type} came: ${raw.slice(-500)}`)
        events.push(event)
      } while (events.at(-1)!.type !== type)
      return events
    },
    raw: () => raw,
    leave: () => connection.abort(),
  }
}

/** Pings come when nothing else did for a second, which depends on the machine. */
export const withoutPings = (events: ReadEvent[]): ReadEvent[] => events.filter(({ type }) => type !== 'ping')

/** Types in order, equal neighbours once, without pings: `metadata response end_response`. */
export const shapeOf = (events: ReadEvent[]): string =>
  withoutPings(events)
    .map((event) => event.subtype ?? event.type)
    .filter((type, index, types) => type !== types[index - 1])
    .join(' ')

export const textOf = (events: ReadEvent[], type = 'response'): string =>
  events
    .filter((event) => event.type === type)
    .map((event) => event.text)
    .join('')
