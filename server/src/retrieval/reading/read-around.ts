import type { SearchEngine, StoredPassage } from '../../search/engine.ts'

/** Most words around a hit that a model gets: on SQuAD they hold 96 % of the answers. */
const MOST_WORDS = 1000
/** Passages hold up to 150 words, so more on one side than this could not fit. */
const REACH = 6

/**
 * The text of each hit with its neighbours in the document, as many whole passages before and after it as make
 * 1,000 words. A passage goes to one hit alone, the first that reaches it: hits that are close together would give a
 * model the same text again and again.
 *
 * @param hits best first
 * @returns one text a hit, in their order
 */
export async function readAround(
  engine: SearchEngine,
  space: string,
  hits: { documentId: string; ordinal: number; text: string }[],
): Promise<string[]> {
  if (hits.length === 0) return []
  const ranges = hits.map(({ documentId, ordinal }) => ({
    documentId,
    from: Math.max(0, ordinal - REACH),
    to: ordinal + REACH,
  }))
  const passages = await engine.passages(space, ranges)
  const free = new Map(passages.map((passage) => [positionOf(passage), passage]))
  for (const hit of hits) free.delete(positionOf(hit))
  return hits.map((hit) => grow(hit, free))
}

interface Position {
  documentId: string
  ordinal: number
}

const positionOf = ({ documentId, ordinal }: Position) => `${documentId}:${ordinal}`

/** Takes free neighbours in turn, the following one first, until the next would be too many words. */
function grow(hit: Position & { text: string }, free: Map<string, StoredPassage>): string {
  const texts = [hit.text]
  let words = countWords(hit.text)
  let before = hit.ordinal - 1
  let after = hit.ordinal + 1
  const take = (ordinal: number): string | undefined => {
    const position = positionOf({ documentId: hit.documentId, ordinal })
    const text = free.get(position)?.text
    if (text === undefined || words + countWords(text) > MOST_WORDS) return undefined
    free.delete(position)
    words += countWords(text)
    return text
  }

  for (;;) {
    const following = take(after)
    if (following !== undefined) {
      texts.push(following)
      after++
    }
    const preceding = take(before)
    if (preceding !== undefined) {
      texts.unshift(preceding)
      before--
    }
    if (following === undefined && preceding === undefined) return texts.join('\n')
  }
}

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length
