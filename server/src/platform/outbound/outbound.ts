import type { LookupAddress } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { http, https } from '../http/node-http.ts'
import type { OutboundAllow } from './outbound-allow.ts'
import { createOutboundGuard, type OutboundGuard } from './outbound-guard.ts'
import type { LookUp } from './outbound-lookup.ts'

/** The other side did not answer in time. */
export class OutboundTimeoutError extends Error {
  override name = 'OutboundTimeoutError'
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs / 1000} s`)
  }
}

interface OutboundRequest {
  /** Default GET. */
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Time limit from the start to the last byte read of the reply. */
  timeoutMs: number
  /** The reply's body ends after this many bytes. */
  maxReplyBytes: number
  signal?: AbortSignal
}

export interface OutboundReply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  /** Values of a header that may come several times, each by itself. @param name in lower case */
  valuesOf(name: string): string[]
  /** Body, to be read once or closed with `close`; throws if the reply breaks off or takes too long. */
  body: AsyncIterable<Buffer>
  /** Whether there was more than `maxReplyBytes`. */
  readonly isCut: boolean
  close(): void
}

export interface Outbound extends OutboundGuard {
  /**
   * Sends one request. Redirects are not followed, proxies and cookies not used, and what is connected to is the very
   * address that was checked, so a name that changes its address in between gains nothing.
   * @throws OutboundNotAllowedError, OutboundTimeoutError, the signal's reason, or the network's error
   */
  request(url: string, options: OutboundRequest): Promise<OutboundReply>
}

export interface OutboundOptions {
  allow: OutboundAllow
  lookUp?: LookUp
}

/** Requests to addresses that others name: webhooks' receivers, web pages. */
export function createOutbound(options: OutboundOptions): Outbound {
  const guard = createOutboundGuard(options)

  async function send(text: string, options: OutboundRequest): Promise<OutboundReply> {
    const { url, host, port } = guard.parse(text)
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(new OutboundTimeoutError(options.timeoutMs)), options.timeoutMs)
    const signal = options.signal ? AbortSignal.any([timeout.signal, options.signal]) : timeout.signal
    try {
      // The look-up has no way to be ended, but nobody needs to wait for it.
      const addresses = await unlessAborted(guard.resolve({ host, port }), signal)
      const message = await exchange(url, addresses, options, signal)
      return replyOf(message, options.maxReplyBytes, signal, () => clearTimeout(timer))
    } catch (error) {
      clearTimeout(timer)
      throw signal.aborted ? signal.reason : error
    }
  }

  return { ...guard, request: send }
}

function exchange(
  url: URL,
  addresses: LookupAddress[],
  { method = 'GET', headers = {}, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request: send, Agent } = url.protocol === 'https:' ? https : http
  const length = body === undefined ? undefined : String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      headers: { ...headers, ...(length !== undefined && { 'content-length': length }) },
      // One connection a request: none is shared, and none goes through a proxy of the environment's.
      agent: new Agent({ keepAlive: false }),
      lookup: fixed(addresses),
      signal,
    })
    request.on('response', resolve)
    request.on('error', reject)
    request.end(body)
  })
}

/** Answers every look-up with the addresses that were checked. */
const fixed =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (!first) return callback(new Error('The name has no address'), '')
    if (all) callback(null, addresses)
    else callback(null, first.address, first.family)
  }

function replyOf(message: IncomingMessage, maxBytes: number, signal: AbortSignal, done: () => void): OutboundReply {
  let isCut = false
  function close(): void {
    done()
    message.destroy()
  }
  async function* read(): AsyncGenerator<Buffer> {
    let left = maxBytes
    try {
      for await (const chunk of message as AsyncIterable<Buffer>) {
        if (chunk.length > left) isCut = true
        if (left > 0) yield chunk.subarray(0, left)
        left -= chunk.length
        if (isCut) return
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      close()
    }
  }
  // Errors of a body that nobody reads must not end the process.
  message.on('error', () => {})
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    valuesOf: (name) => message.headersDistinct[name] ?? [],
    body: read(),
    get isCut() {
      return isCut
    },
    close,
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
