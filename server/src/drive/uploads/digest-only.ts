import { createHash } from 'node:crypto'
import { type Blobs, BlobTooLargeError } from '../../platform/blobs/blobs.ts'

/** In the place of the storage where only the digest of the bytes is wanted. */
export const digestOnly: Pick<Blobs, 'put' | 'remove'> = {
  async put(_key, content, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const piece of content as AsyncIterable<Uint8Array>) {
      sizeBytes += piece.length
      if (sizeBytes > maxBytes) throw new BlobTooLargeError(`more than ${maxBytes} bytes`)
      hash.update(piece)
    }
    return { sizeBytes, sha256: hash.digest('hex') }
  },
  async remove() {},
}
