import type { FetchLike } from '@modelcontextprotocol/client'
import type { Outbound, OutboundReply } from '../outbound/outbound.ts'

/** Limit of one reply, streams included. */
const MOST_BYTES = 16 * 1024 * 1024
/** A stream that is older is ended, and opened again if it is still wanted. */
const LONGEST_MS = 15 * 60_000

/**
 * `fetch` as the SDK's transports call it, through the guard: each request, and each that a redirect would lead to, goes
 * to an address that was checked.
 */
export function createGuardedFetch(outbound: Outbound, { onFailure, onBreak }: FetchWatch): FetchLike {
  return async (input, init = {}) => {
    const { method, body, headers, signal } = init
    const isPost = method === 'POST'
    const reply = await outbound
      .request(String(input), {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        body: body as string | undefined,
        timeoutMs: LONGEST_MS,
        maxReplyBytes: MOST_BYTES,
        signal: signal ?? undefined,
      })
      .catch((error) => {
        if (!signal?.aborted) onFailure(error, isPost)
        throw error
      })
    if (reply.status >= 300) onFailure(reply.status, isPost)
    return toResponse(reply, (error) => {
      if (!signal?.aborted) onBreak(error, isPost)
    })
  }
}

export interface FetchWatch {
  /** Called with the reason why a request brought nothing: an error, or a status from 300 on. */
  onFailure(failure: Error | number, isPost: boolean): void
  /** Called when a reply broke off: what it would have held is lost. */
  onBreak(error: Error, isPost: boolean): void
}

function toResponse(reply: OutboundReply, onBreak: (error: Error) => void): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one)
  const { status } = reply
  if (status === 204 || status === 304) {
    reply.close()
    return new Response(null, { status, headers })
  }
  return new Response(streamOf(reply, onBreak), { status, headers })
}

function streamOf(reply: OutboundReply, onBreak: (error: Error) => void): ReadableStream<Uint8Array> {
  const chunks = reply.body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (!done) return controller.enqueue(value)
        if (reply.isCut) throw new Error(`the reply has more than ${MOST_BYTES} bytes`)
        controller.close()
      } catch (error) {
        onBreak(error as Error)
        controller.error(error)
      }
    },
    cancel: () => reply.close(),
  })
}
