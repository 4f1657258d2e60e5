import type { Clock } from '../../platform/clock.ts'
import type { Outbound, OutboundReply } from '../../platform/outbound/outbound.ts'
import { readRetryAfter } from '../../platform/outbound/retry-after.ts'
import { signedHeaders } from '../secrets/signature.ts'

/** Part of a reply that is kept in the log of attempts. */
const KEPT_REPLY_BYTES = 2048

export interface Attempt {
  startedAt: string
  durationMs: number
  /** HTTP status; null where no reply came. */
  status: number | null
  reply: string | null
  /** Reason that no reply came. */
  error: string | null
  retryAfterMs?: number
}

export interface AttemptOptions {
  deliveryId: string
  url: string
  body: string
  /** The current one first. */
  secrets: string[]
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Sends a delivery once. What the receiver does wrong is part of the result.
 * @throws the signal's reason, when the server shuts down meanwhile
 */
export async function attemptDelivery(
  { outbound, clock }: { outbound: Outbound; clock: Clock },
  { deliveryId, url, body, secrets, timeoutMs, signal }: AttemptOptions,
): Promise<Attempt> {
  const startedAt = clock()
  const start = performance.now()
  const done = (result: Omit<Attempt, 'startedAt' | 'durationMs'>): Attempt => ({
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - start),
    ...result,
  })
  try {
    const reply = await outbound.request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Docent-Webhooks',
        ...signedHeaders(secrets, { id: deliveryId, sentAt: startedAt, body }),
      },
      body,
      timeoutMs,
      maxReplyBytes: KEPT_REPLY_BYTES,
      signal,
    })
    const retryAfterMs = readRetryAfter(reply.headers['retry-after'], clock().getTime())
    return done({ status: reply.status, reply: await readText(reply), error: null, retryAfterMs })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return done({ status: null, reply: null, error: reasonOf(error) })
  }
}

/** Reads the reply's text; its status counts, so a body that breaks off is no failure. */
async function readText(reply: OutboundReply): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of reply.body) text += decoder.decode(chunk, { stream: true })
  } catch {
    // The part that came is kept.
  }
  return text.replaceAll('\0', '\ufffd')
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || 'The connection failed').slice(0, 500)
}
