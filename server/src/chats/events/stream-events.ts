import type { FastifyReply } from 'fastify'
import { type EventStream, openEventStream } from '../../platform/http/replies/event-stream.ts'
import type { EventReader } from './event-batch.ts'

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

/**
 * Sends events to a socket, as they come.
 * @param options.withIds whether each event is preceded by its number, by which a browser's EventSource resumes
 */
export const sseReader = (stream: EventStream, { withIds = false } = {}): EventReader => ({
  write: withIds ? (batch) => stream.write(batch.sseWithIds) : (batch) => stream.write(batch.sse),
  end: () => stream.end(),
})

/** Parses the header that EventSource sends when it comes back. */
export function lastEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
