import type { Connection } from '@lancedb/lancedb'
import { checkSpareDescriptors } from '../descriptors.ts'
import { lazy } from '../lazy.ts'

export type Lance = typeof import('@lancedb/lancedb')
export type Arrow = typeof import('apache-arrow')

/** Local folder, or `s3://bucket/prefix` with what LanceDB wants to know of the store. */
export interface LanceStorage {
  uri: string
  storageOptions?: Record<string, string>
  /** Most memory that LanceDB may keep of what it has read, in bytes. Default 128 MiB. */
  cacheBytes?: number
}

export interface LanceConnection {
  lance: Lance
  arrow: Arrow
  connection: Connection
}

const CACHE_BYTES = 128 * 1024 ** 2
/**
 * Share of the cache for the words' places; the rest is for what describes files and versions. Entries of versions that
 * are gone stay until others push them out, and LanceDB's own limits are 6 and 1 GB.
 */
const INDEX_SHARE = 0.75

/** Its threads need some at once, and end the process where there is none left. */
const DESCRIPTORS = 64

const library = lazy<Lance>(async () => {
  checkSpareDescriptors(DESCRIPTORS)
  return import('@lancedb/lancedb')
})

/** Loads LanceDB: 45 MB of memory and 0.15 s, so not before it is needed. @throws UnavailableError without descriptors */
export function loadLance(): Promise<Lance> {
  // A compaction that loses against a concurrent delete is tried again; LanceDB would warn on standard error each time.
  process.env.LANCEDB_LOG ??= 'error'
  return library.get()
}

/** @param shared whether other processes write there, so that each read has to look for their commits. */
export async function connectLance(storage: LanceStorage, shared: boolean): Promise<LanceConnection> {
  const lance = await loadLance()
  const arrow = await import('apache-arrow')
  const connection = await lance.connect({
    uri: storage.uri,
    session: newSession(lance, storage.cacheBytes ?? CACHE_BYTES),
    ...(storage.storageOptions && { storageOptions: storage.storageOptions }),
    ...(shared && { readConsistencyInterval: 0 }),
  })
  return { lance, arrow, connection }
}

function newSession(lance: Lance, cacheBytes: number) {
  const indexBytes = Math.floor(cacheBytes * INDEX_SHARE)
  return new lance.Session(BigInt(indexBytes), BigInt(cacheBytes - indexBytes))
}
