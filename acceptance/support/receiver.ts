import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { target } from './target.ts'
import { until } from './wait.ts'

interface Delivery {
  method: string
  headers: IncomingHttpHeaders
  text: string
  body: any
}

/** A webhook's receiver; it goes away with the test. @param statuses what it answers, one a request; then 200. */
export async function startReceiver(...statuses: number[]) {
  const deliveries: Delivery[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    response.writeHead(statuses[deliveries.length] ?? 200, { location: '/elsewhere' }).end('thanks')
    deliveries.push({ method: request.method!, headers: request.headers, text, body: JSON.parse(text) })
  })
  server.listen(0, target.callbackHost)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://${target.callbackHost}:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    /** The delivery with this number, from 0. */
    delivery: (index = 0) => until('delivered', async () => deliveries[index]),
  }
}
