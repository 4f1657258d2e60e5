/** Shorter texts mean what the name of their file says: "It opens at eight." */
const FEWEST_WORDS = 20

interface Passage {
  text: string
  headings: readonly string[]
}

/**
 * The first `limit` of these without copies: passages that say word for word, below the same headings, what one before
 * them says. Case, punctuation and white space do not count; texts under 20 words are never copies.
 *
 * @param toPassage text of an item, and the headings above it in its document
 */
export function foldCopies<T>(items: readonly T[], limit: number, toPassage: (item: T) => Passage): T[] {
  const seen = new Set<string>()
  const kept: T[] = []
  for (const item of items) {
    if (kept.length === limit) break
    const { text, headings } = toPassage(item)
    const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    if (words.length >= FEWEST_WORDS) {
      const key = JSON.stringify([headings, words.join(' ')])
      if (seen.has(key)) continue
      seen.add(key)
    }
    kept.push(item)
  }
  return kept
}
