import type { TermMatch } from '../analysis/analysis.ts'

/** Matches before one that it is paired with: farther ones add next to nothing. */
const PAIRED_MATCHES = 3
/** Share of a pair's weight that goes into the score when its terms are side by side. */
const WEIGHT = 0.5
/** Added to it for neighbours of the question that are in its order, with one word between them at most. */
const ORDER_WEIGHT = 0.3
const ORDER_REACH = 2

/**
 * Bonus of a passage that has the query's terms near each other: for every pair of different terms, the geometric mean
 * of their idf over the smallest distance between them, in words, and more for pairs in the question's order. BM25
 * alone does not see whether "black hole" is there or a hole here and something black far away.
 */
export function proximityBonus(matches: readonly TermMatch[], idf: readonly number[]): number {
  const nearest = new Map<number, number>()
  const inOrder = new Set<number>()
  for (let right = 1; right < matches.length; right++) {
    const { term, position } = matches[right] as TermMatch
    for (let left = Math.max(0, right - PAIRED_MATCHES); left < right; left++) {
      const other = matches[left] as TermMatch
      if (other.term === term) continue
      const pair = Math.min(term, other.term) * idf.length + Math.max(term, other.term)
      const closeness = 1 / Math.max(1, position - other.position)
      if (closeness > (nearest.get(pair) ?? 0)) nearest.set(pair, closeness)
      if (left === right - 1 && term === other.term + 1 && position - other.position <= ORDER_REACH) inOrder.add(pair)
    }
  }
  let bonus = 0
  for (const [pair, closeness] of nearest) {
    const first = idf[Math.floor(pair / idf.length)] as number
    const second = idf[pair % idf.length] as number
    bonus += Math.sqrt(first * second) * (WEIGHT * closeness + (inOrder.has(pair) ? ORDER_WEIGHT : 0))
  }
  return bonus
}
