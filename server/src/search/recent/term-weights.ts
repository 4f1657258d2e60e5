import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { lengthInTerms, TermFinder } from '../analysis/analysis.ts'
import { documentFrequencyOf, occurrenceWeight } from '../ranking/bm25.ts'

/** Source of the weights: one space's table. */
export interface TermSource {
  countPassages(): Promise<number>
  /** The passage that scores best for one term alone, among those that are indexed. */
  bestFor(term: string): Promise<{ bm25: number; body: string } | undefined>
  /** Bodies of about this many passages, spread over the space. */
  sampleBodies(count: number): Promise<string[]>
}

export interface TermStatistics {
  passages: number
  /** Passages that hold the term, by term, in the order asked for. */
  documentFrequencies: number[]
  /** Mean length of a passage, in terms. */
  averageLength: number
}

export interface TermWeights {
  statistics(terms: readonly string[]): Promise<TermStatistics>
  /** Forgets what is known; to be called when passages that were not indexed have become so. */
  forget(): void
}

export interface TermWeightsOptions {
  now?: () => number
  /**
   * Whether a term that no indexed passage holds is cached as such: not where another process may index new
   * passages without a notice to this process.
   */
  keepsAbsent?: boolean
}

const SAMPLE_PASSAGES = 100
/** Counted before the event loop turns: a millisecond or two while every word is new. */
const BODIES_PER_TURN = 5
const KNOWN_TERMS_MAX = 20_000
const KNOWN_FOR_MS = 60_000
/** Frequencies of a space that grew or shrank by less are taken to be the same. */
const TOLERATED_GROWTH = 0.05

/**
 * How many passages hold a term. LanceDB does not tell, but its BM25 of a passage for one term gives the term's idf
 * away: all else in the formula can be counted in the passage. Frequencies move slowly, so they are kept for a while.
 */
export function createTermWeights(
  source: TermSource,
  { now = Date.now, keepsAbsent = true }: TermWeightsOptions = {},
): TermWeights {
  const known = createLruCache<Promise<number>>(KNOWN_TERMS_MAX)
  const averageLength = lazy(sampleAverageLength)
  let passagesThen = 0
  let since = 0

  function forget(): void {
    known.clear()
    averageLength.forget()?.catch(() => {})
  }

  async function sampleAverageLength(): Promise<number> {
    const bodies = await source.sampleBodies(SAMPLE_PASSAGES)
    let total = 0
    for (const [index, body] of bodies.entries()) {
      total += lengthInTerms(body)
      if (index % BODIES_PER_TURN === 0) await yieldToEventLoop()
    }
    return bodies.length > 0 ? Math.max(1, total / bodies.length) : 1
  }

  async function frequency(term: string, passages: number): Promise<number> {
    const best = await source.bestFor(term)
    if (!best) return 0
    const occurrences = Math.max(1, new TermFinder([term]).find(best.body).length)
    const weight = occurrenceWeight(occurrences, lengthInTerms(best.body), await averageLength.get())
    return documentFrequencyOf(best.bm25 / weight, passages)
  }

  async function statistics(terms: readonly string[]): Promise<TermStatistics> {
    const passages = await source.countPassages()
    const grown = Math.abs(passages - passagesThen) > TOLERATED_GROWTH * passagesThen
    if (grown || now() - since > KNOWN_FOR_MS) {
      forget()
      passagesThen = passages
      since = now()
    }
    const frequencies = terms.map((term) => {
      const found = known.get(term) ?? frequency(term, passages)
      known.set(term, found)
      found.then(
        (count) => count === 0 && !keepsAbsent && known.delete(term),
        () => known.delete(term),
      )
      return found
    })
    const [length, ...documentFrequencies] = await Promise.all([averageLength.get(), ...frequencies])
    return { passages, documentFrequencies, averageLength: length }
  }

  return { statistics, forget }
}
