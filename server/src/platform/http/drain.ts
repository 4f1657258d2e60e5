import type { Socket } from 'node:net'
import { DrainingError } from '../errors.ts'
import type { HttpServer } from './server.ts'

/** Time in which what runs may come to its end once the server was asked to stop. */
const PATIENCE_MS = 10_000
/** How long requests may then take to be read and answered before their connections are cut. */
const LAST_REQUESTS_MS = 4_000

/**
 * A stop in good order: new requests are refused with 503, what runs gets time to end, and only then are connections
 * closed. Without it `close()` would wait for every open stream.
 */
export function addDrain(app: HttpServer, work: { drain(patienceMs: number): Promise<void> }): void {
  let isDraining = false
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('onRequest', (request, _reply, done) => {
    // A process that drains is alive: nobody should kill it for that.
    done(isDraining && request.url !== '/healthz' ? new DrainingError() : undefined)
  })
  app.addHook('preClose', async () => {
    isDraining = true
    await work.drain(PATIENCE_MS)
    // Browsers open connections ahead of requests; to Node they look as busy as one in the middle of its headers.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    // An upload that stalls or a reader who does not read would keep the process for as long as it likes.
    const cut = setTimeout(() => app.server.closeAllConnections(), LAST_REQUESTS_MS).unref()
    app.server.once('close', () => clearTimeout(cut))
  })
}
