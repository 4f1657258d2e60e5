import type { Db } from '../../../db.ts'
import type { IndexingReason } from '../../../platform/error-codes/indexing-reasons.ts'

export const INDEXING_STAGES = [
  'queued',
  'unpacking',
  'transcribing',
  'reading',
  'ocr',
  'embedding',
  'writing',
  'done',
] as const
export type IndexingStage = (typeof INDEXING_STAGES)[number]

/** How far the indexing of a file is, or the last one was. */
export interface IndexingProgress {
  /** The last stage that it came to: of a file that failed, the one in which it did. */
  stage: IndexingStage
  /**
   * Entries while an archive is unpacked, seconds of a recording while it is transcribed, pages while a file is read,
   * passages after that.
   */
  done: number
  /** Null while it is not known. */
  total: number | null
  /** Number of the attempt, from 1; 0 while none has begun. */
  attempt: number
  /** Code of the reason why it failed. */
  reason_code: IndexingReason | null
}

/** Columns of a file that is asked to be indexed. */
export const queuedColumns = () => ({ status: 'pending' as const, statusReason: null, indexing: QUEUED })

const NOT_BEGUN: IndexingProgress = { stage: 'queued', done: 0, total: null, attempt: 0, reason_code: null }
const QUEUED = stored(NOT_BEGUN)

/** Progress as the column holds it. */
export function stored(progress: IndexingProgress): string {
  return JSON.stringify(progress)
}

/** Progress from the column; null for a file that was last indexed before it was kept. */
export const progressOf = ({ indexing }: { indexing: string | null }): IndexingProgress | null =>
  indexing === null ? null : (JSON.parse(indexing) as IndexingProgress)

/** Sentence about what searches continue to find of a file that could not be indexed; empty where that is nothing. */
export function stillFoundNote({ version, servedVersion }: { version: number; servedVersion: number | null }): string {
  if (servedVersion === null) return ''
  return servedVersion === version
    ? ' Searches still find what was indexed before.'
    : ` Searches still find version ${servedVersion}.`
}

/** Progress of a file that failed where it was, as the column holds it. */
export const failedAt = (file: { indexing: string | null }, code: IndexingReason): string =>
  stored({ ...(progressOf(file) ?? NOT_BEGUN), reason_code: code })

/**
 * Notes how far the work on a request is.
 * @returns false when the request is of no interest any more: the work may end
 */
export async function noteProgress(
  db: Db,
  organizationId: string,
  { dataSourceId, generation }: { dataSourceId: string; generation: number },
  progress: IndexingProgress,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('data_source')
    .set({ indexing: stored(progress) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', dataSourceId)
    .where('index_generation', '=', generation)
    .where('status', '=', 'indexing')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
