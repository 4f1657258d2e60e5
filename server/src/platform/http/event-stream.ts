import type { FastifyReply } from 'fastify'

/** Bytes that a reader who does not read may hold; then it is cut. What it reads of is stored anyway. */
const MOST_UNREAD_BYTES = 1024 * 1024

export interface EventStream {
  write(chunk: string): void
  end(): void
}

/**
 * Takes the response over and sends Server-Sent Events, as they come, past every buffer on the way.
 * @param onClose called once, when the stream has ended or the reader has gone
 */
export function openEventStream(reply: FastifyReply, onClose: () => void): EventStream {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
  // A reader who left before this has no `close` to come any more.
  if (raw.closed) setImmediate(onClose)
  else raw.once('close', onClose)
  let mostUnread = MOST_UNREAD_BYTES
  return {
    write(chunk) {
      if (raw.destroyed || raw.writableEnded) return
      const hadReadAll = raw.writableLength === 0
      raw.write(chunk)
      // What comes in one piece, a long replay above all, is no sign of a slow reader.
      if (hadReadAll) mostUnread = MOST_UNREAD_BYTES + raw.writableLength
      else if (raw.writableLength > mostUnread) raw.destroy()
    },
    end() {
      raw.end()
    },
  }
}
