import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  return Buffer.concat(parts)
}

export function sendData(response: ServerResponse, data: unknown): void {
  const body = JSON.stringify({ data })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

/** Serves on a free port, tells the parent process the URL, and ends with it. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      console.error(error)
      response.destroy()
    })
  })
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1', 4096)
  await once(server, 'listening')
  process.on('disconnect', () => process.exit())
  process.on('SIGTERM', () => process.exit())
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
