import { setTimeout as delay } from 'node:timers/promises'
import { deadline } from '../../platform/concurrency/deadline.ts'
import { type Lazy, lazy } from '../../platform/concurrency/lazy.ts'
import { readQueryText } from '../analysis/query-text.ts'
import type {
  Bonuses,
  Hit,
  Passage,
  PassageRange,
  Ranks,
  SearchEngine,
  SearchQuery,
  SearchResult,
  StoredPassage,
} from '../engine.ts'
import { SearchDamagedError, SearchUnavailableError } from '../errors.ts'
import { fuseScores } from '../ranking/fusion.ts'
import { rerank } from '../ranking/rerank.ts'
import { type ChecksumKeeper, createChecksumKeeper } from './checksums/checksum-keeper.ts'
import { findByWords } from './find-by-words.ts'
import { isStoreAway, isTableAbsent, isTableGone, mayBeDamage } from './lance-failures.ts'
import { connectLance, isFolder, type LanceConnection, type LanceStorage } from './lance-library.ts'
import { createEmptySpace, type LanceSpace, openSpace, type SpaceOptions } from './lance-space.ts'
import { createOpenSpaces } from './open-spaces.ts'
import { LAYOUT_VERSION } from './rows/lance-columns.ts'
import { checkSpace, queryFilter } from './rows/lance-filters.ts'
import type { Candidate } from './rows/lance-reads.ts'
import type { Write } from './rows/lance-writes.ts'

export interface LanceEngineOptions extends LanceStorage {
  /** Whether other processes write there, too. */
  shared: boolean
  /** Whether this process keeps the index compact; of several, one that writes. Default true. */
  compacts?: boolean
  /**
   * Runs the creation or compaction of one table unless another process is at it.
   * @returns whether it ran. Default: it runs.
   */
  runExclusive?(work: string, run: () => Promise<void>): Promise<boolean>
  /** Time after which a search fails as one of a damaged index. Default 30 s. */
  searchMaxMs?: number
  /** Called with failures in the background, which nobody waits for. */
  onBackgroundError(error: unknown): void
  /** Called with what may be damage of a space: at each call that meets it, and in the background, too. */
  onSuspect?(space: string, error: unknown): void
  /** Called with a space that passages are added to while it holds nothing: it is new, or was lost. */
  onBegun?(space: string): void
}

/** Candidates that are reranked: twice the hits asked for, and at least these. More change nothing, measured. */
const CANDIDATES_MIN = 50
const OPEN_SPACES_MAX = 200
const HITS_MAX = 100
/** Longest time for a call: LanceDB may read a damaged index for ever. */
const SEARCH_MAX_MS = 30_000
/** Longest wait for another process that creates the same table. */
const CREATION_MAX_MS = 60_000
const CREATION_POLL_MS = 50

type Settled = LanceEngineOptions & Required<Pick<LanceEngineOptions, 'compacts' | 'runExclusive' | 'searchMaxMs'>>

/** The search engine on LanceDB, a table a space. Nothing is loaded or opened before it is first used. */
export class LanceEngine implements SearchEngine {
  readonly #options: Settled
  readonly #spaces = createOpenSpaces<LanceSpace>(OPEN_SPACES_MAX)
  readonly #connection: Lazy<LanceConnection>
  // Only processes that write compact; a bucket checks what it holds by itself.
  readonly #checksums: ChecksumKeeper | undefined

  constructor(given: LanceEngineOptions) {
    const defaults = { compacts: true, runExclusive: runUnopposed, searchMaxMs: SEARCH_MAX_MS }
    const options = { ...defaults, ...given }
    this.#options = options
    this.#connection = lazy(() => connectLance(options, options.shared))
    this.#checksums =
      options.compacts && isFolder(options)
        ? createChecksumKeeper({
            uri: options.uri,
            onDamage: (table, reason) => this.#onDamage(table, reason),
            onError: options.onBackgroundError,
          })
        : undefined
  }

