import { spacedTerms } from '../analysis/analysis.ts'
import { idfOf, occurrenceWeight } from './bm25.ts'

/**
 * Least number of terms for feedback; shorter questions name what they look for, and feedback costs time and harms as
 * often as it helps.
 */
const QUESTION_MIN_TERMS = 8
/** Best passages whose words are taken to be words of the subject, and all that are ranked again by them. */
const FEEDBACK_PASSAGES = 10
const RANKED_PASSAGES = 30
const FEEDBACK_TERMS = 20
/** Share of a passage in the feedback: e^-8 times the best one's where it scores nothing beside it. */
const STEEPNESS = 8
/** Weight of all feedback terms together, for each term of the question. */
const WEIGHT = 1 / 2
/** Shorter words are rarely what a text is about. */
const TERM_MIN_LENGTH = 3

/**
 * Bonus of each passage for words that the best passages have in common and the other candidates lack (relevance
 * feedback; Rocchio 1971, with weights as in RM3, Abdul-Jaleel et al. 2004). All is counted among the candidates, so
 * the engine is asked nothing more.
 * @param ranked best first, with the scores so far
 * @param terms of the question, which earn nothing here
 * @returns bonus by place in `ranked`; 0 for all where the question is short or the candidates are few
 */
export function feedbackBonuses(
  ranked: readonly { body: string; score: number }[],
  terms: readonly string[],
): number[] {
  const bonuses = ranked.map(() => 0)
  const best = ranked[0]?.score ?? 0
  if (terms.length < QUESTION_MIN_TERMS || ranked.length < 2 * FEEDBACK_PASSAGES || best <= 0) return bonuses
  const texts = ranked.slice(0, RANKED_PASSAGES).map(({ body, score }) => ({ ...countTerms(body), score }))
  const chosen = chooseTerms(texts, new Set(terms), best)
  const averageLength = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  for (const [place, { counts, length }] of texts.entries()) {
    let earned = 0
    for (const [term, weight] of chosen) {
      const occurrences = counts.get(term)
      if (occurrences) earned += weight * occurrenceWeight(occurrences, length, averageLength)
    }
    bonuses[place] = WEIGHT * terms.length * earned
  }
  return bonuses
}

interface CountedText {
  counts: Map<string, number>
  /** Length in terms. */
  length: number
  score: number
}

/** Terms that stand for the subject, with their weights: an idf among the candidates times a share of one in all. */
function chooseTerms(texts: CountedText[], known: Set<string>, best: number): [term: string, weight: number][] {
  const shares = new Map<string, number>()
  for (const { counts, length, score } of texts.slice(0, FEEDBACK_PASSAGES)) {
    const share = Math.exp((STEEPNESS * (score - best)) / best) / length
    for (const [term, count] of counts) {
      if (term.length < TERM_MIN_LENGTH || known.has(term)) continue
      shares.set(term, (shares.get(term) ?? 0) + share * count)
    }
  }
  const holding = new Map<string, number>()
  for (const { counts } of texts) {
    for (const term of counts.keys()) if (shares.has(term)) holding.set(term, (holding.get(term) ?? 0) + 1)
  }
  const chosen = [...shares]
    .filter(([term]) => (holding.get(term) ?? 0) > 1)
    .map(([term, share]) => {
      const idf = idfOf(holding.get(term) ?? 0, texts.length)
      return { term, idf, value: share * idf }
    })
    .sort((a, b) => b.value - a.value)
    .slice(0, FEEDBACK_TERMS)
  const sum = chosen.reduce((total, { value }) => total + value, 0)
  return chosen.map(({ term, idf, value }) => [term, (value / sum) * idf])
}

function countTerms(body: string): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>()
  const terms = spacedTerms(body)
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, length: Math.max(1, terms.length) }
}
