import { createRequire } from 'node:module'
import type { Connection, Session, Table } from '@lancedb/lancedb'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { loadInSteps } from '../../platform/host/load-in-steps.ts'
import { checkSpareDescriptors } from '../../platform/host/spare-descriptors.ts'

export type Lance = typeof import('@lancedb/lancedb')
export type Arrow = typeof import('apache-arrow')

/** Local folder, or `s3://bucket/prefix` with what LanceDB wants to know of the store. */
export interface LanceStorage {
  uri: string
  storageOptions?: Record<string, string>
  /** Most memory that LanceDB may keep of what it has read, in bytes. Default 128 MiB. */
  cacheBytes?: number
  /** Condition for renewing a connection: so many entries in its cache, and at least this age. */
  renewal?: { entries: number; minMs: number }
}

export interface LanceConnection {
  lance: Lance
  arrow: Arrow
  connection: Connection
  /** Whether a new connection should take its place. */
  isWorn(): boolean
}

/** A table as those who use it hold it: what they use may be replaced by the same table of a newer connection. */
export interface OpenTable {
  table: Table
}

const CACHE_BYTES = 128 * 1024 ** 2
/**
 * Share of the cache for the words' places; the rest is for what describes files and versions. LanceDB's own limits are
 * 6 and 1 GB.
 */
const INDEX_SHARE = 0.75

/**
 * The cache keeps entries of versions that are gone, and their files open, until it is full; what an entry costs besides
 * its bytes it does not count. A new connection begins with none. Not often: what is still needed is then read again.
 */
const RENEWAL = { entries: 10_000, minMs: 600_000 }
const LOOK_MS = 1_000

/** Its threads need some at once, and end the process where there is none left. */
const DESCRIPTORS = 64

/**
 * Limits on what LanceDB holds while it brings an index up to date. Its own limits suit large machines: words of gigabytes for
 * each of several threads, and thousands of rows at a time. The first use of the library reads them.
 */
const MEMORY_LIMITS = {
  // One thread collects words, and writes them out at so many MiB: a search asks each part that was written.
  LANCE_FTS_NUM_SHARDS: '1',
  LANCE_FTS_PARTITION_SIZE: '64',
  // Compaction reads so many rows at a time.
  LANCE_DEFAULT_BATCH_SIZE: '1024',
}

const library = lazy<Lance>(async () => {
  checkSpareDescriptors(DESCRIPTORS)
  await loadInSteps('@lancedb/lancedb', import.meta.url)
  return import('@lancedb/lancedb')
})

/** Loads LanceDB: 45 MB of memory and 0.3 s in steps, so not before it is needed. @throws UnavailableError without descriptors */
export function loadLance(): Promise<Lance> {
  // A compaction that loses against a concurrent delete is tried again; LanceDB would warn on standard error each time.
  process.env.LANCEDB_LOG ??= 'error'
  for (const [name, value] of Object.entries(MEMORY_LIMITS)) process.env[name] ??= value
  return library.get()
}

/** Whether it is a folder, and no bucket. */
export const isFolder = ({ uri }: LanceStorage): boolean => !uri.includes('://')

/** @param shared whether other processes write there, so that each read has to look for their commits. */
export async function connectLance(storage: LanceStorage, shared: boolean): Promise<LanceConnection> {
  const lance = await loadLance()
  // The copy that LanceDB has loaded: an import would load a second one, as modules, in a single turn of 80 ms.
  const arrow: Arrow = createRequire(import.meta.url)('apache-arrow')
  const session = newSession(lance, storage.cacheBytes ?? CACHE_BYTES)
  const connection = await lance.connect({
    uri: storage.uri,
    session,
    ...(storage.storageOptions && { storageOptions: storage.storageOptions }),
    ...(shared && { readConsistencyInterval: 0 }),
  })
  return { lance, arrow, connection, isWorn: createWear(session, storage.renewal ?? RENEWAL) }
}

function newSession(lance: Lance, cacheBytes: number) {
  const indexBytes = Math.floor(cacheBytes * INDEX_SHARE)
  return new lance.Session(BigInt(indexBytes), BigInt(cacheBytes - indexBytes))
}

function createWear(session: Session, { entries, minMs }: { entries: number; minMs: number }): () => boolean {
  let dueAt = performance.now() + minMs
  return () => {
    const now = performance.now()
    if (now < dueAt) return false
    dueAt = now + Math.min(minMs, LOOK_MS)
    return session.approxNumItems() > entries
  }
}
