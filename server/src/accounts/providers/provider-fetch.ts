import type { CustomFetch } from 'openid-client'
import type { Outbound } from '../../platform/outbound/outbound.ts'

/** Descriptions, keys and tokens of providers are far smaller. */
const MOST_BYTES = 1024 * 1024

/** Sends the requests of `openid-client` through the guard: a provider's description may name any address. */
export const fetchThrough =
  (outbound: Outbound, timeoutMs: number): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const reply = await outbound.request(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body === undefined || body === null ? undefined : String(body),
      timeoutMs,
      maxReplyBytes: MOST_BYTES,
      signal: signal ?? undefined,
    })
    const chunks: Buffer[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    if (reply.isCut) throw new Error(`The reply of the provider has more than ${MOST_BYTES} bytes`)
    const all = new Headers()
    for (const [name, value] of Object.entries(reply.headers))
      for (const one of [value ?? []].flat()) all.append(name, one)
    return new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, { status: reply.status, headers: all })
  }
