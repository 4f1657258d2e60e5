import type { TermMatch } from '../analysis/analysis.ts'
import type { TermStatistics } from '../recent/term-weights.ts'
import { idfOf } from './bm25.ts'
import { PASSAGES_MIN, type PartStatistics } from './part-statistics.ts'

type SpaceStatistics = Omit<TermStatistics, 'averageLength'>

export interface SearchedPart extends PartStatistics {
  /** Whether the candidates are all of its passages that hold any of the terms. */
  isAll: boolean
}

/** Counts the candidates that hold each term. */
export function countHolding(terms: readonly string[], candidates: readonly { matches: TermMatch[] }[]): number[] {
  const holding = terms.map(() => 0)
  for (const { matches } of candidates) {
    for (const term of new Set(matches.map((match) => match.term))) holding[term] = (holding[term] ?? 0) + 1
  }
  return holding
}

/** Idf of each term over a space. @param holding candidates with each term: what came lately is not in the statistics */
export const idfInSpace = (holding: readonly number[], { passages, documentFrequencies }: SpaceStatistics): number[] =>
  holding.map((held, term) => idfOf(Math.max(documentFrequencies[term] ?? 0, held), passages))

/**
 * Idf of each term over the part of a space that was searched. A term that few passages hold is counted in the candidates,
 * of which these are the best; the frequency of any other is that of the sample, at most what the space holds.
 */
export function idfInPart(
  terms: readonly string[],
  holding: readonly number[],
  { passages, sample, isAll }: SearchedPart,
  space: SpaceStatistics,
): number[] {
  const all = Math.max(PASSAGES_MIN, passages, ...holding)
  const share = Math.min(1, passages / Math.max(1, space.passages))
  return terms.map((term, at) => {
    const held = holding[at] ?? 0
    // A term of other folders alone is unknown in those that were searched, and is not to weigh less for the others.
    if (isAll || held === 0) return idfOf(held, all)
    const inSpace = space.documentFrequencies[at] ?? 0
    const estimate = sample ? (sample.countHolding(term) / sample.size) * passages : inSpace * share
    return idfOf(Math.max(held, Math.min(estimate, inSpace)), all)
  })
}
