import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Time of arrival, as `performance.now()`. */
  at: number
}

export interface Receiver {
  url: string
  /** All that came so far. */
  received: Received[]
  /** The next one, in the order in which they came. */
  next(): Promise<Received>
}

/** How a request is answered; the default is 200 at once. */
type Respond = (request: Received, response: ServerResponse, index: number) => void

/** A receiver of webhooks on a free port of this machine; it goes away when the test ends. */
export async function startReceiver(respond: Respond = (_request, response) => response.end()): Promise<Receiver> {
  const received: Received[] = []
  const waiting: ((request: Received) => void)[] = []
  let taken = 0
  const server = createServer(async (message, response) => {
    let body = ''
    message.setEncoding('utf8')
    for await (const chunk of message) body += chunk
    const request = { path: message.url!, headers: message.headers, body, at: performance.now() }
    const index = received.push(request) - 1
    if (index === taken && waiting.length > 0) {
      taken++
      waiting.shift()!(request)
    }
    respond(request, response, index)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    next() {
      if (taken < received.length) return Promise.resolve(received[taken++]!)
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}