  /**
   * Adds passages, or replaces those with the same id. When it resolves they survive the end of the process, however
   * it comes, and a search finds them.
   * Calls on one space that come within a few milliseconds share one commit. An empty list resolves at once.
   * @param options.areNew the caller knows that nothing with these ids was ever added: a third of the work
   * @throws SearchInputError when an id is not 24 hex characters, or a vector's length differs from the space's
   */
  async add(space: string, passages: Passage[], { areNew = false } = {}): Promise<void> {
    const [first] = passages
    if (!first) return
    const write = async (opened: LanceSpace) => {
      await opened.write({ kind: 'add', passages, areNew })
      return true
    }
    if (await this.#on(space, write)) return
    this.#options.onBegun?.(space)
    const startedAt = performance.now()
    // A search that looks for the space at this moment finds none, and a caller that joins it gets none.
    while (!(await this.#using(space, () => this.#openOrCreate(space, first.vector?.length), write))) {
      if (performance.now() - startedAt > CREATION_MAX_MS) throw new SearchUnavailableError()
      await delay(CREATION_POLL_MS)
    }
  }

  /**
   * The best passages, best first, and the terms that the text was understood as. Any text is a valid query: it is
   * analysed, never parsed, and cut to `QUERY_MAX_TERMS` terms. A space that holds nothing gives no hits.
   */
  async search(space: string, query: SearchQuery): Promise<SearchResult> {
    const filter = queryFilter(query)
    const nothing = { hits: [], terms: [] }
    if (query.groupIds?.length === 0 || query.documentIds?.length === 0) return nothing
    return (
      (await this.#on(space, (opened) => searchSpace(opened, query, filter), this.#options.searchMaxMs)) ?? {
        ...nothing,
        isAbsent: true,
      }
    )
  }

  /** Drops everything that the space holds of these documents; unknown ones are skipped. */
  async remove(space: string, documentIds: string[]): Promise<void> {
    if (documentIds.length > 0) await this.#write(space, { kind: 'remove', documentIds })
  }

  /** Drops a document's passages from this ordinal on: what is left of an earlier, longer version of it. */
  trim(space: string, documentId: string, fromOrdinal: number): Promise<void> {
    return this.#write(space, { kind: 'trim', documentId, fromOrdinal })
  }

  /** Puts all of a document's passages into another group. */
  move(space: string, documentId: string, groupId: string): Promise<void> {
    return this.#write(space, { kind: 'move', documentId, groupId })
  }

  /** The passages of these ranges, by document and ordinal; both ends of a range are included. */
  async passages(space: string, ranges: PassageRange[]): Promise<StoredPassage[]> {
    return ranges.length === 0 ? [] : ((await this.#on(space, (opened) => opened.passages(ranges))) ?? [])
  }

  /** Documents that the space holds anything of, for those who look for orphans. */
  async documentIds(space: string): Promise<string[]> {
    return (await this.#on(space, (opened) => opened.documentIds())) ?? []
  }

  /** Brings the index up to date with what was added, now. It happens by itself in the background, too. */
  async maintain(space: string): Promise<void> {
    await this.#on(space, (opened) => opened.compact())
  }

  /** Throws away all that the space holds, also if it cannot be read; what is added later begins a new one. */
  async drop(space: string): Promise<void> {
    await this.#spaces.close(space).catch(() => {})
    // The cache of the old connection must not be mistaken for what the new one holds.
    await this.#connection.forget()
    try {
      const { connection: fresh } = await this.#connection.get()
      await fresh.dropTable(tableOf(space))
    } catch (error) {
      if (isStoreAway(error)) throw new SearchUnavailableError({ cause: error })
      if (!isTableAbsent(error)) throw error
    }
    this.#checksums?.changed(tableOf(space))
  }

  /** Waits for writes under way and lets go of all files. The engine can be used again. */
  async close(): Promise<void> {
    await this.#spaces.closeAll()
    await this.#checksums?.close()
    const opened = await this.#connection.forget()
    try {
      opened?.connection.close()
    } catch {
      // A search that LanceDB does not come back from still holds it; it ends with the process.
    }
  }

  /** The connection that is to be used from now on. */
  async #connect(): Promise<LanceConnection> {
    const opened = await this.#connection.get()
    if (opened.isWorn()) await this.#connection.forget()
    return this.#connection.get()
  }

  #onDamage(table: string, reason: string): void {
    if (table.endsWith(TABLE_END)) this.#options.onSuspect?.(table.slice(0, -TABLE_END.length), new Error(reason))
  }

  #settings(space: string): SpaceOptions {
    const { onSuspect, onBackgroundError, shared, compacts, runExclusive } = this.#options
    const onError = (error: unknown) => {
      if (mayBeDamage(error)) onSuspect?.(space, error)
      onBackgroundError(error)
    }
    const name = tableOf(space)
    const onCommit = () => this.#checksums?.changed(name)
    return {
      name,
      connect: () => this.#connect(),
      shared,
      compacts,
      runExclusive,
      onBackgroundError: onError,
      onCommit,
    }
  }

  /** Runs on an existing space. @param maxMs how long that may take; absent for any time */
  async #on<T>(space: string, run: (space: LanceSpace) => Promise<T>, maxMs?: number): Promise<T | undefined> {
    const spaceSettings = this.#settings(space)
    return this.#using(space, () => openSpace(spaceSettings), run, maxMs)
  }

  /** @throws SearchUnavailableError where the storage does not answer, SearchDamagedError where it cannot be read */
  async #using<T>(
    space: string,
    open: () => Promise<LanceSpace | undefined>,
    run: (space: LanceSpace) => Promise<T>,
    maxMs?: number,
  ): Promise<T | undefined> {
    const use = () => this.#spaces.use(space, open, run)
    try {
      const done = use().catch((error) => {
        if (!isTableGone(error)) throw error
        // Dropped from outside, and perhaps made again: what was open is of no use any more.
        this.#spaces.forget(space)
        return use()
      })
      return await (maxMs === undefined ? done : deadline(done, maxMs))
    } catch (error) {
      if (isStoreAway(error)) throw new SearchUnavailableError({ cause: error })
      if (!mayBeDamage(error)) throw error
      this.#spaces.forget(space)
      this.#options.onSuspect?.(space, error)
      throw new SearchDamagedError({ cause: error })
    }
  }

