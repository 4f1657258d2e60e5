import { indexedText } from '../../content/chunks/indexed-text.ts'
import type { Location } from '../../content/read/parsed-document.ts'
import type { Reranker } from './rerankers.ts'

/** Place and score that a reranker gave a passage. */
export interface ByReranker {
  /** Rank from 1. */
  rank: number
  score: number
}

interface Rerankable {
  title: string
  location: Location
  hit: string
  score: number
  reranker?: ByReranker
}

/**
 * Passages in the order of a reranker, as far down as it reads; those after them stay behind. Scores of the search stay
 * in their places, so that they still fall from place to place and can be compared with those of other lists.
 * @param passages best first
 */
export async function rerankPassages<P extends Rerankable>(
  passages: P[],
  { query, reranker, signal }: { query: string; reranker: Reranker; signal: AbortSignal },
): Promise<P[]> {
  const read = passages.slice(0, reranker.depth)
  if (read.length < 2) return passages
  const texts = read.map(({ title, location, hit }) => indexedText(title, { text: hit, location }))
  const scores = await reranker.score(query, texts, signal)
  if (!scores) return passages
  const ordered = read
    .map((passage, place) => ({ passage, score: scores[place] as number }))
    .sort((a, b) => b.score - a.score)
    .map(({ passage, score }, place) => ({
      ...passage,
      score: (read[place] as P).score,
      reranker: { rank: place + 1, score },
    }))
  return [...ordered, ...passages.slice(read.length)]
}
