import type { Connection } from '@lancedb/lancedb'

export type Lance = typeof import('@lancedb/lancedb')
export type Arrow = typeof import('apache-arrow')

/** Local folder, or `s3://bucket/prefix` with what LanceDB wants to know of the store. */
export interface LanceStorage {
  uri: string
  storageOptions?: Record<string, string>
}

export interface LanceConnection {
  lance: Lance
  arrow: Arrow
  connection: Connection
}

const INDEX_CACHE_BYTES = 256n * 1024n * 1024n
const METADATA_CACHE_BYTES = 64n * 1024n * 1024n

let library: Promise<Lance> | undefined

/** Loads LanceDB: 45 MB of memory and 0.15 s, so not before it is needed. */
export function loadLance(): Promise<Lance> {
  // A compaction that loses against a concurrent delete is tried again; LanceDB would warn on standard error each time.
  process.env.LANCEDB_LOG ??= 'error'
  library ??= import('@lancedb/lancedb')
  return library
}

/** @param shared whether other processes write there, so that each read has to look for their commits. */
export async function connectLance(storage: LanceStorage, shared: boolean): Promise<LanceConnection> {
  const lance = await loadLance()
  const arrow = await import('apache-arrow')
  const connection = await lance.connect({
    uri: storage.uri,
    session: new lance.Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES),
    ...(storage.storageOptions && { storageOptions: storage.storageOptions }),
    ...(shared && { readConsistencyInterval: 0 }),
  })
  return { lance, arrow, connection }
}
