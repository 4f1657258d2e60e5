import type { Table } from '@lancedb/lancedb'
import { spacedTerms } from '../analysis/analysis.ts'
import type { QueryText } from '../analysis/query-text.ts'
import type { SearchQuery } from '../engine.ts'
import { createPartCounter, type PartCounter } from '../ranking/part-statistics.ts'
import { nearestWord } from '../ranking/spelling.ts'
import { type RecentHit, RecentPassages } from '../recent/recent-passages.ts'
import { createTermWeights, type TermStatistics, type TermWeights } from '../recent/term-weights.ts'
import { Compaction } from './compaction.ts'
import { isCommitConflict, isTableAbsent } from './lance-failures.ts'
import type { Lance, LanceConnection, OpenTable } from './lance-library.ts'
import { createFilteredReads, type FilteredReads } from './rows/filtered-reads.ts'
import { TEXT_INDEX, tableSchema, textIndexOptions } from './rows/lance-columns.ts'
import { type Candidate, createReads, type Reads } from './rows/lance-reads.ts'
import { createWrites, type Write, type Writes } from './rows/lance-writes.ts'

export interface SpaceOptions {
  /** The table's name. */
  name: string
  /** The connection to use from now on: a new one once the last is worn. */
  connect(): Promise<LanceConnection>
  shared: boolean
  compacts: boolean
  /** See `LanceEngineOptions`. */
  runExclusive(work: string, run: () => Promise<void>): Promise<boolean>
  onBackgroundError(error: unknown): void
  /** Called after each commit: files were written. */
  onCommit(): void
}

/** Number of rows below which a scan is as fast as a lookup and an index only costs upkeep. */
const KEY_INDEX_ROWS = 10_000
const KEY_COLUMNS = ['id', 'document_id', 'group_id']
/** Random delay, so that processes that heard of the same writes do not compact at the same moment. */
const SHARED_SPREAD_MS = 2_000
/** Readers in other processes may stand on an old version for long; our own queries take milliseconds. */
const KEEP_VERSIONS_MS = { shared: 600_000, alone: 60_000 }

export async function openSpace(options: SpaceOptions): Promise<LanceSpace | undefined> {
  const lance = await options.connect()
  try {
    const table = await lance.connection.openTable(options.name)
    return await createSpace(lance, table, options)
  } catch (error) {
    if (isTableAbsent(error)) return undefined
    throw error
  }
}

/** @param dimension length of the vectors; undefined for a space without */
export async function createEmptySpace(options: SpaceOptions, dimension: number | undefined): Promise<LanceSpace> {
  const lance = await options.connect()
  const table = await lance.connection.createEmptyTable(options.name, tableSchema(lance.arrow, dimension), {
    existOk: true,
    // With stable row ids a moved passage keeps its place in the index, and compaction need not rewrite the index.
    storageOptions: { newTableEnableStableRowIds: 'true' },
  })
  return createSpace(lance, table, options)
}

async function createSpace(connection: LanceConnection, table: Table, options: SpaceOptions): Promise<LanceSpace> {
  await ensureTextIndex(connection.lance, table)
  const dimension = await vectorDimension(table)
  return new LanceSpace(connection, { table }, dimension, await countUnindexed(table), options)
}

/** Passages of one organization: a table, its indexes, and what was written since they were last brought up to date. */
export class LanceSpace {
  readonly findByVector: Reads['findByVector']
  readonly segment: Reads['segment']
  readonly passages: Reads['passages']
  readonly documentIds: Reads['documentIds']
  readonly findPart: PartCounter['find']
  readonly write: Writes['write']
  readonly #options: SpaceOptions
  readonly #open: OpenTable
  readonly #reads: Reads
  readonly #filtered: FilteredReads
  readonly #writes: Writes
  /** Undefined where other processes write, too: nothing is known here of what they write. */
  readonly #recent: RecentPassages | undefined
  readonly #weights: TermWeights
  readonly #compaction: Compaction
  #connection: LanceConnection
  #wasBusy = false

