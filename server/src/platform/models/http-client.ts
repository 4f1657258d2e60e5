import type { IncomingMessage, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { http, https } from '../http/node-http.ts'
import type { OutboundGuard } from '../outbound/outbound-guard.ts'

// Connections are kept, newest first, so that a burst's surplus closes by itself.
const plain = new http.Agent({ keepAlive: true, scheduling: 'lifo' })
const secure = new https.Agent({ keepAlive: true, scheduling: 'lifo' })
// Connections that were checked, and no others.
const checkedPlain = new http.Agent({ keepAlive: true, scheduling: 'lifo' })
const checkedSecure = new https.Agent({ keepAlive: true, scheduling: 'lifo' })

/** A URL as a request takes it: each provider has one, which is the same for all its requests. */
const targets = new WeakMap<URL, RequestOptions>()

function targetOf(url: URL): RequestOptions {
  let target = targets.get(url)
  if (!target) {
    target = urlToHttpOptions(url)
    targets.set(url, target)
  }
  return target
}

/**
 * Sends a body by POST and resolves with the answer's head; the caller reads its body. Redirects are not followed.
 * Aborting ends request and answer, whichever stage they are in. The URL must not be changed after its first use.
 * @throws the network's own error, or the signal's reason
 */
export const post = (
  url: URL,
  { headers, body, signal, guard }: Sending & { body: string | Uint8Array },
): Promise<IncomingMessage> =>
  send(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, body, signal, guard })

/** Asks by GET, otherwise as `post`. */
export const get = (url: URL, { headers, signal, guard }: Sending): Promise<IncomingMessage> =>
  send(url, { method: 'GET', headers, signal, guard })

interface Sending {
  headers: Record<string, string>
  signal: AbortSignal
  /** Decides where the connection may go, for addresses that others name. */
  guard?: OutboundGuard
}

interface Sent {
  method: 'GET' | 'POST'
  headers: Record<string, string | number>
  body?: string | Uint8Array
  signal: AbortSignal
  guard?: OutboundGuard
}

function send(url: URL, { method, headers, body, signal, guard }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const { request: open } = url.protocol === 'https:' ? https : http
    const request = open({ ...targetOf(url), ...toRequestOptions(url, guard), method, headers })
    const abort = () => {
      request.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    request.on('response', resolve)
    request.on('error', reject)
    request.on('close', () => signal.removeEventListener('abort', abort))
    request.end(body)
  })
}

/** The connections for a URL. @throws OutboundNotAllowedError */
function toRequestOptions(url: URL, guard: OutboundGuard | undefined): RequestOptions {
  const isSecure = url.protocol === 'https:'
  if (!guard) return { agent: isSecure ? secure : plain }
  const { port } = guard.parse(url.href)
  return { agent: isSecure ? checkedSecure : checkedPlain, lookup: checkedLookup(guard, port) }
}

/** Looks a name up and answers with addresses that may be connected to, and so no others can be. */
const checkedLookup =
  (guard: OutboundGuard, port: number): LookupFunction =>
  (host, { all }, callback) => {
    guard.resolve({ host: host.toLowerCase(), port }).then(
      (addresses) => {
        const [first] = addresses
        if (!first) callback(new Error('The name has no address'), '')
        else if (all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
