/** First places of both lists that are compared, and their share of short lists, whose first places are few passages. */
const COMPARED = 10
const COMPARED_SHARE = 1 / 5
/** Weight of meaning where the lists have nothing in common, and what is added to it where they have all in common. */
const LEAST_WEIGHT = 0.1
const AGREED_WEIGHT = 0.5
/** Place whose similarity counts as none: nearly all that is farther away is near by chance. */
const FAR_PLACE = 50

interface Scored {
  id: string
  score: number
}

/**
 * Ranks passages by two lists that are each best first. A similarity counts by how much nearer than the usual passage it
 * is, in shares of the best score by words, so that scores stay comparable with those by words alone. How much meaning
 * weighs is decided for each question: a model that finds nothing of what the words find knows little about it.
 * @param dense scores are similarities, on any scale
 * @returns score by id; a passage in both lists earns from both
 */
export function fuseScores(lexical: readonly Scored[], dense: readonly Scored[]): Map<string, number> {
  const scores = new Map(lexical.map(({ id, score }) => [id, score]))
  const [nearest] = dense
  if (!nearest) return scores
  const best = lexical[0]?.score || 1
  const weight = lexical.length === 0 ? 1 : LEAST_WEIGHT + AGREED_WEIGHT * agreement(lexical, dense)
  const far = (dense[FAR_PLACE - 1] ?? (dense.at(-1) as Scored)).score
  const range = nearest.score - far || 1
  for (const { id, score } of dense) {
    scores.set(id, (scores.get(id) ?? 0) + (weight * best * (score - far)) / range)
  }
  return scores
}

/** Share of the best by words that are among the nearest, too. */
function agreement(lexical: readonly Scored[], dense: readonly Scored[]): number {
  const compared = Math.min(COMPARED, Math.ceil(dense.length * COMPARED_SHARE))
  const near = new Set(dense.slice(0, compared).map(({ id }) => id))
  const best = lexical.slice(0, compared)
  return best.filter(({ id }) => near.has(id)).length / best.length
}
