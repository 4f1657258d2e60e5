import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of webhooks that answers 200 to each and keeps none. */
export async function startSink() {
  let count = 0
  const server = createServer((request, response) => {
    count++
    request.resume()
    request.on('end', () => response.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
