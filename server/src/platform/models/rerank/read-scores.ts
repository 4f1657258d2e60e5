/** Scores in the order of the texts, or our words for what is wrong with them. */
export function readScores(results: unknown, field: 'score' | 'relevance_score', texts: number): number[] | string {
  if (!Array.isArray(results)) return 'no list of scores'
  if (results.length !== texts) return 'another number of scores than texts'
  const scores = new Array<number>(texts).fill(Number.NaN)
  for (const result of results as (Record<string, unknown> | null)[]) {
    const index = result?.index as number
    const score = result?.[field]
    if (typeof score !== 'number' || !Number.isFinite(score)) return 'something that is no score'
    if (!Number.isInteger(index) || index < 0 || index >= texts) return 'a score of a text that was not sent'
    if (!Number.isNaN(scores[index])) return 'two scores of one text'
    scores[index] = score
  }
  return scores
}
