import { DiskFullError, type DiskRoom } from '../host/disk-room.ts'
import type { HttpServer } from './server.ts'

const READS_OR_FREES = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
/** Little is written by these, and without them nobody may come to delete anything, or end what is running. */
const NEEDED = new Set(['session.create', 'messages.cancel'])

/** Refuses requests that need disk space while the disk is full; the rest is kept for deletions. */
export function addRoom(app: HttpServer, room: Pick<DiskRoom, 'isFull'> | undefined): void {
  if (!room) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (!room.isFull() || READS_OR_FREES.has(request.method)) return done()
    const { operationId = '' } = (request.routeOptions.schema ?? {}) as { operationId?: string }
    done(NEEDED.has(operationId) ? undefined : new DiskFullError())
  })
}
