import type { IncomingMessage, ServerResponse } from 'node:http'

export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  return Buffer.concat(parts)
}

export function sendData(response: ServerResponse, data: unknown): void {
  const body = JSON.stringify({ data })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}
