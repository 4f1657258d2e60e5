import type { SearchKnowledgeData } from '../../retrieval/retrieval.ts'
import { answerFeatures } from './answer-features.ts'
import { readQuestion, wordsOf } from './asked-question.ts'
import { type Candidate, candidatesOf, type Features } from './sentence-features.ts'
import { ANSWER_WEIGHTS, SENTENCE_WEIGHTS, type Weights } from './weights.ts'

/** A sentence of a passage, with the number to cite it by. */
export interface PickedSentence {
  text: string
  index: number
}

const PASSAGES = 5
/** Sentences are quoted until the answer is among them with this probability, but no more than so many. */
const ENOUGH = 0.93
const MOST_PICKED = 3
/**
 * Shortest sentence in words; shorter ones are labels, such as "Place: loading ramp, gate 2", and seldom answer alone.
 */
const LEAST_WORDS = 8

/**
 * The sentences that answer a question best, in the order of the passages and of the text.
 * @returns undefined when the passages do not answer it
 */
export function pickSentences(question: string, data: SearchKnowledgeData): PickedSentence[] | undefined {
  const asked = readQuestion(question, data.terms)
  if (!asked) return undefined
  const passages = data.passages.slice(0, PASSAGES)
  const candidates = candidatesOf(asked, passages)
  const ranked = rankCandidates(candidates)
  const [best] = ranked
  if (!best) return undefined
  if (scoreOf(answerFeatures(asked, passages, candidates, best.candidate), ANSWER_WEIGHTS) < 0) return undefined
  return takeEnough(ranked)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ text, index }) => ({ text, index }))
}

/** A candidate with its score: the higher, the likelier it holds the answer. */
export interface Ranked {
  candidate: Candidate
  score: number
}

/** Best first. */
export function rankCandidates(candidates: readonly Candidate[], weights = SENTENCE_WEIGHTS): Ranked[] {
  return candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate.features, weights) }))
    .sort((a, b) => b.score - a.score)
}

/** Sum of the weighed features; those without a weight do not count. */
export function scoreOf(features: Features, weights: Weights): number {
  return Object.entries(features).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, weights.bias ?? 0)
}

/** Takes the best of different texts; the scores are treated as those of a softmax over the candidates. */
export function takeEnough(ranked: readonly Ranked[]): Candidate[] {
  const top = ranked[0]?.score ?? 0
  const total = ranked.reduce((sum, { score }) => sum + Math.exp(score - top), 0)
  const taken = new Map<string, Candidate>()
  let probability = 0
  let words = 0
  for (const { candidate, score } of ranked) {
    probability += Math.exp(score - top) / total
    if (taken.has(candidate.text)) continue
    taken.set(candidate.text, candidate)
    words += wordsOf(candidate.text).length
    if (taken.size === MOST_PICKED || (probability >= ENOUGH && words >= LEAST_WORDS)) break
  }
  return [...taken.values()]
}
