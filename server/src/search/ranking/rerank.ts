import { TermFinder } from '../analysis/analysis.ts'
import type { Bonuses, QueryTerm } from '../engine.ts'
import type { TermStatistics } from '../recent/term-weights.ts'
import { bm25Of } from './bm25.ts'
import { feedbackBonuses } from './feedback.ts'
import { proximityBonus } from './proximity.ts'
import { countHolding, idfInPart, idfInSpace, type SearchedPart } from './term-idf.ts'

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
  /** Part of the space that was searched; undefined for all of it. */
  part?: SearchedPart | undefined
}

/** Share of the idf of the terms in title and headings that goes into the score. */
const HEADING_WEIGHT = 0.7

/**
 * Weighs the question's terms, and orders candidates by BM25 with bonuses for terms that are close together, in the
 * question's order and in the heading, and for the words of the subject.
 */
export function rerank<C extends Rerankable>(
  candidates: readonly C[],
  { terms, counts, forms = [], part }: RerankedQuery,
  statistics: Omit<TermStatistics, 'averageLength'>,
): Reranked<C> {
  const finder = new TermFinder(terms, forms)
  const found = candidates.map((candidate) => ({ candidate, ...finder.findAmongWords(candidate.body) }))
  const holding = countHolding(terms, found)
  const idf = part ? idfInPart(terms, holding, part, statistics) : idfInSpace(holding, statistics)
  const weighed = found
    .map(({ candidate: given, matches, words }) => {
      const candidate = part?.sample
        ? { ...given, bm25: bm25Of(matches, words, { idf, counts, averageLength: part.sample.averageWords }) }
        : given
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

/** Title and headings say what a passage is about: a term there says more than one in its text. */
function headingBonus(finder: TermFinder, { body, headingLength }: Rerankable, idf: readonly number[]): number {
  const held = new Set(finder.find(body.slice(0, headingLength)).map(({ term }) => term))
  let sum = 0
  for (const term of held) sum += idf[term] as number
  return HEADING_WEIGHT * sum
}
