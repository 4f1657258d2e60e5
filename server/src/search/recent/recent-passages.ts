import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { hasUnspaced, TermFinder, termOf, UNSPACED_CHARACTERS_PER_WORD } from '../analysis/analysis.ts'
import { forEachSpan } from '../analysis/spans.ts'
import type { Passage } from '../engine.ts'
import { idfOf, occurrenceWeight } from '../ranking/bm25.ts'
import type { TermStatistics } from './term-weights.ts'

export interface RecentQuery {
  terms: readonly string[]
  /** How often each term counts. */
  counts: readonly number[]
  /** Other forms of each term, which count as it. */
  forms?: readonly (readonly string[])[]
  groupIds?: readonly string[]
  documentIds?: readonly string[]
  exceptDocumentIds?: readonly string[]
  limit: number
}

export interface RecentHit {
  passage: Passage
  bm25: number
}

/**
 * The passages that the index on disk does not hold yet, searched in memory: LanceDB would go through all of them at
 * every query, 50 us each. They come in generations, and the older ones go when a compaction has indexed them.
 */
export interface RecentResult {
  hits: RecentHit[]
  statistics: TermStatistics
}

interface Entry {
  passage: Passage
  groupId: string
  length: number
  isGone: boolean
}

interface Segment {
  generation: number
  entries: Entry[]
  /** How many entries are in the postings: the others wait for the next query. */
  indexed: number
  postings: Map<string, { entry: Entry; occurrences: number }[]>
  withUnspaced: Entry[]
}

/** Limit on held rows, about 50 MB. More come only while compaction cannot keep up, and are scanned instead. */
const HELD_MAX = 8_000
/** Passages that are indexed before the event loop turns: about 2 ms. */
const INDEXED_PER_TURN = 50

/**
 * The passages that the index on disk does not hold yet, searched in memory: LanceDB would go through all of them at
 * every query, 50 us each. They come in generations, and the older ones go when a compaction has indexed them.
 */
export class RecentPassages {
  #generation = 1
  #segments: Segment[] = []
  #byId = new Map<string, Entry>()
  /** The generation in which passages were not kept; undefined when all are here. */
  #lostIn: number | undefined

  /** @param knowsAll false when the table holds passages that are not indexed and were never reported */
  constructor(knowsAll: boolean) {
    this.#lostIn = knowsAll ? undefined : 0
  }

  /** Whether they are all here. If not, LanceDB has to be asked to scan. */
  isComplete(): boolean {
    return this.#lostIn === undefined
  }

  add(passages: readonly Passage[]): void {
    if (this.#byId.size + passages.length > HELD_MAX) {
      this.#segments = []
      this.#byId = new Map()
      this.#lostIn = this.#generation
      return
    }
    const { entries } = this.#segment()
    for (const passage of passages) {
      const replaced = this.#byId.get(passage.id)
      if (replaced) replaced.isGone = true
      const entry: Entry = { passage, groupId: passage.groupId, length: 0, isGone: false }
      entries.push(entry)
      this.#byId.set(passage.id, entry)
    }
  }

  remove(documentIds: readonly string[]): void {
    const removed = new Set(documentIds)
    this.#drop(({ passage }) => removed.has(passage.documentId))
  }

  trim(documentId: string, fromOrdinal: number): void {
    this.#drop(({ passage }) => passage.documentId === documentId && passage.ordinal >= fromOrdinal)
  }

