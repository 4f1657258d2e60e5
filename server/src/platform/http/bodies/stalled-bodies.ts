import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '../server.ts'

export interface BodyWatch {
  begin(request: FastifyRequest, reply: FastifyReply): void
  end(request: FastifyRequest): void
}

interface Receiving {
  reply: FastifyReply
  bytesRead: number
  since: number
}

/**
 * Answers 408 to requests whose body stops coming. An upload may be as slow as its line, but not silent for longer than
 * `silenceMs`, give or take a sixth. One timer looks at all of them, so a request pays next to nothing.
 */
export function watchBodies(app: HttpServer, silenceMs: number): BodyWatch {
  /** Just the reply until it was looked at for the first time. */
  const receiving = new Map<FastifyRequest, FastifyReply | Receiving>()

  function look(): void {
    const now = performance.now()
    for (const [request, entry] of receiving) {
      const { complete, destroyed, socket } = request.raw
      if (complete || destroyed || socket.destroyed) receiving.delete(request)
      else if (!('since' in entry)) receiving.set(request, { reply: entry, bytesRead: socket.bytesRead, since: now })
      else if (socket.bytesRead !== entry.bytesRead) {
        entry.bytesRead = socket.bytesRead
        entry.since = now
      } else if (now - entry.since >= silenceMs) {
        receiving.delete(request)
        refuse(request, entry.reply)
      }
    }
  }

  const timer = setInterval(look, silenceMs / 6)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))

  return {
    begin(request, reply) {
      const { headers } = request.raw
      if (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0') {
        receiving.set(request, reply)
      }
    },
    end(request) {
      receiving.delete(request)
    },
  }
}

function refuse(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) {
    request.raw.destroy()
    return
  }
  reply.hijack()
  // The reader of the body will fail now, which is no news.
  reply.log = reply.log.child({}, { level: 'silent' })
  const body = JSON.stringify({ error_code: 'REQUEST_TIMEOUT', message: 'The body of the request stopped coming' })
  reply.raw.writeHead(408, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  // The rest of the body will not come: its reader gets an error.
  reply.raw.end(body, () => request.raw.destroy())
}
