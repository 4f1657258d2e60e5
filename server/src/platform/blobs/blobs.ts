import type { Readable } from 'node:stream'
import { DomainError, UnavailableError } from '../errors.ts'

/**
 * Bytes under a key, durable once stored: in a folder on disk, or on object storage. Where that is out of reach, every
 * operation fails with a BlobsUnavailableError.
 */
export interface Blobs {
  /**
   * Stores the stream whole or not at all.
   * @throws BlobTooLargeError once more than `maxBytes` came; what was written is gone then. Whatever the stream
   * throws.
   */
  put(key: string, content: BlobContent, options?: { maxBytes?: number }): Promise<StoredBlob>
  /** @param range a part of the bytes, both ends included. @throws BlobNotFoundError */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Calls back with a local file that holds the bytes; it may be gone afterwards. @throws BlobNotFoundError */
  withFile<R>(key: string, use: (path: string) => Promise<R>): Promise<R>
  /** Does nothing for a key that holds nothing. */
  remove(key: string): Promise<void>
  /** Every key, for finding what no row refers to. */
  keys(): AsyncIterable<string>
  /**
   * A URL under which anyone who has it may fetch the bytes for a minute; undefined where they come through this
   * server.
   * @param as what the answer says of them
   */
  link(key: string, as: { contentType: string; disposition: string }): Promise<string | undefined>
}

/** A stream of bytes, or the pieces as they come. */
export type BlobContent = Readable | AsyncIterable<Uint8Array>

const KEY = /^[a-z0-9-]{8,80}$/

export const isBlobKey = (key: string): boolean => KEY.test(key)

/** @throws BlobNotFoundError for what can be no key. */
export function checkBlobKey(key: string): string {
  if (!isBlobKey(key)) throw new BlobNotFoundError({ cause: new Error(`not a blob key: ${key.slice(0, 100)}`) })
  return key
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

/** Missing blob. Callers see it where a row refers to the blob. */
export class BlobNotFoundError extends DomainError {
  override name = 'BlobNotFoundError'
  readonly code = 'CONTENT_LOST'
  constructor(options?: ErrorOptions) {
    super(
      'The bytes of this file are lost: the storage of the server has them no more. Upload the file again, or have the operator restore it from a backup',
      options,
    )
  }
}

export class BlobTooLargeError extends Error {
  override name = 'BlobTooLargeError'
}

/** Object storage does not answer, or refuses. Its own error is the `cause`. */
export class BlobsUnavailableError extends UnavailableError {
  override name = 'BlobsUnavailableError'
  constructor(options?: ErrorOptions) {
    super('The server cannot reach its file storage at the moment', options)
  }
}

/** Object storage that cannot be used as it is set up; the message says what to change. */
export class BucketUnusableError extends Error {
  override name = 'BucketUnusableError'
}
