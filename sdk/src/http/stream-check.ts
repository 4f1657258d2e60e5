import { createParser } from 'eventsource-parser'
import type { Query } from '../operations.ts'
import type { StreamCheckEvent } from '../types.ts'
import type { CallOptions, Transport } from './transport.ts'

/** An event of the check, and when it came here. */
export interface StreamCheckArrival extends StreamCheckEvent {
  /** Milliseconds since the request was sent. */
  arrived_ms: number
}

export interface StreamCheckOptions extends CallOptions {
  /** Called for each event as it comes. */
  onArrival?: (arrival: StreamCheckArrival) => void
}

/** Findings of the check on the way to the server. */
export interface StreamCheck {
  /** The answer's headers, as what lies between left them. */
  headers: Headers
  arrivals: StreamCheckArrival[]
  /** Whether the stream came to its end, and was not cut. */
  isWhole: boolean
}

/** Reads a stream that says when each of its events was sent. */
export async function runStreamCheck(
  transport: Transport,
  query: Query<'streamCheck.run'>,
  { onArrival, ...options }: StreamCheckOptions,
): Promise<StreamCheck> {
  const startedAt = performance.now()
  const response = await transport.open('GET /stream-check', [], { ...options, query })
  const check: StreamCheck = { headers: response.headers, arrivals: [], isWhole: false }
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') {
        check.isWhole = true
        return
      }
      const arrival = { ...(JSON.parse(data) as StreamCheckEvent), arrived_ms: performance.now() - startedAt }
      check.arrivals.push(arrival)
      onArrival?.(arrival)
    },
  })
  const decoder = new TextDecoder()
  const reader = response.body!.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return check
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } catch {
    options.signal?.throwIfAborted()
    // Cut off: the times of what came so far are known.
    return check
  }
}
