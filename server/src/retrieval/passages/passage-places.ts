import type { Chunk } from '../../content/read/parsed-document.ts'
import { readChunks } from '../../content/read/stored-parse.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { hashOf, matchPlaces } from './compose-passages.ts'
import type { PassageEdit } from './passage-edits.store.ts'

/** Passage that a change belongs to, as it was read. */
export type Anchor = Pick<PassageEdit, 'anchorHash' | 'anchorOrdinal' | 'anchorText'>

/** Passage that searches find now, with what tells it from others of its text. */
export interface Spot {
  chunk: Chunk
  /** Number of passages before it that have its text and are not by hand. */
  before: number
  /** Places of its text among the passages as they were read. */
  places: number[]
  /** Ids of the changes by hand whose passages can be seen. */
  shown: ReadonlySet<string>
}

/** Finds the passage at a place, counted as the file is searched now. */
export async function findSpot(
  blobs: Blobs,
  { parsedBlobKey, readParseBlobKey }: { parsedBlobKey: string; readParseBlobKey: string | null },
  ordinal: number,
): Promise<Spot | undefined> {
  const found = await blobs.withFile(parsedBlobKey, async (path) => {
    const chunk = await chunkAt(path, ordinal)
    if (!chunk) return undefined
    const shown = new Set<string>()
    const places: number[] = []
    for await (const batch of readChunks(path))
      for (const { text, ordinal: place, location } of batch)
        if (location.edit_id) shown.add(location.edit_id)
        else if (text === chunk.text) places.push(place)
    return { chunk, shown, places, before: places.filter((place) => place < ordinal).length }
  })
  if (!found || !readParseBlobKey) return found
  const { text } = found.chunk
  const places = await blobs.withFile(readParseBlobKey, async (path) => {
    const same: number[] = []
    for await (const batch of readChunks(path)) for (const one of batch) if (one.text === text) same.push(one.ordinal)
    return same
  })
  return { ...found, places }
}

async function chunkAt(path: string, ordinal: number): Promise<Chunk | undefined> {
  for await (const batch of readChunks(path)) {
    const found = batch.find((chunk) => chunk.ordinal === ordinal)
    if (found) return found
  }
  return undefined
}

/** Passage, as it was read, of one that nobody changed. @param edits all changes of the file */
export function anchorOf({ chunk, before, places, shown }: Spot, edits: readonly PassageEdit[]): Anchor {
  const applied = edits.filter(({ id, kind, state }) => shown.has(id) || (kind === 'off' && state === 'applied'))
  const anchorHash = hashOf(chunk.text)
  const taken = new Set(
    applied.flatMap((edit) => (edit.kind !== 'added' && edit.anchorHash === anchorHash ? edit.anchorOrdinal : [])),
  )
  const free = places.filter((place) => !taken.has(place))
  return { anchorHash, anchorText: chunk.text, anchorOrdinal: free[before] ?? chunk.ordinal }
}

/** Change of a passage that searches do not find yet: it takes the passage as soon as the file is indexed. */
export function findWaiting(
  { places }: Spot,
  { anchorHash, anchorOrdinal }: Anchor,
  edits: readonly PassageEdit[],
): PassageEdit | undefined {
  const changing = edits.filter(({ kind }) => kind !== 'added')
  const matched = matchPlaces(new Map([[anchorHash, places]]), changing)
  return changing.find(({ id }) => matched.get(id) === anchorOrdinal)
}
