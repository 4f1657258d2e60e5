import { PassThrough, pipeline, Readable } from 'node:stream'
import { BlobNotFoundError } from '../../platform/blobs/blobs.ts'
import { countSpent } from '../../platform/host/memory.ts'
import { type EntryToWrite, writeZip } from './zip-writer.ts'

export interface ZipEntry {
  name: string
  blobKey: string
  sizeBytes: number
  mediaType: string
  modifiedAt: string
}

/** Entry of a file in the drive, under a name. */
export const toZipEntry = (
  file: { blobKey: string; sizeBytes: number; mediaType: string; createdAt: string },
  name: string,
): ZipEntry => ({
  name,
  blobKey: file.blobKey,
  sizeBytes: file.sizeBytes,
  mediaType: file.mediaType,
  modifiedAt: file.createdAt,
})

/** A file of an archive that is written while the archive is read. */
export interface MadeZipEntry extends Omit<ZipEntry, 'blobKey' | 'sizeBytes'> {
  content(): Readable
}

/**
 * A ZIP archive that is made while it is read, one file open at a time. Files whose bytes are lost are left out and
 * named in `MISSING.txt`. A file that cannot be read whole destroys the stream, so that nobody takes half an archive for
 * a whole one.
 */
export function zipStream(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry | MadeZipEntry>,
  open: (blobKey: string) => Promise<Readable>,
): Readable {
  let source: Readable | undefined

  async function* opened(): AsyncGenerator<EntryToWrite> {
    const missing: string[] = []
    const namedLike: string[] = []
    for await (const entry of entries) {
      if (/^missing/i.test(entry.name)) namedLike.push(entry.name)
      source = 'content' in entry ? entry.content() : await open(entry.blobKey).catch(ignoreLostBlob)
      if (!source) missing.push(entry.name)
      // A failure comes out of what reads the content.
      else yield { ...toWrite(entry), content: pipeline(source, countSpent(), () => {}) }
    }
    if (missing.length === 0) return
    const content = Readable.from([listOf(missing)])
    yield { name: freeName(namedLike), modifiedAt: new Date(), isCompressed: true, content }
  }
  // A generator cannot be left while it waits, so a file that keeps the archive waiting is closed from here.
  const output = pipeline(Readable.from(writeZip(opened())), new PassThrough(), () => {})
  output.on('close', () => source?.destroy())
  return output
}

const toWrite = (entry: ZipEntry | MadeZipEntry) => ({
  name: entry.name,
  modifiedAt: new Date(entry.modifiedAt),
  isCompressed: isWorthPacking(entry.mediaType),
  ...('sizeBytes' in entry && { sizeBytes: entry.sizeBytes }),
})

function ignoreLostBlob(error: unknown): undefined {
  if (!(error instanceof BlobNotFoundError)) throw error
}

const listOf = (names: string[]): Buffer =>
  Buffer.from(
    `The bytes of these files are lost: the storage of the server has them no more.\nUpload them again, or have the operator restore them from a backup.\n\n${names.join('\n')}\n`,
  )

/** `MISSING.txt`, unless a file is called so. */
function freeName(names: string[]): string {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  let name = 'MISSING.txt'
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `MISSING (${number}).txt`
  return name
}

/** Text shrinks; documents, pictures and archives are packed already. */
const isWorthPacking = (mediaType: string): boolean => /^text\/|[/+](json|xml|yaml|jsonl|x-ndjson|rtf)$/.test(mediaType)
