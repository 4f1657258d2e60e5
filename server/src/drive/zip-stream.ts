import { pipeline, type Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { countSpent } from '../platform/memory.ts'

export interface ZipEntry {
  name: string
  blobKey: string
  sizeBytes: number
  mediaType: string
  modifiedAt: string
}

/**
 * A ZIP archive that is made while it is read, one file open at a time. A file that cannot be read whole destroys the
 * stream, so that nobody takes half an archive for a whole one.
 */
export function zipStream(entries: ZipEntry[], open: (blobKey: string) => Promise<Readable>): Readable {
  const archive = new ZipFile()
  const output = archive.outputStream as Readable
  let source: Readable | undefined
  archive.on('error', (error: Error) => output.destroy(error))
  // The reader left, or a file failed: what is open must not stay so.
  output.on('close', () => source?.destroy())

  for (const { name, blobKey, sizeBytes, mediaType, modifiedAt } of entries) {
    const options = {
      size: sizeBytes,
      mtime: new Date(modifiedAt),
      mode: 0o100644,
      compress: isWorthPacking(mediaType),
    }
    archive.addReadStreamLazy(name, options, (pump) => {
      open(blobKey).then(
        (opened) => {
          if (output.destroyed) return void opened.destroy()
          source = pipeline(opened, countSpent(), (error) => error && output.destroy(error))
          pump(null, source)
        },
        (error) => output.destroy(error),
      )
    })
  }
  archive.end()
  return output
}

/** Text shrinks; documents, pictures and archives are packed already. */
const isWorthPacking = (mediaType: string): boolean => /^text\/|[/+](json|xml|yaml|jsonl|x-ndjson|rtf)$/.test(mediaType)
