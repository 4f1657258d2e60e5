import type { TermMatch } from '../analysis/analysis.ts'

/** The formula and the constants of the engine's own BM25. */
const K1 = 1.2
const B = 0.75

/** Inverse document frequency: never negative. */
export function idfOf(documentFrequency: number, passages: number): number {
  const held = Math.min(documentFrequency, passages)
  return Math.log(1 + (passages - held + 0.5) / (held + 0.5))
}

/** How many passages hold a term of this idf. */
export function documentFrequencyOf(idf: number, passages: number): number {
  return Math.min(passages, Math.max(1, Math.round((passages + 1) / Math.exp(idf) - 0.5)))
}

/**
 * Score of a term in a passage, in multiples of its idf.
 * @param length of the passage, and the mean length of all, in terms
 */
export function occurrenceWeight(occurrences: number, length: number, averageLength: number): number {
  return ((K1 + 1) * occurrences) / (occurrences + K1 * (1 - B + (B * length) / averageLength))
}

/**
 * BM25 of a passage, from the terms found in it.
 * @param length of the passage, in the unit of the mean length
 */
export function bm25Of(
  matches: readonly TermMatch[],
  length: number,
  { idf, counts, averageLength }: { idf: readonly number[]; counts: readonly number[]; averageLength: number },
): number {
  const occurrences = idf.map(() => 0)
  for (const { term } of matches) occurrences[term] = (occurrences[term] ?? 0) + 1
  return occurrences.reduce(
    (sum, found, term) =>
      found === 0
        ? sum
        : sum + (counts[term] ?? 1) * (idf[term] as number) * occurrenceWeight(found, length, averageLength),
    0,
  )
}