  async #write(space: string, write: Write): Promise<void> {
    await this.#on(space, (opened) => opened.write(write))
  }

  /**
   * Opens a space, or creates it under a lock: of two processes that create a table at the same moment, LanceDB lets
   * the later one overwrite the earlier one with all that was written to it.
   * @returns undefined while another process has the lock
   */
  async #openOrCreate(space: string, dimension: number | undefined): Promise<LanceSpace | undefined> {
    const spaceSettings = this.#settings(space)
    let opened = await openSpace(spaceSettings)
    if (opened) return opened
    await this.#options.runExclusive(`creation of ${tableOf(space)}`, async () => {
      opened = await openSpace(spaceSettings)
      if (opened) return
      await this.#checksums?.begins(tableOf(space))
      opened = await createEmptySpace(spaceSettings, dimension)
    })
    return opened
  }
}

/** The table that holds a space. */
export const tableOf = (space: string): string => checkSpace(space) + TABLE_END

const TABLE_END = `.v${LAYOUT_VERSION}`

async function searchSpace(space: LanceSpace, query: SearchQuery, filter: string | undefined): Promise<SearchResult> {
  const asked = await readQueryText(query.text, space.segment)
  const limit = Math.min(Math.max(1, Math.trunc(query.limit)), HITS_MAX)
  const depth = Math.max(CANDIDATES_MIN, 2 * limit)
  const [byWords, byVector, part] = await Promise.all([
    findByWords(space, asked, query, { filter, depth }),
    query.vector ? space.findByVector(query.vector, filter, depth) : [],
    filter ? space.findPart(filter) : undefined,
  ])
  const { candidates, text, statistics } = byWords
  const searched = part && { ...part, isAll: candidates.length < depth }
  const lexical = rerank(candidates, { ...text, part: searched }, statistics)
  const ranked = byVector.length > 0 ? fuse(lexical.candidates, byVector) : lexical.candidates
  const placesOf = {
    words: places(lexical.candidates.map(({ candidate }) => candidate).sort((a, b) => b.bm25 - a.bm25)),
    reranked: places(lexical.candidates.map(({ candidate }) => candidate)),
    meaning: places(byVector),
  }
  const hits = ranked.slice(0, limit).map(({ candidate, score, bonuses }): Hit => {
    const { id, bm25 } = candidate
    const placeIn = (list: keyof Ranks) => placesOf[list].get(id) ?? null
    const ranks = { words: placeIn('words'), reranked: placeIn('reranked'), meaning: placeIn('meaning') }
    return { ...candidate.passage(), score, bm25, bonuses, ranks }
  })
  return { hits, terms: lexical.terms }
}

/** Places of a list that is best first, from 1, by id. */
const places = (list: readonly Candidate[]) => new Map(list.map(({ id }, index) => [id, index + 1]))

interface Ranked {
  candidate: Candidate
  score: number
  bonuses?: Bonuses
}

function fuse(lexical: Ranked[], dense: Candidate[]): Ranked[] {
  const candidates = new Map(dense.map((candidate) => [candidate.id, candidate]))
  for (const { candidate } of lexical) candidates.set(candidate.id, candidate)
  const scores = fuseScores(
    lexical.map(({ candidate, score }) => ({ id: candidate.id, score })),
    dense.map(({ id, similarity }) => ({ id, score: similarity })),
  )
  const bonuses = new Map(lexical.map((ranked) => [ranked.candidate.id, ranked.bonuses]))
  return [...candidates.values()]
    .map((candidate) => ({
      candidate,
      score: scores.get(candidate.id) as number,
      bonuses: bonuses.get(candidate.id),
    }))
    .sort((a, b) => b.score - a.score)
}

async function runUnopposed(_work: string, run: () => Promise<void>): Promise<boolean> {
  await run()
  return true
}
