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
  type S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { noteSpentBytes } from '../host/memory.ts'
import { BlobNotFoundError, type Blobs, BlobsUnavailableError, BlobTooLargeError, checkBlobKey } from './blobs.ts'
import { createS3Client } from './s3-client.ts'
import type { S3Settings } from './s3-settings.ts'
import { listUnfinishedUploads } from './s3-unfinished.ts'
import { untilSilent } from './until-silent.ts'

/** The smallest that S3 takes: an upload holds three of them in memory, and 10,000 are the most it may have (48 GiB). */
const PART_BYTES = 5 * 1024 ** 2
const PARTS_AT_ONCE = 2
/** A store that sends nothing for so long, while somebody waits for it, has gone. */
const SILENCE_MS = 30_000
const LINK_SECONDS = 60

export interface S3Blobs extends Blobs {
  /** Ends uploads that were begun before this and never finished. @returns how many; none where the store cannot tell. */
  removeUnfinished(before: Date): Promise<number>
  close(): void
}

/**
 * Blobs in a bucket. An object is there as a whole or not at all, so nothing is written beside and renamed; what comes is
 * sent on in parts, and what fails is aborted.
 * @param workDir where files are put for those who need one on disk
 */
export function createS3Blobs(settings: S3Settings, workDir: string): S3Blobs {
  const client = createS3Client(settings)
  const prefix = `${settings.prefix}blobs/`
  const at = (key: string) => ({ Bucket: settings.bucket, Key: prefix + checkBlobKey(key) })
  const hasPublicEndpoint = settings.presignedDownloads && settings.publicEndpoint !== undefined
  const publicClient = hasPublicEndpoint ? createS3Client({ ...settings, endpoint: settings.publicEndpoint }) : client

  async function open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`
    const { Body } = await client.send(new GetObjectCommand({ ...at(key), Range })).catch(explain)
    return Readable.from(untilSilent(Body as Readable, SILENCE_MS), { objectMode: false })
  }

  return {
    open,

    async put(key, content, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
      const hash = createHash('sha256')
      let sizeBytes = 0
      let broken: { by: unknown } | undefined
      async function* measured() {
        try {
          for await (const piece of content as AsyncIterable<Uint8Array>) {
            sizeBytes += piece.length
            if (sizeBytes > maxBytes) throw new BlobTooLargeError(`more than ${maxBytes} bytes`)
            hash.update(piece)
            noteSpentBytes(piece.length)
            yield piece
          }
        } catch (error) {
          broken = { by: error }
          throw error
        }
      }
      const Body = Readable.from(measured(), { objectMode: false })
      try {
        const upload = { client, params: { ...at(key), Body }, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }
        await new Upload(upload).done()
      } catch (error) {
        if (broken) throw broken.by
        throw error instanceof BlobNotFoundError ? error : new BlobsUnavailableError({ cause: error })
      } finally {
        Body.destroy()
      }
      return { sizeBytes, sha256: hash.digest('hex') }
    },

    async withFile(key, use) {
      const content = await open(key)
      await mkdir(workDir, { recursive: true })
      const folder = await mkdtemp(join(workDir, 'blob-'))
      try {
        const path = join(folder, key)
        await pipeline(content, createWriteStream(path, { mode: 0o600 }))
        return await use(path)
      } finally {
        content.destroy()
        await rm(folder, { recursive: true, force: true })
      }
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key))).catch(explain)
    },

    async *keys() {
      const pages = paginateListObjectsV2({ client }, { Bucket: settings.bucket, Prefix: prefix })
      try {
        for await (const { Contents = [] } of pages) for (const { Key = '' } of Contents) yield Key.slice(prefix.length)
      } catch (error) {
        explain(error)
      }
    },

    async link(key, { contentType, disposition }) {
      if (!settings.presignedDownloads) return undefined
      const command = new GetObjectCommand({
        ...at(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: 'private, no-store',
      })
      return getSignedUrl(publicClient, command, { expiresIn: LINK_SECONDS }).catch(explain)
    },

    async removeUnfinished(before) {
      let count = 0
      for await (const { Key, UploadId } of listUnfinishedUploads(client, settings.bucket, prefix, before)) {
        await client.send(new AbortMultipartUploadCommand({ Bucket: settings.bucket, Key, UploadId })).catch(ignoreGone)
        count++
      }
      return count
    },

    close() {
      client.destroy()
      if (publicClient !== client) publicClient.destroy()
    },
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
