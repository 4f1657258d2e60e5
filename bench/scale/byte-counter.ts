import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface ByteCounter {
  url: string
  /** So far: what clients sent to the server, and what it sent to them. */
  bytes(): { sent: number; received: number }
  /** So far: how often something was sent after an answer had come, on whatever connection. */
  trips(): number
  close(): void
}

/** Stands before the database that a URL names and counts what passes. */
export async function startByteCounter(databaseUrl: string): Promise<ByteCounter> {
  const { hostname, port } = new URL(databaseUrl)
  let sent = 0
  let received = 0
  let trips = 0
  let isAnswered = true
  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    client.on('data', (chunk) => {
      sent += chunk.length
      if (isAnswered) trips++
      isAnswered = false
    })
    database.on('data', (chunk) => {
      received += chunk.length
      isAnswered = true
    })
    client.on('error', () => database.destroy())
    database.on('error', () => client.destroy())
    client.pipe(database).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    bytes: () => ({ sent, received }),
    trips: () => trips,
    close: () => server.close(),
  }
}
