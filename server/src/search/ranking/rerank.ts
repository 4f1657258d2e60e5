import { TermFinder } from '../analysis/analysis.ts'
import type { QueryTerm } from '../engine.ts'
import type { TermStatistics } from '../recent/term-weights.ts'
import { idfOf } from './bm25.ts'
import { proximityBonus } from './proximity.ts'

export interface Reranked<C> {
  /** Best first. */
  candidates: { candidate: C; score: number }[]
  terms: QueryTerm[]
}

/** Weighs the query's terms and orders candidates by BM25 with a bonus for terms that stand close together. */
export function rerank<C extends { body: string; bm25: number }>(
  candidates: readonly C[],
  terms: readonly string[],
  { passages, documentFrequencies }: Omit<TermStatistics, 'averageLength'>,
): Reranked<C> {
  const finder = new TermFinder(terms)
  const found = candidates.map((candidate) => ({ candidate, matches: finder.find(candidate.body) }))
  // Passages that came after the last compaction are not in the frequencies, but they are among the candidates.
  const holding = terms.map(() => 0)
  for (const { matches } of found) {
    for (const term of new Set(matches.map((match) => match.term))) holding[term] = (holding[term] ?? 0) + 1
  }
  const idf = terms.map((_, term) => idfOf(Math.max(documentFrequencies[term] ?? 0, holding[term] ?? 0), passages))
  return {
    candidates: found
      .map(({ candidate, matches }) => ({ candidate, score: candidate.bm25 + proximityBonus(matches, idf) }))
      .sort((a, b) => b.score - a.score),
    terms: terms.map((term, index) => ({ term, idf: idf[index] as number })),
  }
}
