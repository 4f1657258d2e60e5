import { TermFinder, type TermMatch } from '../analysis/analysis.ts'
import type { Bonuses, QueryTerm } from '../engine.ts'
import type { TermStatistics } from '../recent/term-weights.ts'
import { idfOf } from './bm25.ts'
import { feedbackBonuses } from './feedback.ts'
import { proximityBonus } from './proximity.ts'

export interface Rerankable {
  /** Heading and text, with a line break between them. */
  body: string
  /** Length in UTF-16 units. */
  headingLength: number
  bm25: number
}

export interface Reranked<C> {
  /** Best first. */
  candidates: { candidate: C; score: number; bonuses: Bonuses }[]
  terms: QueryTerm[]
}

export interface RerankedQuery {
  terms: readonly string[]
  /** Occurrences of each term in the question. */
  counts: readonly number[]
  /** Other forms of each term, that count as it. Default: none. */
  forms?: readonly (readonly string[])[]
  /** Whether only a part of the space was searched. Default false. */
  isNarrowed?: boolean
}

/** Share of the idf of the terms in title and headings that goes into the score. */
const HEADING_WEIGHT = 0.7

/**
 * Weighs the question's terms, and orders candidates by BM25 with bonuses for terms that are close together, in the
 * question's order and in the heading, and for the words of the subject.
 */
export function rerank<C extends Rerankable>(
  candidates: readonly C[],
  { terms, counts, forms = [], isNarrowed = false }: RerankedQuery,
  { passages, documentFrequencies }: Omit<TermStatistics, 'averageLength'>,
): Reranked<C> {
  const finder = new TermFinder(terms, forms)
  const found = candidates.map((candidate) => ({ candidate, matches: finder.find(candidate.body) }))
  const holding = countHolding(terms, found)
  const idf = terms.map((_, term) => {
    const held = holding[term] ?? 0
    // A term of other folders alone is unknown in those that were searched, and is not to weigh less for the others.
    if (isNarrowed && held === 0) return idfOf(0, passages)
    // Passages that came after the last compaction are not in the frequencies, but they are among the candidates.
    return idfOf(Math.max(documentFrequencies[term] ?? 0, held), passages)
  })
  const weighed = found
    .map(({ candidate, matches }) => {
      const closeness = proximityBonus(matches, idf)
      const heading = headingBonus(finder, candidate, idf)
      return { candidate, body: candidate.body, closeness, heading, score: candidate.bm25 + closeness + heading }
    })
    .sort((a, b) => b.score - a.score)
  const subject = feedbackBonuses(weighed, terms)
  return {
    candidates: weighed
      .map(({ candidate, closeness, heading, score }, place) => {
        const bonuses = { closeness, heading, subject: subject[place] as number }
        return { candidate, score: score + bonuses.subject, bonuses }
      })
      .sort((a, b) => b.score - a.score),
    terms: terms.map((term, index) => {
      const others = forms[index] ?? []
      const idfOfTerm = idf[index] as number
      return { term, idf: idfOfTerm, count: counts[index] as number, ...(others.length > 0 && { forms: [...others] }) }
    }),
  }
}

/** Candidates that hold each term. */
function countHolding(terms: readonly string[], found: { matches: TermMatch[] }[]): number[] {
  const holding = terms.map(() => 0)
  for (const { matches } of found) {
    for (const term of new Set(matches.map((match) => match.term))) holding[term] = (holding[term] ?? 0) + 1
  }
  return holding
}

/** Title and headings say what a passage is about: a term there says more than one in its text. */
function headingBonus(finder: TermFinder, { body, headingLength }: Rerankable, idf: readonly number[]): number {
  const held = new Set(finder.find(body.slice(0, headingLength)).map(({ term }) => term))
  let sum = 0
  for (const term of held) sum += idf[term] as number
  return HEADING_WEIGHT * sum
}
