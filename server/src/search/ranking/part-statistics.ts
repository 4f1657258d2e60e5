import { hash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { createLruCache } from '../../platform/lru-cache.ts'
import { hasUnspaced, termOf, UNSPACED_CHARACTERS_PER_WORD } from '../analysis/analysis.ts'
import { forEachSpan } from '../analysis/spans.ts'

/** Passages that a filter lets through. */
export interface PartStatistics {
  passages: number
  /** Undefined where they are many, and so much of the space that its own statistics are theirs. */
  sample: PartSample | undefined
}

/** Figures of some passages of a part, spread over all of them. */
export interface PartSample {
  size: number
  /** Mean length, in words. */
  averageWords: number
  /** Number of its passages that hold a term. */
  countHolding(term: string): number
}

/** Source of the statistics: one space's table. */
export interface PartSource {
  countPassages(filter?: string): Promise<number>
  /** Bodies of at most so many passages that a filter lets through, spread over all of them. */
  sampleBodies(count: number, filter?: string): Promise<string[]>
}

interface KnownPart extends PartStatistics {
  /** Passages that the part had when its sample was taken. */
  passagesThen: number
  sampledAt: number
  countedAt: number
  /** Milliseconds that the last count took. */
  countTook: number
}

const SAMPLE_PASSAGES = 200
/** Bodies counted before the event loop turns: a millisecond or two while every word is new. */
const BODIES_PER_TURN = 5
/** Share of the space from which on its own statistics are those of the part. */
const MOST_OF_SPACE = 0.9
/** Passages that a part is taken to have at least: in fewer, a word that each of them holds says nothing of how common it is. */
export const PASSAGES_MIN = 1_000
/** A sample takes half a megabyte. */
const PARTS_MAX = 40
/** A sample is taken again when its part has grown or shrunk by more than this, and after a while. */
const TOLERATED_GROWTH = 0.05
const SAMPLED_FOR_MS = 10 * 60_000
const COUNTED_FOR_MS = 1_000
/** Counting through a filter of thousands of folders takes longer than a search: it may take 2 % of the time. */
const COUNT_AFTER_TIMES = 50

export type PartCounter = ReturnType<typeof createPartCounter>

/**
 * Statistics of the parts of a space. What a folder finds must not depend on what other folders hold, but LanceDB counts
 * over all of them, so the words of some passages of the part are counted here. A small part is counted whole.
 */
export function createPartCounter({ countPassages, sampleBodies }: PartSource, { now = Date.now } = {}) {
  const known = createLruCache<Promise<KnownPart>>(PARTS_MAX)

  async function look(filter: string, before: KnownPart | undefined): Promise<KnownPart> {
    const at = now()
    if (before && at - before.countedAt < Math.max(COUNTED_FOR_MS, COUNT_AFTER_TIMES * before.countTook)) return before
    const [inSpace, passages] = await Promise.all([countPassages(), countPassages(filter)])
    const counted = { passages, countedAt: at, countTook: now() - at }
    if (passages >= Math.max(PASSAGES_MIN, MOST_OF_SPACE * inSpace))
      return { ...counted, sample: undefined, passagesThen: 0, sampledAt: 0 }
    if (before?.sample && isLike(before, counted)) return { ...before, ...counted }
    const bodies = await sampleBodies(SAMPLE_PASSAGES, filter)
    const sample = bodies.length > 0 ? await countThrough(bodies) : undefined
    return { ...counted, sample, passagesThen: passages, sampledAt: at }
  }

  /** Counts what the passages hold that a filter lets through. */
  function find(filter: string): Promise<PartStatistics> {
    const key = hash('sha1', filter, 'base64')
    const before = known.get(key)?.catch(() => undefined)
    const found = before ? before.then((part) => look(filter, part)) : look(filter, undefined)
    known.set(key, found)
    return found
  }

  return { find }
}

const isLike = ({ passagesThen, sampledAt }: KnownPart, now: { passages: number; countedAt: number }) =>
  Math.abs(now.passages - passagesThen) <= TOLERATED_GROWTH * passagesThen && now.countedAt - sampledAt < SAMPLED_FOR_MS

async function countThrough(bodies: readonly string[]): Promise<PartSample> {
  const holding = new Map<string, number>()
  /** Text in scripts without spaces, by passage: where its words end is not known here. */
  const unspacedTexts: string[] = []
  let words = 0
  for (const [index, body] of bodies.entries()) {
    const terms = new Set<string>()
    const runs: string[] = []
    forEachSpan(body, (start, end, unspaced) => {
      const word = body.slice(start, end)
      if (unspaced) runs.push(word)
      else terms.add(termOf(word))
      words += unspaced ? Math.ceil(word.length / UNSPACED_CHARACTERS_PER_WORD) : 1
    })
    for (const term of terms) holding.set(term, (holding.get(term) ?? 0) + 1)
    if (runs.length > 0) unspacedTexts.push(runs.join(' '))
    if (index % BODIES_PER_TURN === 0) await yieldToEventLoop()
  }
  return {
    size: bodies.length,
    averageWords: Math.max(1, words / bodies.length),
    countHolding: (term) =>
      hasUnspaced(term) ? unspacedTexts.filter((text) => text.includes(term)).length : (holding.get(term) ?? 0),
  }
}
