import type { FastifyReply } from 'fastify'
import { createUnreadBytes, type UnreadBytes } from '../bodies/unread-bytes.ts'

/** Bytes that a reader who does not read may hold; then it is cut. What it reads of is stored anyway. */
const MOST_UNREAD_BYTES = 1024 * 1024
/** Bytes that all readers of this process may leave unread, whatever the size of the pieces. */
const MOST_UNREAD_BYTES_IN_ALL = 128 * 1024 * 1024

export interface EventStream {
  /** Sends one or more whole events. */
  write(chunk: string): void
  /** Sends `[DONE]`, as the last of all. */
  end(): void
}

const DONE = 'data: [DONE]\n\n'

const unread: UnreadBytes = createUnreadBytes(MOST_UNREAD_BYTES_IN_ALL)

/**
 * Takes the response over and sends Server-Sent Events, as they come, past every buffer on the way. A reader that does
 * not keep up is cut off, without `[DONE]`: it may resume after the last event that it has.
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
  const cut = () => {
    if (raw.destroyed) return
    reply.log.info({ unread_bytes: raw.writableLength }, 'a reader of a stream that did not read was cut off')
    raw.destroy()
  }
  const account = unread.open(raw, cut)
  const close = () => {
    account.close()
    onClose()
  }
  // A reader who left before this has no `close` to come any more.
  if (raw.closed) setImmediate(close)
  else raw.once('close', close)
  let mostUnread = MOST_UNREAD_BYTES
  return {
    write(chunk) {
      if (raw.destroyed || raw.writableEnded) return
      const hadReadAll = raw.writableLength === 0
      account.write(chunk)
      // A long replay, which comes in one piece, is no sign of a slow reader.
      if (hadReadAll) mostUnread = MOST_UNREAD_BYTES + raw.writableLength
      else if (raw.writableLength > mostUnread) cut()
    },
    end() {
      if (raw.destroyed || raw.writableEnded) return
      raw.end(DONE)
    },
  }
}
