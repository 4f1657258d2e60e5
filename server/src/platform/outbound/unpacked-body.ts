import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { OutboundReply } from './outbound.ts'

/** Value of the header `accept-encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, br, deflate'

/** The reply is packed in a way that was not asked for. */
export class UnknownEncodingError extends Error {
  override name = 'UnknownEncodingError'
  readonly encoding: string
  constructor(encoding: string) {
    super('The reply is packed in a way that cannot be read')
    this.encoding = encoding
  }
}

/** The body of a reply, unpacked while it is read. @throws UnknownEncodingError */
export function unpackedBody(reply: OutboundReply): Readable {
  const name = String(reply.headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase()
  if (name === '' || name === 'identity') return Readable.from(reply.body, { objectMode: false })
  const unpack = unpackerOf(name)
  if (!unpack) {
    reply.close()
    throw new UnknownEncodingError(name.slice(0, 40))
  }
  const body = Readable.from(reply.body, { objectMode: false })
  body.on('error', (error) => unpack.destroy(error))
  unpack.on('close', () => body.destroy())
  return body.pipe(unpack)
}

function unpackerOf(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'br') return createBrotliDecompress()
  return encoding === 'deflate' ? createInflate() : undefined
}
