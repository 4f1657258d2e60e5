import type { Chunk } from '../../content/read/parsed-document.ts'
import { readChunks } from '../../content/read/stored-parse.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { hashOf } from './compose-passages.ts'
import type { PassageEdit } from './passage-edits.store.ts'

/** Passage that a change belongs to, as it was read. */
export type Anchor = Pick<PassageEdit, 'anchorHash' | 'anchorOrdinal' | 'anchorText'>

/** Passage of a stored parse at a place. */
export const passageAt = (blobs: Blobs, blobKey: string, ordinal: number): Promise<Chunk | undefined> =>
  blobs.withFile(blobKey, async (path) => {
    for await (const batch of readChunks(path)) {
      const found = batch.find((chunk) => chunk.ordinal === ordinal)
      if (found) return found
    }
    return undefined
  })

/** Place of a passage that nobody changed among those that were read: the nearest of its text. */
export async function anchorOf(
  blobs: Blobs,
  { readParseBlobKey }: { readParseBlobKey: string | null },
  { text, ordinal }: Chunk,
): Promise<Anchor> {
  const anchor = { anchorHash: hashOf(text), anchorOrdinal: ordinal, anchorText: text }
  if (!readParseBlobKey) return anchor
  const places = await blobs.withFile(readParseBlobKey, async (path) => {
    const same: number[] = []
    for await (const batch of readChunks(path)) for (const one of batch) if (one.text === text) same.push(one.ordinal)
    return same
  })
  const nearest = places.sort((a, b) => Math.abs(a - ordinal) - Math.abs(b - ordinal))[0]
  return { ...anchor, anchorOrdinal: nearest ?? ordinal }
}
