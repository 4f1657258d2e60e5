import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface ScriptedRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}
export interface ScriptedAnswer {
  /** Default 200; 0 breaks the connection off. */
  status?: number
  headers?: Record<string, string>
  /** Sent as it is, or else as JSON. */
  body?: unknown
}

/** HTTP server of a provider's API, whose answers a test scripts. */
export async function scriptedApi(answer: (request: ScriptedRequest) => ScriptedAnswer | undefined, port = 0) {
  const asked: ScriptedRequest[] = []
  let intercepting: (request: ScriptedRequest) => ScriptedAnswer | undefined = () => undefined
  const answerTo = (request: ScriptedRequest): ScriptedAnswer =>
    intercepting(request) ?? answer(request) ?? { status: 404 }
  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url!, 'http://scripted')
    const request = { method: incoming.method!, url, headers: incoming.headers, body: await text(incoming) }
    asked.push(request)
    const { status = 200, headers = {}, body = {} } = answerTo(request)
    if (status === 0) return void response.destroy()
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    response.writeHead(status, { 'content-type': isRaw ? 'application/octet-stream' : 'application/json', ...headers })
    response.end(isRaw ? body : JSON.stringify(body))
  }
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const intercept = (next: typeof intercepting) => {
    intercepting = next
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, intercept, answerTo }
}