  constructor(
    connection: LanceConnection,
    open: OpenTable,
    dimension: number | undefined,
    unindexed: number,
    options: SpaceOptions,
  ) {
    const { shared, compacts } = options
    this.#options = options
    this.#open = open
    this.#connection = connection
    this.#recent = shared ? undefined : new RecentPassages(unindexed === 0)
    this.#reads = createReads(connection.lance, open, dimension)
    this.#filtered = createFilteredReads(this.#reads)
    this.#weights = createTermWeights(this.#reads, { keepsAbsent: !shared })
    this.#writes = createWrites(connection.arrow, open, dimension, (write) => this.#noteWrite(write))
    this.#compaction = this.#createCompaction()
    if (compacts && unindexed > 0) this.#compaction.wrote(unindexed)
    this.findByVector = this.#reads.findByVector
    this.segment = this.#reads.segment
    this.passages = this.#reads.passages
    this.documentIds = this.#reads.documentIds
    this.findPart = createPartCounter(this.#reads).find
    this.write = this.#writes.write
  }

  /** Candidates by words, best first, and how the terms are spread. */
  async findByWords(
    { searchText: itsWords, terms, counts, forms, formsText }: QueryText,
    query: SearchQuery,
    filter: string | undefined,
    limit: number,
  ): Promise<{ candidates: Candidate[]; statistics: TermStatistics }> {
    if (terms.length === 0) return { candidates: [], statistics: await this.#weights.statistics([]) }
    const searchText = formsText ? `${itsWords} ${formsText}` : itsWords
    // One of several processes may never come to its turn of compacting.
    if (this.#options.shared) await this.#renew()
    if (!this.#recent?.isComplete()) {
      this.#compaction.searched()
      const scanned = this.#filtered.findByWords(searchText, query, filter, limit, true)
      return { candidates: await scanned, statistics: await this.#weights.statistics(terms) }
    }
    const fromMemory = this.#recent.find({ ...query, terms, counts, forms, limit }, this.#weights.statistics(terms))
    const fromIndex = this.#filtered.findByWords(searchText, query, filter, limit, false)
    const [candidates, found] = await Promise.all([fromIndex, fromMemory])
    return { candidates: mergeRecent(candidates, found.hits, limit), statistics: found.statistics }
  }

  /** Finds the word of what is searched that was meant by one that occurs nowhere. */
  async wordFor(term: string, filter: string | undefined): Promise<string | undefined> {
    return nearestWord(term, (await this.#reads.bodiesLike(term, filter)).flatMap(spacedTerms))
  }

  compact(): ReturnType<Compaction['runNow']> {
    return this.#compaction.runNow()
  }

  /** Whether closing it would cut nothing off. */
  isIdle(): boolean {
    return this.#writes.isIdle() && this.#compaction.isIdle()
  }

  async close(): Promise<void> {
    await Promise.all([this.#compaction.stop(), this.#writes.idle()])
    closeUnlessBusy(this.#open.table)
  }

  #createCompaction(): Compaction {
    const { shared, onBackgroundError } = this.#options
    const optimize = () => (shared ? this.#optimizeAmongOthers() : this.#optimize())
    return new Compaction({
      runUnlessBusy: (run) => this.#runUnlessBusy(run),
      run: async () => {
        await optimize()
        await this.#renew()
      },
      runAlone: async () => {
        await this.#writes.exclusively(optimize)
        await this.#renew()
      },
      isConflict: isCommitConflict,
      onError: onBackgroundError,
      spreadMs: shared ? SHARED_SPREAD_MS : 0,
    })
  }

  #noteWrite(write: Write): void {
    const { onCommit, compacts, shared } = this.#options
    onCommit()
    if (this.#recent) applyWrite(this.#recent, write)
    if (!compacts) return
    this.#compaction.wrote(write.kind === 'add' ? write.passages.length : 0)
    // Others search it, too, and every search scans what is not indexed.
    if (shared) this.#compaction.searched()
  }

  /** Continues with the table of the connection that is to be used from now on, if that is another one. */
  async #renew(): Promise<void> {
    const latest = await this.#options.connect()
    if (latest === this.#connection) return
    // With no write under way: the new one would not see what the old one wrote after it was opened.
    await this.#writes.exclusively(async () => {
      this.#open.table = await latest.connection.openTable(this.#options.name)
      this.#connection = latest
    })
  }

  async #optimize(): Promise<void> {
    const { shared, onCommit } = this.#options
    const keep = shared ? KEEP_VERSIONS_MS.shared : KEEP_VERSIONS_MS.alone
    const generation = this.#recent?.seal() ?? 0
    await this.#open.table.optimize({ cleanupOlderThan: new Date(Date.now() - keep) })
    await ensureKeyIndexes(this.#connection.lance, this.#open.table)
    onCommit()
    this.#weights.forget()
    const left = await countUnindexed(this.#open.table)
    if (this.#recent && left <= this.#recent.countSince(generation)) this.#recent.release(generation)
  }

  async #optimizeAmongOthers(): Promise<void> {
    try {
      await this.#optimize()
    } catch (error) {
      if (!isCommitConflict(error)) throw error
      // Another process may have done just this in between.
      if ((await countUnindexed(this.#open.table)) > 0) throw error
    }
  }

  async #runUnlessBusy(run: () => Promise<void>): Promise<boolean> {
    const ran = await this.#options.runExclusive(`compaction of ${this.#options.name}`, async () => {
      const isDone = this.#wasBusy && (await countUnindexed(this.#open.table)) === 0
      if (!isDone) await run()
    })
    this.#wasBusy = !ran
    return ran
  }
}

const countUnindexed = async (table: Table): Promise<number> =>
  (await table.indexStats(TEXT_INDEX))?.numUnindexedRows ?? 0

function applyWrite(recent: RecentPassages, write: Write): void {
  if (write.kind === 'add') recent.add(write.passages)
  else if (write.kind === 'remove') recent.remove(write.documentIds)
  else if (write.kind === 'trim') recent.trim(write.documentId, write.fromOrdinal)
  else recent.move(write.documentId, write.groupId)
}

function mergeRecent(indexed: Candidate[], recent: RecentHit[], limit: number): Candidate[] {
  if (recent.length === 0) return indexed
  const byId = new Map(indexed.map((candidate) => [candidate.id, candidate]))
  for (const { passage, bm25 } of recent) {
    const { vector: _, ...stored } = passage
    const body = `${passage.heading}\n${passage.text}`
    const headingLength = passage.heading.length
    const { id, documentId, groupId } = passage
    byId.set(id, { id, documentId, groupId, body, headingLength, bm25, similarity: 0, passage: () => stored })
  }
  return [...byId.values()].sort((a, b) => b.bm25 - a.bm25).slice(0, limit)
}

function closeUnlessBusy(table: Table): void {
  try {
    table.close()
  } catch {
    // A read or a long compaction still holds it; it goes when that ends, and no commit is ever half done.
  }
}

async function ensureTextIndex(lance: Lance, table: Table): Promise<void> {
  if (await table.indexStats(TEXT_INDEX)) return
  const config = lance.Index.fts(textIndexOptions())
  try {
    await table.createIndex('body', { config, name: TEXT_INDEX, replace: false })
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!(await table.indexStats(TEXT_INDEX))) throw error
  }
}

async function ensureKeyIndexes(lance: Lance, table: Table): Promise<void> {
  if ((await table.countRows()) < KEY_INDEX_ROWS) return
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns))
  for (const column of KEY_COLUMNS.filter((column) => !indexed.has(column))) {
    await table.createIndex(column, { config: lance.Index.btree(), replace: false })
  }
}

async function vectorDimension(table: Table): Promise<number | undefined> {
  const field = (await table.schema()).fields.find(({ name }) => name === 'vector')
  return field && (field.type as { listSize: number }).listSize
}
