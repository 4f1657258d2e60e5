import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ParseError } from '../../content/read/parse.errors.ts'
import type { Chunk } from '../../content/read/parsed-document.ts'
import type { Parser } from '../../content/read/parser/parse-file.ts'
import { readChunks } from '../../content/read/stored-parse.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { createFairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import type { AttachedFile } from './attached-files.ts'

export interface StoredAttachment {
  id: string
  blobKey: string
  fileName: string
  mediaType: string
  sizeBytes: number
}

/** Larger pictures are read by text recognition only: vendors refuse them. */
const LARGEST_IMAGE_BYTES = 5 * 1024 * 1024
const SEEN = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export interface AttachmentReaderOptions {
  blobs: Blobs
  parser: Parser
  workDir: string
  /** Files parsed at once, besides those that are indexed: somebody waits for these. Organizations share them. */
  parsers: number
}

/**
 * Reads a file that was sent with a question, as indexing would.
 * @throws ParseError with what a person can do; a picture without text is no failure, it may be looked at.
 */
export function createAttachmentReader({ blobs, parser, workDir, parsers }: AttachmentReaderOptions) {
  const read = new Map<string, AttachedFile>()
  const limit = createFairSemaphore({ atOnce: parsers, mayExceed: true })

  /** The same file is asked about several times in a row. */
  return async (organizationId: string, stored: StoredAttachment, signal: AbortSignal): Promise<AttachedFile> => {
    const file = read.get(stored.blobKey) ?? (await readNow(organizationId, stored, signal))
    // Put back at the end: the first entry is the one that was used longest ago.
    read.delete(stored.blobKey)
    read.set(stored.blobKey, file)
    for (const [key] of read) {
      if (weightOf(read.values()) <= KEPT_WORDS) break
      read.delete(key)
    }
    return { ...file, id: stored.id, name: stored.fileName }
  }

  async function readNow(organizationId: string, stored: StoredAttachment, signal: AbortSignal): Promise<AttachedFile> {
    await mkdir(workDir, { recursive: true })
    const folder = await mkdtemp(join(workDir, 'attachment-'))
    try {
      return await blobs.withFile(stored.blobKey, async (path) => {
        const isTaken = SEEN.includes(stored.mediaType) && stored.sizeBytes <= LARGEST_IMAGE_BYTES
        const image = isTaken
          ? { mediaType: stored.mediaType, data: (await readFile(path)).toString('base64') }
          : undefined
        const outputPath = join(folder, 'parse')
        const isPicture = stored.mediaType.startsWith('image/') && stored.mediaType !== 'image/svg+xml'
        const file: AttachedFile = { id: stored.id, name: stored.fileName, chunks: [], words: 0, isPicture, image }
        try {
          const parse = () => parser.parse({ path, name: stored.fileName, outputPath, signal })
          const parsed = await limit(organizationId, parse, signal)
          return { ...file, words: parsed.words, chunks: await collect(parsed.stored()) }
        } catch (error) {
          if (image && error instanceof ParseError) return file
          throw error
        }
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Words of files that were read lately, kept for the next question; a picture weighs as much as its bytes. */
const KEPT_WORDS = 300_000

const weightOf = (files: Iterable<AttachedFile>): number =>
  [...files].reduce((sum, { words, image }) => sum + words + (image?.data.length ?? 0) / 8, 0)

async function collect(stored: AsyncIterable<Uint8Array>): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const batch of readChunks(stored)) chunks.push(...batch)
  return chunks
}
