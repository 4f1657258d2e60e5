import type { Table } from '@lancedb/lancedb'
import type { QueryText } from '../analysis/query-text.ts'
import type { SearchQuery } from '../engine.ts'
import { type RecentHit, RecentPassages } from '../recent/recent-passages.ts'
import { createTermWeights, type TermStatistics } from '../recent/term-weights.ts'
import { Compaction } from './compaction.ts'
import { isCommitConflict, isTableAbsent } from './lance-failures.ts'
import type { Lance, LanceConnection, OpenTable } from './lance-library.ts'
import { TEXT_INDEX, tableSchema, textIndexOptions } from './rows/lance-columns.ts'
import { type Candidate, createReads } from './rows/lance-reads.ts'
import { createWrites, type Write } from './rows/lance-writes.ts'

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
  /** Told after each commit: files were written. */
  onCommit(): void
}

export type LanceSpace = Awaited<ReturnType<typeof createSpace>>

/** Below it a scan is as fast as a lookup, and an index is one more thing to keep up to date. */
const KEY_INDEX_ROWS = 10_000
const KEY_COLUMNS = ['id', 'document_id', 'group_id']
/** So that processes which heard of the same writes do not compact at the same moment. */
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

async function createSpace(
  opened: LanceConnection,
  table: Table,
  { name, connect, shared, compacts, runExclusive, onBackgroundError, onCommit }: SpaceOptions,
) {
  const { lance, arrow } = opened
  await ensureTextIndex(lance, table)
  const dimension = await vectorDimension(table)
  const open: OpenTable = { table }
  const countUnindexed = async () => (await open.table.indexStats(TEXT_INDEX))?.numUnindexedRows ?? 0
  const unindexed = await countUnindexed()
  // Nothing is known here of what other processes write.
  const recent = shared ? undefined : new RecentPassages(unindexed === 0)
  const reads = createReads(lance, open, dimension)
  const weights = createTermWeights(reads, { keepsAbsent: !shared })
  const writes = createWrites(arrow, open, dimension, (write) => {
    onCommit()
    if (recent) tell(recent, write)
    if (!compacts) return
    compaction.wrote(write.kind === 'add' ? write.passages.length : 0)
    // Others search it, too, and every search scans what is not indexed.
    if (shared) compaction.searched()
  })
  const compaction = new Compaction({
    runUnlessBusy,
    run: async () => {
      await optimizeSafely()
      await renew()
    },
    runAlone: async () => {
      await writes.exclusively(optimizeSafely)
      await renew()
    },
    isConflict: isCommitConflict,
    onError: onBackgroundError,
    spreadMs: shared ? SHARED_SPREAD_MS : 0,
  })
  if (compacts && unindexed > 0) compaction.wrote(unindexed)

  const optimizeSafely = shared ? optimizeAmongOthers : optimize
  let current = opened

  /** Goes on with the table of the connection that is to be used from now on, if that is another one. */
  async function renew(): Promise<void> {
    const latest = await connect()
    if (latest === current) return
    // With no write under way: the new one would not see what the old one wrote after it was opened.
    await writes.exclusively(async () => {
      open.table = await latest.connection.openTable(name)
      current = latest
    })
  }

  async function optimize(): Promise<void> {
    const keep = shared ? KEEP_VERSIONS_MS.shared : KEEP_VERSIONS_MS.alone
    const generation = recent?.seal() ?? 0
    await open.table.optimize({ cleanupOlderThan: new Date(Date.now() - keep) })
    await ensureKeyIndexes(lance, open.table)
    onCommit()
    weights.forget()
    const left = await countUnindexed()
    if (recent && left <= recent.countSince(generation)) recent.release(generation)
  }

  let wasBusy = false

  async function runUnlessBusy(run: () => Promise<void>): Promise<boolean> {
    const ran = await runExclusive(`compaction of ${name}`, async () => {
      const isDone = wasBusy && (await countUnindexed()) === 0
      if (!isDone) await run()
    })
    wasBusy = !ran
    return ran
  }

  async function optimizeAmongOthers(): Promise<void> {
    try {
      await optimize()
    } catch (error) {
      if (!isCommitConflict(error)) throw error
      // Another process may have done just this in between.
      if ((await countUnindexed()) > 0) throw error
    }
  }

  /** Candidates by words, best first, and how the terms are spread. */
  async function findByWords(
    { searchText, terms }: QueryText,
    { groupIds, documentIds }: SearchQuery,
    filter: string | undefined,
    limit: number,
  ): Promise<{ candidates: Candidate[]; statistics: TermStatistics }> {
    if (terms.length === 0) return { candidates: [], statistics: await weights.statistics([]) }
    // One of several processes may never come to its turn of compacting.
    if (shared) await renew()
    if (!recent?.isComplete()) {
      compaction.searched()
      const scanned = reads.findByWords(searchText, filter, limit, true)
      return { candidates: await scanned, statistics: await weights.statistics(terms) }
    }
    const fromMemory = recent.find({ terms, groupIds, documentIds, limit }, weights.statistics(terms))
    const fromIndex = reads.findByWords(searchText, filter, limit, false)
    const [candidates, found] = await Promise.all([fromIndex, fromMemory])
    return { candidates: mergeRecent(candidates, found.hits, limit), statistics: found.statistics }
  }

  return {
    findByWords,
    findByVector: reads.findByVector,
    segment: reads.segment,
    passages: reads.passages,
    documentIds: reads.documentIds,
    write: writes.write,
    compact: () => compaction.runNow(),
    /** Whether closing it would cut nothing off. */
    isIdle: () => writes.isIdle() && compaction.isIdle(),
    close: async () => {
      await Promise.all([compaction.stop(), writes.idle()])
      closeUnlessBusy(open.table)
    },
  }
}

function tell(recent: RecentPassages, write: Write): void {
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
    byId.set(passage.id, { id: passage.id, body, bm25, passage: () => stored })
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
