import { pipeline, Readable } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { centralHeader, dataDescriptor, endOfDirectory, localHeader, type WrittenEntry } from './zip-format.ts'

export interface EntryToWrite {
  /** Path in the archive, with `/` between folders. */
  name: string
  modifiedAt: Date
  isCompressed: boolean
  /** Length of the content, where it is known. */
  sizeBytes?: number
  content: Readable
}

const DIRECTORY_PIECE_BYTES = 64 * 1024

/**
 * Bytes of a ZIP archive, entry by entry, with ZIP64 where sizes, offsets or the number of entries need it. Its directory
 * comes in pieces, between which the event loop turns: there may be any number of entries.
 * @throws Error if a content fails, or is not as long as it should be
 */
export async function* writeZip(entries: AsyncIterable<EntryToWrite>): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = []
  let headers: Buffer[] = []
  let headerBytes = 0
  let count = 0
  let offset = 0
  for await (const entry of entries) {
    const written: WrittenEntry = {
      ...entry,
      offset,
      crc: 0,
      packedBytes: 0,
      expectedBytes: entry.sizeBytes,
      sizeBytes: 0,
    }
    for await (const bytes of entryBytes(entry.content, written)) {
      offset += bytes.length
      yield bytes
    }
    count++
    const header = centralHeader(written)
    headers.push(header)
    headerBytes += header.length
    if (headerBytes < DIRECTORY_PIECE_BYTES) continue
    pieces.push(Buffer.concat(headers))
    headers = []
    headerBytes = 0
  }
  pieces.push(Buffer.concat(headers))
  let sizeBytes = 0
  for (const piece of pieces) {
    yield piece
    sizeBytes += piece.length
    await yieldToEventLoop()
  }
  yield endOfDirectory({ count, offset, sizeBytes })
}

async function* entryBytes(content: Readable, written: WrittenEntry): AsyncGenerator<Buffer> {
  try {
    yield localHeader(written)
    const counted = countBytes(content, written)
    for await (const bytes of written.isCompressed ? deflate(counted) : counted) {
      written.packedBytes += bytes.length
      yield bytes
    }
    const { name, sizeBytes, expectedBytes = sizeBytes } = written
    if (sizeBytes !== expectedBytes) throw new Error(`${name} has ${sizeBytes} bytes instead of ${expectedBytes}`)
    yield dataDescriptor(written)
  } finally {
    // The reader may have left before the first byte of it was read.
    content.destroy()
  }
}

async function* countBytes(content: AsyncIterable<Buffer>, written: WrittenEntry): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    written.crc = crc32(bytes, written.crc)
    written.sizeBytes += bytes.length
    yield bytes
  }
}

function deflate(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const packing = createDeflateRaw()
  // A failure comes out of what reads the packed bytes.
  pipeline(Readable.from(bytes), packing, () => {})
  return packing
}
