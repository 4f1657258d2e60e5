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
  raw.once('close', onClose)
  return {
    write(chunk) {
      if (raw.destroyed || raw.writableEnded) return
      raw.write(chunk)
      if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy()
    },
    end() {
      raw.end()
    },
  }
}
