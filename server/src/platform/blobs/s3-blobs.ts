import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { noteSpentBytes } from '../host/memory.ts'
import {
  type BlobContent,
  BlobNotFoundError,
  type Blobs,
  BlobsUnavailableError,
  BlobTooLargeError,
  checkBlobKey,
  type StoredBlob,
} from './blobs.ts'
import { createS3Client } from './s3-client.ts'
import type { S3Settings } from './s3-settings.ts'
import { listUnfinishedUploads } from './s3-unfinished.ts'
import { untilSilent } from './until-silent.ts'

/**
 * The smallest that S3 takes: an upload holds three of them in memory, and 10,000 are the most it may have (48 GiB).
 */
const PART_BYTES = 5 * 1024 ** 2
const PARTS_AT_ONCE = 2
/** A store that sends nothing for this long, while somebody waits for it, has gone. */
const SILENCE_MS = 30_000
const LINK_SECONDS = 60

export interface S3Blobs extends Blobs {
  /**
   * Ends uploads that were begun before this and never finished.
   * @returns how many; none where the store cannot tell.
   */
  removeUnfinished(before: Date): Promise<number>
  close(): void
}

/** @param workDir where files are put for those who need one on disk */
export const createS3Blobs = (settings: S3Settings, workDir: string): S3Blobs => new BucketBlobs(settings, workDir)

/**
 * Blobs in a bucket. An object is there as a whole or not at all, so nothing is written beside and renamed; what comes
 * is sent on in parts, and what fails is aborted.
 */
class BucketBlobs implements S3Blobs {
  readonly #settings: S3Settings
  readonly #workDir: string
  readonly #prefix: string
  readonly #client: S3Client
  readonly #publicClient: S3Client

  constructor(settings: S3Settings, workDir: string) {
    this.#settings = settings
    this.#workDir = workDir
    this.#prefix = `${settings.prefix}blobs/`
    this.#client = createS3Client(settings)
    const hasPublicEndpoint = settings.presignedDownloads && settings.publicEndpoint !== undefined
    this.#publicClient = hasPublicEndpoint
      ? createS3Client({ ...settings, endpoint: settings.publicEndpoint })
      : this.#client
  }

  async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`
    const { Body } = await this.#client.send(new GetObjectCommand({ ...this.#at(key), Range })).catch(explain)
    return Readable.from(untilSilent(Body as Readable, SILENCE_MS), { objectMode: false })
  }

  async put(
    key: string,
    content: BlobContent,
    { maxBytes = Number.POSITIVE_INFINITY }: { maxBytes?: number } = {},
  ): Promise<StoredBlob> {
    const at = this.#at(key)
    const measured = new MeasuredContent(content, maxBytes)
    const Body = Readable.from(measured.pieces(), { objectMode: false })
    const params = { ...at, Body }
    try {
      await new Upload({ client: this.#client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }).done()
    } catch (error) {
      if (measured.broken) throw measured.broken.by
      throw error instanceof BlobNotFoundError ? error : new BlobsUnavailableError({ cause: error })
    } finally {
      Body.destroy()
    }
    return measured.result()
  }

  async withFile<R>(key: string, use: (path: string) => Promise<R>): Promise<R> {
    const content = await this.open(key)
    await mkdir(this.#workDir, { recursive: true })
    const folder = await mkdtemp(join(this.#workDir, 'blob-'))
    try {
      const path = join(folder, key)
      await pipeline(content, createWriteStream(path, { mode: 0o600 }))
      return await use(path)
    } finally {
      content.destroy()
      await rm(folder, { recursive: true, force: true })
    }
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#at(key))).catch(explain)
  }

  async *keys(): AsyncGenerator<string> {
    const wanted = { Bucket: this.#settings.bucket, Prefix: this.#prefix }
    try {
      for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#client }, wanted))
        for (const { Key = '' } of Contents) yield Key.slice(this.#prefix.length)
    } catch (error) {
      explain(error)
    }
  }

  async link(
    key: string,
    { contentType, disposition }: { contentType: string; disposition: string },
  ): Promise<string | undefined> {
    if (!this.#settings.presignedDownloads) return undefined
    const command = new GetObjectCommand({
      ...this.#at(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: 'private, no-store',
    })
    return getSignedUrl(this.#publicClient, command, { expiresIn: LINK_SECONDS }).catch(explain)
  }

  async removeUnfinished(before: Date): Promise<number> {
    const { bucket: Bucket } = this.#settings
    let count = 0
    for await (const { Key, UploadId } of listUnfinishedUploads(this.#client, Bucket, this.#prefix, before)) {
      await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(ignoreGone)
      count++
    }
    return count
  }

  close(): void {
    this.#client.destroy()
    if (this.#publicClient !== this.#client) this.#publicClient.destroy()
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#settings.bucket, Key: this.#prefix + checkBlobKey(key) }
  }
}

/** Bytes on their way to the bucket: counted and hashed as they pass. */
class MeasuredContent {
  /** Failure of the content itself, which the client reports as one of its own. */
  broken: { by: unknown } | undefined
  readonly #content: BlobContent
  readonly #maxBytes: number
  readonly #hash = createHash('sha256')
  #sizeBytes = 0

  constructor(content: BlobContent, maxBytes: number) {
    this.#content = content
    this.#maxBytes = maxBytes
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of this.#content as AsyncIterable<Uint8Array>) {
        this.#sizeBytes += piece.length
        if (this.#sizeBytes > this.#maxBytes) throw new BlobTooLargeError(`more than ${this.#maxBytes} bytes`)
        this.#hash.update(piece)
        noteSpentBytes(piece.length)
        yield piece
      }
    } catch (error) {
      this.broken = { by: error }
      throw error
    }
  }

  result(): StoredBlob {
    return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest('hex') }
  }
}

/** @throws BlobNotFoundError or BlobsUnavailableError, always */
function explain(error: unknown): never {
  if (error instanceof BlobNotFoundError) throw error
  const { name } = error as S3ServiceException
  throw name === 'NoSuchKey' ? new BlobNotFoundError({ cause: error }) : new BlobsUnavailableError({ cause: error })
}

/** It ended by itself, or another process was quicker. */
function ignoreGone(error: unknown): void {
  if ((error as S3ServiceException).name !== 'NoSuchUpload') explain(error)
}
