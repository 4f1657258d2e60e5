import { onFirstUse } from '../../platform/concurrency/lazy.ts'
import { COMMON_WORDS } from './common-words.ts'

/** Words that an English question has, and hardly one of another language. */
const ENGLISH = /\b(?:the|what|which|who|when|where|why|how|does|did|are|were|with|and|for)\b/
/** The most frequent words are all as common as the last of them. */
const COMMONEST = 50
/** Rarity of words of which nothing is known. */
const UNKNOWN = 0.6

/** Places of the terms in the list, from 1. */
const rankByTerm = onFirstUse(
  (): ReadonlyMap<string, number> =>
    new Map(
      COMMON_WORDS.trim()
        .split(/\s+/)
        .map((term, place) => [term, place + 1]),
    ),
)

/**
 * Rarity in English of the terms of a question, whatever the documents are: 0 for the 50 commonest words to 1 for
 * those that are not among the 3,000 commonest. A folder of a few documents cannot tell, as most words stand in one of
 * them. Numbers, and words of other languages, are neither rare nor common.
 */
export function raritiesOf(question: string, asked: readonly string[]): number[] {
  const ranks = rankByTerm()
  const known = asked.filter((term) => ranks.has(term))
  if (!ENGLISH.test(question.toLowerCase()) && 2 * known.length <= asked.length) return asked.map(() => UNKNOWN)
  const rarityOf = (term: string) => {
    const rank = Math.max(COMMONEST, ranks.get(term) ?? ranks.size)
    return Math.log(rank / COMMONEST) / Math.log(ranks.size / COMMONEST)
  }
  return asked.map((term) => (/^\d+$/.test(term) ? UNKNOWN : rarityOf(term)))
}
