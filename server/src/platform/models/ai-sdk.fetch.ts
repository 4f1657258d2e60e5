import type { IncomingMessage } from 'node:http'
import { post } from './http-client.ts'

/**
 * `fetch` as the AI SDK's providers call it (POST of a text, the answer as a stream), over our own connections: with
 * the built-in one a streamed token costs more, and its own time limits would come before the operator's.
 */
export async function nodeFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { body, headers, signal } = init
  if (typeof body !== 'string') throw new TypeError('only text bodies are sent')
  const response = await post(new URL(String(input)), {
    headers: Object.fromEntries(new Headers(headers)),
    body,
    signal: signal ?? new AbortController().signal,
  })
  return new Response(toWebStream(response), { status: response.statusCode ?? 500, headers: toHeaders(response) })
}

function toWebStream(response: IncomingMessage): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream({
    start(controller) {
      response.on('data', (chunk: Buffer) => {
        if (isOver) return
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) response.pause()
      })
      response.on('end', () => {
        if (!isOver) controller.close()
        isOver = true
      })
      response.on('error', (error) => {
        if (!isOver) controller.error(error)
        isOver = true
      })
    },
    pull() {
      response.resume()
    },
    cancel() {
      isOver = true
      response.destroy()
    },
  })
}

function toHeaders(response: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}
