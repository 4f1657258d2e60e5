import type { IncomingMessage, RequestOptions } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { http, https } from '../http/node-http.ts'

// Connections are kept, newest first, so that a burst's surplus closes by itself.
const plain = new http.Agent({ keepAlive: true, scheduling: 'lifo' })
const secure = new https.Agent({ keepAlive: true, scheduling: 'lifo' })

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
  { headers, body, signal }: { headers: Record<string, string>; body: string | Uint8Array; signal: AbortSignal },
): Promise<IncomingMessage> =>
  send(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, body, signal })

/** Asks by GET, otherwise as `post`. */
export const get = (
  url: URL,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> => send(url, { method: 'GET', headers, signal })

interface Sent {
  method: 'GET' | 'POST'
  headers: Record<string, string | number>
  body?: string | Uint8Array
  signal: AbortSignal
}

function send(url: URL, { method, headers, body, signal }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const { request: open, agent } =
      url.protocol === 'https:' ? { request: https.request, agent: secure } : { request: http.request, agent: plain }
    const request = open({ ...targetOf(url), agent, method, headers })
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

/** Reads a body as text, at most `maxBytes` of it; of a broken or longer one what there is. */
export async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= maxBytes) break
    }
  } catch {
    // The connection broke within the body of an error: the status says enough.
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString()
}

/** Parsed JSON, or `undefined` for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
