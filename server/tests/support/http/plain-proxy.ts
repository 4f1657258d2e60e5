import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'

export interface PlainProxy {
  url: string
  /** Requests that each target has got so far, by its URL. */
  served: Map<string, number>
  close(): Promise<void>
}

/**
 * A proxy as plain as they come: each request goes to the next target, whoever sent it, so two requests of one client
 * nearly never meet the same process. Streams pass through as they come; a target that does not listen is passed over;
 * one that breaks off breaks off. @param targets URLs; read at each request, so the list may change
 */
export async function startPlainProxy(targets: readonly string[]): Promise<PlainProxy> {
  const served = new Map<string, number>()
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1024 })
  let turn = 0
  const next = () => {
    const target = targets[turn++ % targets.length]!
    served.set(target, (served.get(target) ?? 0) + 1)
    return new URL(target)
  }

  function pass(request: http.IncomingMessage, response: http.ServerResponse, left = targets.length): void {
    const { hostname, port } = next()
    const headers = request.rawHeaders
    const up = http.request({ agent, hostname, port, method: request.method!, path: request.url!, headers })
    const leave = () => up.destroy()
    response.once('close', leave)
    up.once('error', (error: NodeJS.ErrnoException) => {
      response.off('close', leave)
      if (response.headersSent) return void response.destroy()
      if (error.code === 'ECONNREFUSED' && left > 1) return pass(request, response, left - 1)
      response.writeHead(502).end()
    })
    up.once('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.statusMessage!, answer.rawHeaders)
      response.flushHeaders()
      answer.pipe(response)
      // A target may answer before it has read everything: what is left is read here, or the connection would be stuck.
      answer.once('end', () => request.unpipe(up).resume())
      answer.once('close', () => answer.complete || response.destroy())
    })
    // Nothing is sent before there is a connection, so that a target that does not listen costs no part of the body.
    up.once('socket', (socket) => {
      const send = () => request.pipe(up)
      if (socket.connecting) socket.once('connect', send)
      else send()
    })
  }

  // Lenient: what is wrong with a request is for the target to say. What cannot be read at all goes there as it came.
  const server = http.createServer({ insecureHTTPParser: true, maxHeaderSize: 1 << 20, requireHostHeader: false }, pass)
  // Longer than the targets say in their answers (72 s), or it closes what a client is about to use again.
  server.keepAliveTimeout = 120_000
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket: net.Socket) => {
    if (!error.rawPacket || !socket.writable) return void socket.destroy()
    const { hostname, port } = next()
    const up = net.connect(Number(port), hostname)
    up.on('error', () => socket.destroy())
    socket.on('error', () => up.destroy())
    up.write(error.rawPacket)
    socket.pipe(up).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    served,
    async close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
