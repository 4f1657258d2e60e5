import type { Readable } from 'node:stream'

/** Bytes under a key, durable once stored. Implemented by a folder on disk and, later, by object storage. */
export interface Blobs {
  /**
   * Stores the stream whole or not at all.
   * @throws BlobTooLargeError once more than `maxBytes` came; what was written is gone then.
   */
  put(key: string, content: Readable, options?: { maxBytes?: number }): Promise<StoredBlob>
  /** @param range a part of the bytes, both ends included. @throws BlobNotFoundError */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Calls back with a local file that holds the bytes; it may be gone afterwards. @throws BlobNotFoundError */
  withFile<R>(key: string, use: (path: string) => Promise<R>): Promise<R>
  /** Does nothing for a key that holds nothing. */
  remove(key: string): Promise<void>
  /** Every key, for finding what no row refers to. */
  keys(): AsyncIterable<string>
}

/** Offsets of the first and the last byte. */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredBlob {
  sizeBytes: number
  /** Hex. */
  sha256: string
}

export class BlobNotFoundError extends Error {
  override name = 'BlobNotFoundError'
}

export class BlobTooLargeError extends Error {
  override name = 'BlobTooLargeError'
}
