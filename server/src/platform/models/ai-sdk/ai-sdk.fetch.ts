import type { IncomingMessage } from 'node:http'
import { connectionError } from '../failures/connection-failures.ts'
import { contentTypeError } from '../failures/provider-failures.ts'
import { post } from '../http-client.ts'
import type { ModelProvider } from '../model-provider.ts'
import { toWebStream } from './web-stream.ts'

/**
 * `fetch` as the AI SDK's providers call it (POST of a text, the answer as a stream), over our own connections: with
 * the built-in one a streamed token costs more, and its own time limits would come before the operator's.
 * @throws ModelError when there is no connection, or a success that is neither JSON nor events
 */
export function createFetch(provider: ModelProvider) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { body, headers, signal = new AbortController().signal } = init
    if (typeof body !== 'string' || !signal) throw new TypeError('only text bodies are sent')
    const response = await post(new URL(String(input)), {
      headers: Object.fromEntries(new Headers(headers)),
      body,
      signal,
      guard: provider.guard,
    }).catch((error) => {
      signal.throwIfAborted()
      throw connectionError(provider, error)
    })
    const { statusCode = 500 } = response
    const contentType = response.headers['content-type'] ?? ''
    if (statusCode < 300 && contentType && !/json|event-stream/.test(contentType)) {
      response.destroy()
      throw contentTypeError(provider, contentType)
    }
    return new Response(toWebStream(response), { status: statusCode, headers: toHeaders(response) })
  }
}

function toHeaders(response: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}
