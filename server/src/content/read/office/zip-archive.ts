import type { Readable } from 'node:stream'
import { type Entry, fromBufferPromise } from 'yauzl'

/** No document has this many files in it. */
const MOST_ENTRIES = 20_000

export interface ZipArchive {
  /** Files by the archive's directory; none where there are more than any document has. */
  entries: readonly Entry[]
  /** Content of a file; undefined if it is missing, damaged, packed in an unknown way, or longer than the limit. */
  read(name: string, maxBytes: number): Promise<Buffer | undefined>
}

/**
 * Opens a ZIP archive by its directory, without unpacking anything.
 * @throws Error if the directory is missing (the archive is cut off), or misleads: names that lead out of the archive,
 *   sizes and places that cannot be
 */
export async function openZip(bytes: Buffer): Promise<ZipArchive> {
  const zip = await fromBufferPromise(bytes)
  const entries: Entry[] = []
  if (zip.entryCount <= MOST_ENTRIES) for await (const entry of zip.eachEntry()) entries.push(entry)
  return {
    entries,
    async read(name, maxBytes) {
      const entry = entries.find(({ fileName }) => fileName === name)
      if (!entry || entry.uncompressedSize > maxBytes || !entry.canDecodeFileData()) return undefined
      try {
        return await collect(await zip.openReadStreamPromise(entry))
      } catch {
        return undefined
      }
    },
  }
}

/** Fails as soon as there is more than the entry declared: yauzl counts. */
async function collect(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}
