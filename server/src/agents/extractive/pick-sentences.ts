import { TermFinder, type TermMatch } from '../../platform/search/analysis.ts'
import { headingOf } from '../../retrieval/chunks/indexed-text.ts'
import { sentences } from '../../retrieval/chunks/sentences.ts'
import type { FoundPassage, SearchKnowledgeData } from '../../retrieval/search-data.ts'
import { expectedAnswer } from './expected-answer.ts'

/** A sentence of a passage, with the number to cite it by. */
export interface PickedSentence {
  text: string
  index: number
}

/** Below this share of the best score that the question's terms could give, the passages are about something else. */
const ANSWERABLE_SHARE = 0.67
const PASSAGES = 5
const PICKED = 2

const WEIGHTS = { passage: 0.7, expected: 0.2, pairs: 0.2, before: 0.3 }
/** "…in winter.[12]": they would be taken for citations of ours, and for sentences. */
const FOOTNOTE_MARKS = /(?<=[.!?,;:)"”’](?:\[\d{1,3}\])*)\[\d{1,3}\]/g
/** Words between two terms that stand next to each other in the question. */
const PAIR_REACH = 3

/**
 * The sentences that answer a question best, in the order of the passages and of the text.
 * @returns undefined when the passages do not answer it
 */
export function pickSentences(question: string, data: SearchKnowledgeData): PickedSentence[] | undefined {
  const passages = data.passages.slice(0, PASSAGES)
  const mass = data.terms.reduce((sum, { idf }) => sum + idf, 0)
  const bestMatch = Math.max(0, ...passages.map(({ bm25 }) => bm25))
  if (mass === 0 || bestMatch / mass < ANSWERABLE_SHARE) return undefined

  const bestScore = Math.max(...passages.map(({ score }) => score))
  const finder = new TermFinder(data.terms.map(({ term }) => term))
  const isExpected = expectedAnswer(question)
  const scored = passages.flatMap((passage, rank) =>
    scoreSentences(passage).map(({ text, score }, place) => ({ text, score, rank, place, index: passage.index })),
  )
  const distinct = [...new Map(scored.toReversed().map((sentence) => [sentence.text, sentence])).values()]
  return distinct
    .sort((a, b) => b.score - a.score)
    .slice(0, PICKED)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ text, index }) => ({ text, index }))

  function scoreSentences(passage: FoundPassage): { text: string; score: number }[] {
    // What stands over the passage holds for all of its sentences.
    const above = termsIn(finder.find(headingOf(passage.title, passage.location)))
    let before = new Set<number>()
    return [...sentences(passage.hit.replaceAll(FOOTNOTE_MARKS, ''))].flatMap((sentence) => {
      const text = sentence.replaceAll(/\s+/g, ' ').trim()
      if (!text) return []
      const matches = finder.find(text)
      const own = termsIn(matches)
      const held = own.union(above)
      // A sentence speaks of what the one before it named: "He was born there."
      const carried = WEIGHTS.before * shareOf(before.difference(held))
      const score =
        shareOf(held) +
        carried +
        (WEIGHTS.passage * passage.score) / bestScore +
        (isExpected(text) ? WEIGHTS.expected : 0) +
        WEIGHTS.pairs * shareOfPairs(matches)
      before = own
      return [{ text, score }]
    })
  }

  function shareOf(terms: Iterable<number>): number {
    let sum = 0
    for (const term of terms) sum += data.terms[term]?.idf ?? 0
    return sum / mass
  }

  /** Share of the question's neighbouring terms that are neighbours here, too. */
  function shareOfPairs(matches: TermMatch[]): number {
    const together = new Set<number>()
    for (const [place, { term, position }] of matches.entries()) {
      const next = matches[place + 1]
      if (next?.term === term + 1 && next.position - position <= PAIR_REACH) together.add(term)
    }
    return data.terms.length > 1 ? together.size / (data.terms.length - 1) : 0
  }
}

function termsIn(matches: TermMatch[]): Set<number> {
  return new Set(matches.map(({ term }) => term))
}
