import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Effect of a proxy on the streams that pass through it. */
type Habit = 'collects' | 'cuts'

/** Starts a proxy with the bad habits of real ones: only streams are affected. */
export async function startProxy(target: string, habit: Habit): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream')
      outgoing.writeHead(answer.statusCode!, { ...answer.headers, ...(isStream && { server: 'nginx/1.27.0' }) })
      if (isStream) HABITS[habit](answer, outgoing)
      else answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const HABITS: Record<Habit, (answer: IncomingMessage, outgoing: ServerResponse) => void> = {
  /** Forwards data after a pause, as buffers do that wait to be full. */
  collects(answer, outgoing) {
    const collected: Buffer[] = []
    answer.on('data', (chunk) => collected.push(chunk))
    const flush = () => {
      if (collected.length > 0) outgoing.write(Buffer.concat(collected.splice(0)))
    }
    const timer = setInterval(flush, 1_500)
    answer.on('end', () => {
      clearInterval(timer)
      outgoing.end(Buffer.concat(collected))
    })
    outgoing.on('close', () => clearInterval(timer))
  },
  /** Closes connections that were idle for a second. */
  cuts(answer, outgoing) {
    let timer = setTimeout(() => outgoing.destroy(), 1_000)
    answer.on('data', (chunk) => {
      clearTimeout(timer)
      timer = setTimeout(() => outgoing.destroy(), 1_000)
      outgoing.write(chunk)
    })
    answer.on('end', () => outgoing.end())
    outgoing.on('close', () => clearTimeout(timer))
  },
}
