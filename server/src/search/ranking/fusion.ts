/** Reciprocal rank fusion: late ranks differ little, and a score of one list needs no common scale with the other. */
const RANK_CONSTANT = 60
const DENSE_WEIGHT = 0.5

/**
 * Ranks keys by two lists that are each best first.
 * @returns score by key; a key in both lists earns from both
 */
export function fuseRanks(lexical: readonly string[], dense: readonly string[]): Map<string, number> {
  const scores = new Map<string, number>()
  const add = (keys: readonly string[], weight: number) => {
    keys.forEach((key, rank) => {
      scores.set(key, (scores.get(key) ?? 0) + weight / (RANK_CONSTANT + rank + 1))
    })
  }
  add(lexical, 1)
  add(dense, DENSE_WEIGHT)
  return scores
}
