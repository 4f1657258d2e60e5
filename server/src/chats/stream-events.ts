import type { FastifyReply } from 'fastify'
import { type EventStream, openEventStream } from '../platform/http/event-stream.ts'
import type { RunReader } from './runs/run.ts'

/**
 * Answers with a stream of events. What goes wrong before it begins is thrown, and answered as JSON.
 * @param leave gives the caller's place among the open streams back
 * @param prepare finds what is read; its result begins the reading, and returns what ends it
 */
export async function streamEvents(
  reply: FastifyReply,
  leave: () => void,
  prepare: () => Promise<(stream: EventStream) => () => void>,
): Promise<void> {
  let stopReading = () => {}
  try {
    const read = await prepare()
    const stream = openEventStream(reply, () => {
      leave()
      stopReading()
    })
    stopReading = read(stream)
  } catch (error) {
    leave()
    throw error
  }
}

/** Puts an `id:` line before each event, so that a browser's EventSource resumes by itself. */
export const withIds = (reader: RunReader): RunReader => ({
  write(chunk) {
    reader.write(chunk.replaceAll(EVENT, (line, number: string) => `id: ${number}\n${line}`))
  },
  end: () => reader.end(),
})

/** The number stands last in an event's JSON; text cannot look like it, because quotes in text are escaped. */
const EVENT = /^data: \{.*"sequence_number":(\d+)\}$/gm

/** What EventSource sends when it comes back. */
export function lastEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
