import type { SearchEngine, StoredPassage } from '../../search/engine.ts'

/** Most words around a hit that a model gets: on SQuAD they hold 96 % of the answers. */
const MOST_WORDS = 1000
/** Passages hold up to 150 words, so more on one side than this could not fit. */
const REACH = 6

/**
 * The text of each hit with its neighbours in the document, as many whole passages before and after it as make
 * 1,000 words.
 * @returns one text a hit, in their order.
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
  const byPosition = new Map(passages.map((passage) => [`${passage.documentId}:${passage.ordinal}`, passage]))
  return hits.map((hit) => {
    const at = (ordinal: number) => byPosition.get(`${hit.documentId}:${ordinal}`)
    return grow(hit, at)
  })
}

/** Takes neighbours in turn, the following one first, until the next would be too many words. */
function grow(hit: { ordinal: number; text: string }, at: (ordinal: number) => StoredPassage | undefined): string {
  const texts = [hit.text]
  let words = countWords(hit.text)
  let before = hit.ordinal - 1
  let after = hit.ordinal + 1
  const fits = (passage: StoredPassage | undefined): passage is StoredPassage =>
    passage !== undefined && words + countWords(passage.text) <= MOST_WORDS

  for (;;) {
    const following = at(after)
    const canFollow = fits(following)
    if (canFollow) {
      texts.push(following.text)
      words += countWords(following.text)
      after++
    }
    const preceding = at(before)
    const canPrecede = fits(preceding)
    if (canPrecede) {
      texts.unshift(preceding.text)
      words += countWords(preceding.text)
      before--
    }
    if (!canFollow && !canPrecede) return texts.join('\n')
  }
}

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length
