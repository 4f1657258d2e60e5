import { pipeline, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { BlobNotFoundError } from '../../platform/blobs/blobs.ts'
import { countSpent } from '../../platform/host/memory.ts'

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
  const archive = new ZipFile()
  const output = archive.outputStream as Readable
  let source: Readable | undefined
  archive.on('error', (error: Error) => output.destroy(error))
  // The reader left, or a file failed: what is open must not stay so.
  output.on('close', () => source?.destroy())

  async function fill(): Promise<void> {
    const missing: string[] = []
    const namedLike: string[] = []
    for await (const entry of entries) {
      if (/^missing/i.test(entry.name)) namedLike.push(entry.name)
      const opened = 'content' in entry ? entry.content() : await open(entry.blobKey).catch(ignoreLostBlob)
      if (output.destroyed) {
        opened?.destroy()
        return
      }
      if (!opened) {
        missing.push(entry.name)
        continue
      }
      source = pipeline(opened, countSpent(), (error) => error && output.destroy(error))
      archive.addReadStream(source, entry.name, optionsOf(entry))
      await finished(source)
    }
    if (missing.length > 0) archive.addBuffer(listOf(missing), freeName(namedLike), { mode: 0o100644 })
    archive.end()
  }

  fill().catch((error) => output.destroy(error))
  return output
}

const optionsOf = ({ mediaType, modifiedAt, ...entry }: ZipEntry | MadeZipEntry) => ({
  ...('sizeBytes' in entry && { size: entry.sizeBytes }),
  mtime: new Date(modifiedAt),
  mode: 0o100644,
  compress: isWorthPacking(mediaType),
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
