import { readChunks, StoredParseError } from '../../content/read/stored-parse.ts'
import type { DataSource } from '../../drive/drive.ts'
import { BlobNotFoundError, type Blobs } from '../../platform/blobs/blobs.ts'
import type { EmbeddingModel } from '../../platform/models/model.ts'
import type { SearchEngine } from '../../search/engine.ts'
import { type FileChunk, textToEmbed, toPassage } from '../indexing/to-passages.ts'

/** Texts of one request: a provider is asked once at a time. */
const TEXTS_PER_REQUEST = 64
/** Passages that are added together: each commit of the search engine makes a file, and takes its time. */
const PASSAGES_PER_ADD = 1_000

export interface CopyTarget {
  space: string
  embedding: EmbeddingModel | undefined
  signal: AbortSignal
}

export interface Copied {
  passages: number
  /** Files whose stored parse is lost or damaged. */
  skipped: DataSource[]
}

/** Writes files into a space as they are now, from their stored parses. */
export async function copyFiles(
  { engine, blobs }: { engine: SearchEngine; blobs: Blobs },
  files: readonly DataSource[],
  { space, embedding, signal }: CopyTarget,
): Promise<Copied> {
  const copied: Copied = { passages: 0, skipped: [] }
  let waiting: FileChunk[] = []

  async function write(): Promise<void> {
    const vectors: Float32Array[] = []
    for (let at = 0; embedding && at < waiting.length; at += TEXTS_PER_REQUEST) {
      const texts = waiting.slice(at, at + TEXTS_PER_REQUEST).map(textToEmbed)
      vectors.push(...(await embedding.embed(texts, { purpose: 'document', signal })))
    }
    signal.throwIfAborted()
    await engine.add(
      space,
      waiting.map((piece, i) => toPassage(piece, vectors[i])),
    )
    copied.passages += waiting.length
    waiting = []
  }

  async function read(file: DataSource): Promise<void> {
    for await (const chunks of readChunks(await blobs.open(file.parsedBlobKey ?? ''))) {
      signal.throwIfAborted()
      waiting.push(...chunks.map((chunk) => ({ file, chunk })))
      if (waiting.length >= PASSAGES_PER_ADD) await write()
    }
  }

  for (const file of files) {
    try {
      await read(file)
    } catch (error) {
      if (!(error instanceof BlobNotFoundError || error instanceof StoredParseError)) throw error
      copied.skipped.push(file)
      waiting = waiting.filter((piece) => piece.file !== file)
    }
  }
  await write()
  return copied
}
