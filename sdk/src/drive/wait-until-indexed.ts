import { DocentError } from '../http/errors.ts'
import { delay } from '../http/retry.ts'
import type { DataSource } from '../types.ts'
import type { DataSources } from './knowledge-bases.ts'

export interface WaitOptions {
  /** Files to wait for. Default: all that are in the folder, without those in its sub-folders. */
  dataSourceIds?: string[]
  /** Called after each look at the folder. */
  onProgress?: (progress: IndexingProgress) => void
  /** Milliseconds to wait at most. Default: 1,800,000. */
  withinMs?: number
  signal?: AbortSignal
}

/** Progress of the files of a folder. */
export interface IndexingProgress {
  successful: DataSource[]
  /** Each says in `status_reason` why. */
  failed: DataSource[]
  /** Files that still wait or are being indexed. */
  pending: DataSource[]
}

const FIRST_LOOK_MS = 100
const LONGEST_PAUSE_MS = 1_000
const PAGE_SIZE = 500

/** Looks at the folder until nothing is pending; ids that are not in it are not waited for. */
export async function waitUntilIndexed(
  files: DataSources,
  folderId: string,
  { dataSourceIds, onProgress, withinMs = 1_800_000, signal }: WaitOptions = {},
): Promise<IndexingProgress> {
  const wanted = dataSourceIds && new Set(dataSourceIds)
  const endsAt = Date.now() + withinMs
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const progress = await lookAt(files, folderId, wanted, signal)
    onProgress?.(progress)
    if (progress.pending.length === 0) return progress
    if (Date.now() + pauseMs > endsAt)
      throw new DocentError(`${progress.pending.length} files are not indexed yet`, { status: 0, code: 'TIMEOUT' })
    await delay(pauseMs, signal)
  }
}

async function lookAt(
  files: DataSources,
  folderId: string,
  wanted: Set<string> | undefined,
  signal: AbortSignal | undefined,
): Promise<IndexingProgress> {
  const progress: IndexingProgress = { successful: [], failed: [], pending: [] }
  for (let page = 0; ; page++) {
    const found = await files.list(folderId, { page, page_size: PAGE_SIZE }, { signal })
    for (const file of found.data_sources) {
      if (!('status' in file) || (wanted && !wanted.has(file.id))) continue
      progress[file.status === 'indexing' ? 'pending' : file.status].push(file)
    }
    if ((page + 1) * PAGE_SIZE >= found.data_sources_count.total) return progress
  }
}