  move(documentId: string, groupId: string): void {
    for (const entry of this.#byId.values()) if (entry.passage.documentId === documentId) entry.groupId = groupId
  }

  /** Ends the present generation. Returns its number, for `release`. */
  seal(): number {
    return this.#generation++
  }

  /** Passages of later generations than this. */
  countSince(sealed: number): number {
    return this.#segments
      .filter(({ generation }) => generation > sealed)
      .reduce((sum, { entries }) => sum + entries.length, 0)
  }

  /** Lets go of everything up to this generation. */
  release(upTo: number): void {
    for (const { generation, entries } of this.#segments) {
      if (generation > upTo) continue
      for (const entry of entries) if (this.#byId.get(entry.passage.id) === entry) this.#byId.delete(entry.passage.id)
    }
    this.#segments = this.#segments.filter(({ generation }) => generation > upTo)
    if (this.#lostIn !== undefined && this.#lostIn <= upTo) this.#lostIn = undefined
  }

  /**
   * Best first among those that are here at the call, with the statistics of the index and of these passages together.
   * To be called before the index is asked, so that nothing moves from here to there unseen between the two.
   */
  async find(
    { terms, counts, forms = [], groupIds, documentIds, exceptDocumentIds, limit }: RecentQuery,
    statistics: Promise<TermStatistics>,
  ): Promise<RecentResult> {
    const held = this.#segments
    await this.#indexAll(held)
    const ofIndex = await statistics
    const occurrences = terms.map((term, at) =>
      [term, ...(forms[at] ?? [])].flatMap((form) => occurrencesOf(form, held)),
    )
    const documentFrequencies = occurrences.map((found, term) => {
      return (ofIndex.documentFrequencies[term] ?? 0) + found.length
    })
    const groups = groupIds && new Set(groupIds)
    const documents = documentIds && new Set(documentIds)
    const excepted = new Set(exceptDocumentIds)
    const scores = new Map<Entry, number>()
    for (const [term, found] of occurrences.entries()) {
      const weight = (counts[term] ?? 1) * idfOf(documentFrequencies[term] ?? 0, ofIndex.passages)
      for (const { entry, occurrences } of found) {
        if (entry.isGone || (groups && !groups.has(entry.groupId))) continue
        if (documents && !documents.has(entry.passage.documentId)) continue
        if (excepted.has(entry.passage.documentId)) continue
        const earned = weight * occurrenceWeight(occurrences, entry.length, ofIndex.averageLength)
        scores.set(entry, (scores.get(entry) ?? 0) + earned)
      }
    }
    const hits = [...scores]
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([{ passage, groupId }, bm25]) => ({ passage: { ...passage, groupId }, bm25 }))
    return { hits, statistics: { ...ofIndex, documentFrequencies } }
  }

  #segment(): Segment {
    const last = this.#segments.at(-1)
    if (last?.generation === this.#generation) return last
    const fresh: Segment = {
      generation: this.#generation,
      entries: [],
      indexed: 0,
      postings: new Map(),
      withUnspaced: [],
    }
    this.#segments.push(fresh)
    return fresh
  }

  #drop(isDropped: (entry: Entry) => boolean): void {
    for (const [id, entry] of this.#byId) {
      if (!isDropped(entry)) continue
      entry.isGone = true
      this.#byId.delete(id)
    }
  }

  async #indexAll(segments: Segment[]): Promise<void> {
    for (let waiting = true; waiting; ) {
      waiting = false
      for (const segment of segments) {
        indexSome(segment)
        if (segment.indexed < segment.entries.length) waiting = true
      }
      if (waiting) await yieldToEventLoop()
    }
  }
}

function indexSome(segment: Segment): void {
  const end = Math.min(segment.entries.length, segment.indexed + INDEXED_PER_TURN)
  for (; segment.indexed < end; segment.indexed++) {
    const entry = segment.entries[segment.indexed] as Entry
    const body = bodyOf(entry.passage)
    const counts = new Map<string, number>()
    let unspacedCharacters = 0
    let length = 0
    forEachSpan(body, (start, stop, unspaced) => {
      if (unspaced) {
        unspacedCharacters += stop - start
        return
      }
      const term = termOf(body.slice(start, stop))
      if (!term) return
      length += 1
      counts.set(term, (counts.get(term) ?? 0) + 1)
    })
    entry.length = length + Math.ceil(unspacedCharacters / UNSPACED_CHARACTERS_PER_WORD)
    if (unspacedCharacters > 0) segment.withUnspaced.push(entry)
    for (const [term, occurrences] of counts) {
      const postings = segment.postings.get(term)
      if (postings) postings.push({ entry, occurrences })
      else segment.postings.set(term, [{ entry, occurrences }])
    }
  }
}

function occurrencesOf(term: string, segments: Segment[]): { entry: Entry; occurrences: number }[] {
  if (!hasUnspaced(term)) return segments.flatMap(({ postings }) => postings.get(term) ?? [])
  const finder = new TermFinder([term])
  return segments.flatMap(({ withUnspaced }) =>
    withUnspaced.flatMap((entry) => {
      const occurrences = finder.find(bodyOf(entry.passage)).length
      return occurrences > 0 ? [{ entry, occurrences }] : []
    }),
  )
}

function bodyOf({ heading, text }: Passage): string {
  return `${heading}\n${text}`
}
