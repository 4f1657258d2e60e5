/** How good rankings are, each figure a mean over the questions, 0 to 1. */
export interface RankingScores {
  /** Share of questions with a relevant passage among the first 1 or 5. */
  success1: number
  success5: number
  /** Share of a question's relevant passages among the first 1, 5 or 20. */
  recall1: number
  recall5: number
  recall20: number
  /** Grades, discounted by the logarithm of the rank, against the best order there is. */
  ndcg10: number
}

export interface Ranking {
  /** Passage ids, best first. */
  ranked: string[]
  relevant: Map<string, number>
}

export function scoreRankings(rankings: Ranking[]): RankingScores {
  const mean = (score: (ranking: Ranking) => number) =>
    rankings.reduce((sum, ranking) => sum + score(ranking), 0) / rankings.length
  return {
    success1: mean((ranking) => Math.min(1, found(ranking, 1))),
    success5: mean((ranking) => Math.min(1, found(ranking, 5))),
    recall1: mean((ranking) => found(ranking, 1) / ranking.relevant.size),
    recall5: mean((ranking) => found(ranking, 5) / ranking.relevant.size),
    recall20: mean((ranking) => found(ranking, 20) / ranking.relevant.size),
    ndcg10: mean(ndcg10),
  }
}

function found({ ranked, relevant }: Ranking, depth: number): number {
  return ranked.slice(0, depth).filter((id) => relevant.has(id)).length
}

function ndcg10({ ranked, relevant }: Ranking): number {
  const ideal = gain([...relevant.values()].sort((a, b) => b - a))
  return ideal === 0 ? 0 : gain(ranked.map((id) => relevant.get(id) ?? 0)) / ideal
}

function gain(grades: number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, rank) => sum + grade / Math.log2(rank + 2), 0)
}
