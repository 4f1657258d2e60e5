import { createHash } from 'node:crypto'
import type { Chunk } from '../../content/read/parsed-document.ts'
import type { PassageEdit } from './passage-edits.store.ts'

/** Beginning of a file, as the place of an anchor. */
export const BEGINNING = -1

type Edit = Pick<PassageEdit, 'id' | 'kind' | 'anchorHash' | 'anchorOrdinal' | 'position' | 'text'>

/** Hash of a passage's text, by which a change by hand finds it again. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/**
 * Finds the passages that changes by hand belong to.
 * @param batches passages as they were read @returns places by the ids of changes; those without one are orphaned
 */
export async function matchEdits(
  batches: AsyncIterable<Chunk[]>,
  edits: readonly Edit[],
): Promise<Map<string, number>> {
  const wanted = new Set(edits.map(({ anchorHash }) => anchorHash))
  const places = new Map<string, number[]>()
  for await (const batch of batches)
    for (const { ordinal, text } of batch) {
      const hash = hashOf(text)
      if (wanted.has(hash)) places.set(hash, [...(places.get(hash) ?? []), ordinal])
    }
  return matchPlaces(places, edits)
}

/**
 * Gives changes by hand their places. Among passages of one text the nearest to where it was is taken; one that is
 * edited or switched off is taken once.
 * @param places of the passages as they were read, by the hashes of their texts @param edits the oldest first
 * @returns places by the ids of changes
 */
export function matchPlaces(
  places: ReadonlyMap<string, readonly number[]>,
  edits: readonly Edit[],
): Map<string, number> {
  const taken = new Set<number>()
  const matched = new Map<string, number>()
  for (const { id, kind, anchorHash, anchorOrdinal } of edits) {
    if (anchorOrdinal === BEGINNING) {
      matched.set(id, BEGINNING)
      continue
    }
    const free = (places.get(anchorHash) ?? []).filter((ordinal) => kind === 'added' || !taken.has(ordinal))
    const nearest = nearestTo(anchorOrdinal, free)
    if (nearest === undefined) continue
    matched.set(id, nearest)
    if (kind !== 'added') taken.add(nearest)
  }
  return matched
}

const nearestTo = (wanted: number, places: readonly number[]): number | undefined =>
  places.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0]

/** Passages that were added, in their order at each place. @param edits the oldest first */
export const inOrder = <E extends Pick<Edit, 'kind' | 'position'>>(edits: readonly E[]): E[] =>
  edits.filter(({ kind }) => kind === 'added').sort((a, b) => a.position - b.position)

/** Passages of a file with the changes by hand, in order and without gaps. */
export async function* composePassages(
  batches: AsyncIterable<Chunk[]>,
  edits: readonly Edit[],
  matched: ReadonlyMap<string, number>,
): AsyncGenerator<Chunk> {
  const there = edits.filter(({ id }) => matched.has(id))
  const replaced = new Map(there.filter(({ kind }) => kind !== 'added').map((edit) => [matched.get(edit.id)!, edit]))
  const added = Map.groupBy(inOrder(there), ({ id }) => matched.get(id)!)
  let ordinal = 0
  const byHand = ({ id, kind, text }: Edit, location: Chunk['location']): Chunk => ({
    ordinal: ordinal++,
    text: text ?? '',
    location: { ...location, by_hand: kind === 'added' ? 'added' : 'edited', edit_id: id },
  })
  for (const edit of added.get(BEGINNING) ?? []) yield byHand(edit, {})
  for await (const batch of batches)
    for (const chunk of batch) {
      const edit = replaced.get(chunk.ordinal)
      if (edit?.kind === 'edited') yield byHand(edit, chunk.location)
      else if (!edit) yield { ...chunk, ordinal: ordinal++ }
      for (const one of added.get(chunk.ordinal) ?? []) yield byHand(one, chunk.location)
    }
}
