import { headingOf } from '../../content/chunks/indexed-text.ts'
import { sentences } from '../../content/chunks/sentences.ts'
import type { FoundPassage, SearchKnowledgeData, WeighedTerm } from '../../retrieval/retrieval.ts'
import { TermFinder, type TermMatch } from '../../search/analysis/analysis.ts'
import { expectedAnswer } from './expected-answer.ts'
import { shareOfMissingNames } from './missing-names.ts'

/** A sentence of a passage, with the number to cite it by. */
export interface PickedSentence {
  text: string
  index: number
}

/**
 * Least match for passages to be taken for an answer: the share of the BM25 that all of the question's terms could give,
 * and the share of its weight that one sentence holds, less what its missing names take. Weights by logistic regression
 * on half of the articles of SQuAD, tried on the other half. See docs/decisions/0005.
 */
const ANSWERABLE = { passage: 0.95, missingNames: 0.6, least: 0.97 }
const PASSAGES = 5
const PICKED = 2

const WEIGHTS = { passage: 0.7, expected: 0.2, pairs: 0.2, before: 0.3 }
/** "…in winter.[12]": they would be taken for citations of ours, and for sentences. */
const FOOTNOTE_MARKS = /(?<=[.!?,;:)"”’](?:\[\d{1,3}\])*)\[\d{1,3}\]/g
const IS_QUESTION = /[?？؟]["'”’)\]]*$/
/** Words between two terms that stand next to each other in the question. */
const PAIR_REACH = 3

interface ScoredSentence extends PickedSentence {
  /** Share of the question's weight that the sentence holds, with what stands over it and before it. */
  coverage: number
  score: number
  rank: number
  place: number
}

/**
 * The sentences that answer a question best, in the order of the passages and of the text.
 * @returns undefined when the passages do not answer it
 */
export function pickSentences(question: string, data: SearchKnowledgeData): PickedSentence[] | undefined {
  const passages = data.passages.slice(0, PASSAGES)
  const weight = data.terms.reduce((sum, { idf, count }) => sum + idf * count, 0)
  if (weight === 0 || passages.length === 0) return undefined

  const scored = scoreSentences(question, passages, data.terms, weight)
  const bestMatch = Math.max(...passages.map(({ bm25 }) => bm25)) / weight
  const bestCoverage = Math.max(0, ...scored.map(({ coverage }) => coverage))
  const missing = missingNames(question, passages, data.terms)
  const match = ANSWERABLE.passage * bestMatch + bestCoverage - ANSWERABLE.missingNames * missing
  if (match < ANSWERABLE.least) return undefined

  const distinct = [...new Map(scored.toReversed().map((sentence) => [sentence.text, sentence])).values()]
  return distinct
    .sort((a, b) => b.score - a.score)
    .slice(0, PICKED)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ text, index }) => ({ text, index }))
}

function missingNames(question: string, passages: FoundPassage[], terms: WeighedTerm[]): number {
  const texts = passages.map(({ title, location, hit }) => `${headingOf(title, location)}\n${hit}`)
  const finder = new TermFinder(terms.map(({ term }) => term))
  const held = new Set(texts.flatMap((text) => finder.find(text).map(({ term }) => terms[term]?.term)))
  return shareOfMissingNames(question, texts, (term) => held.has(term))
}

function scoreSentences(
  question: string,
  passages: FoundPassage[],
  terms: WeighedTerm[],
  weight: number,
): ScoredSentence[] {
  const finder = new TermFinder(terms.map(({ term }) => term))
  const isExpected = expectedAnswer(question)
  const bestScore = Math.max(...passages.map(({ score }) => score))
  const weights = terms.map(({ idf, count }) => idf * count)
  const shareOf = (held: Set<number>) => [...held].reduce((sum, term) => sum + (weights[term] ?? 0), 0) / weight

  return passages.flatMap((passage, rank) => {
    // The heading of a passage applies to all of its sentences.
    const above = termsIn(finder.find(headingOf(passage.title, passage.location)))
    let before = new Set<number>()
    return sentencesOf(passage.hit).flatMap((text, place) => {
      const matches = finder.find(text)
      const own = termsIn(matches)
      const held = own.union(above)
      // A sentence speaks of what the one before it named: "He was born there."
      const coverage = shareOf(held) + WEIGHTS.before * shareOf(before.difference(held))
      before = own
      // A question does not answer a question; the sentence after it may.
      if (IS_QUESTION.test(text)) return []
      const score =
        coverage +
        (WEIGHTS.passage * passage.score) / bestScore +
        (isExpected(text) ? WEIGHTS.expected : 0) +
        WEIGHTS.pairs * shareOfPairs(matches, terms.length)
      return [{ text, index: passage.index, coverage, score, rank, place }]
    })
  })
}

/** Without the numbers of lists and other pieces that say nothing. */
function sentencesOf(passage: string): string[] {
  return [...sentences(passage.replaceAll(FOOTNOTE_MARKS, ''))]
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => /\p{L}/u.test(sentence))
}

function termsIn(matches: TermMatch[]): Set<number> {
  return new Set(matches.map(({ term }) => term))
}

/** Share of the question's neighbouring terms that are neighbours here, too. */
function shareOfPairs(matches: TermMatch[], termCount: number): number {
  if (termCount < 2) return 0
  const together = new Set<number>()
  for (const [place, { term, position }] of matches.entries()) {
    const next = matches[place + 1]
    if (next?.term === term + 1 && next.position - position <= PAIR_REACH) together.add(term)
  }
  return together.size / (termCount - 1)
}
