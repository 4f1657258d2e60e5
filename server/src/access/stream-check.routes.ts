import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { OpenStreams } from '../platform/cluster/limits/open-streams.ts'
import { failures } from '../platform/http/failures.ts'
import { type EventStream, openEventStream } from '../platform/http/replies/event-stream.ts'
import { IntegerQuery } from '../platform/http/validation/schemas.ts'

/** Events that come at the pace of a model that speaks. */
const TICKS = 10
const TICK_MS = 200
/** Interval of pings, the same as in the stream of an answer. */
const PING_MS = 5_000

const StreamCheckEvent = z
  .object({
    type: z.enum(['tick', 'ping', 'end']),
    number: z.number().int().meta({ description: 'From 0, one up with each event' }),
    elapsed_ms: z.number().int().meta({ description: 'When the server sent it, since the first event' }),
  })
  .meta({ id: 'StreamCheckEvent' })

/** A stream that says when each of its events was sent: who reads it sees what lies between holds them back. */
export const streamCheckRoutes =
  ({ openStreams }: { openStreams: OpenStreams }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/stream-check',
      {
        config: { access: { who: 'caller', bound: 'filtered' } },
        schema: {
          operationId: 'streamCheck.run',
          tags: ['Session'],
          summary: 'A stream to test the way to the server with: ten events 200 ms apart, a pause with pings, the end',
          querystring: z.object({ pause_seconds: IntegerQuery({ min: 0, max: 300, byDefault: 12 }) }),
          response: {
            200: {
              description: 'Server-Sent Events, the last one [DONE]',
              content: { 'text/event-stream': { schema: StreamCheckEvent } },
            },
            ...failures(400, 401, 403, 429),
          },
        },
      },
      async ({ caller, query }, reply) => {
        const leave = await openStreams.open(caller.keyId)
        const left = new AbortController()
        const stream = openEventStream(reply, () => {
          leave()
          left.abort()
        })
        play(stream, query.pause_seconds * 1000, left.signal)
        return reply
      },
    )
  }

function play(stream: EventStream, pauseMs: number, signal: AbortSignal): void {
  const startedAt = performance.now()
  let number = 0
  const send = (type: 'tick' | 'ping' | 'end') =>
    stream.write(
      `data: ${JSON.stringify({ type, number: number++, elapsed_ms: Math.round(performance.now() - startedAt) })}\n\n`,
    )
  const timers: NodeJS.Timeout[] = []
  const later = (ms: number, act: () => void) => timers.push(setTimeout(act, ms))
  signal.addEventListener('abort', () => timers.forEach(clearTimeout))

  send('tick')
  for (let tick = 1; tick < TICKS; tick++) later(tick * TICK_MS, () => send('tick'))
  const pauseBegins = (TICKS - 1) * TICK_MS
  for (let ping = PING_MS; ping < pauseMs; ping += PING_MS) later(pauseBegins + ping, () => send('ping'))
  later(pauseBegins + pauseMs, () => {
    send('end')
    stream.end()
  })
}
