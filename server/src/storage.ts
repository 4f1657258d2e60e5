import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Blobs } from './platform/blobs/blobs.ts'
import { createDiskBlobs } from './platform/blobs/disk-blobs.ts'
import type { S3Settings } from './platform/blobs/s3-settings.ts'
import type { Membership } from './platform/cluster/membership/membership.ts'
import { createSweep, type Sweep } from './platform/sweep.ts'
import type { Logger } from './platform/telemetry/logger.ts'
import type { LanceStorage } from './search/lance/lance-library.ts'

/** Storage of an installation for everything that is no row. */
export interface Storage {
  blobs: Blobs
  search: LanceStorage
  /** Whether anything was ever put into the search index there. @throws BlobsUnavailableError */
  hasSearchIndex(): Promise<boolean>
  /** Lets go of blobs that were begun before this and never finished. @returns how many */
  removeUnfinished(before: Date): Promise<number>
  /** Lets go of blobs that a process was writing when it ended, where their owner is known. @returns how many */
  removeUnfinishedOf(processId: string): Promise<number>
  close(): void
}

export interface StorageOptions {
  dataDir: string
  /** Absent: everything is in `dataDir`. */
  s3?: S3Settings
  /** Whether several processes use it at the same time. */
  isShared: boolean
  /** Folder for blobs of a bucket that are needed as files. Default: `work` in `dataDir`. */
  workDir?: string
  /** Id of this process; absent for one that the others do not know of. */
  processId?: string
  /** Called with each blob for which there was no room on the disk. */
  onFull?(): void
}

/** @throws BucketUnusableError in an operator's words */
export async function openStorage({
  dataDir,
  s3,
  isShared,
  workDir = join(dataDir, 'work'),
  processId,
  onFull,
}: StorageOptions): Promise<Storage> {
  if (s3) return openBucket(s3, workDir, isShared)
  const uri = join(dataDir, 'search')
  const blobs = createDiskBlobs(join(dataDir, 'blobs'), { writer: processId, onFull })
  return {
    blobs,
    search: { uri },
    hasSearchIndex: async () => existsSync(uri),
    removeUnfinished: blobs.removeUnfinished,
    removeUnfinishedOf: blobs.removeUnfinishedOf,
    close() {},
  }
}

/** AWS's client takes 0.1 s and 35 MB to load: only where it is used. */
async function openBucket(s3: S3Settings, workDir: string, isShared: boolean): Promise<Storage> {
  const [{ checkBucket, holdsObjects }, { createS3Blobs }, { lanceOnS3, SEARCH_FOLDER }] = await Promise.all([
    import('./platform/blobs/s3-bucket.ts'),
    import('./platform/blobs/s3-blobs.ts'),
    import('./search/lance/lance-s3.ts'),
  ])
  await checkBucket(s3, { isShared })
  const blobs = createS3Blobs(s3, workDir)
  return {
    blobs,
    search: lanceOnS3(s3),
    hasSearchIndex: () => holdsObjects(s3, `${SEARCH_FOLDER}/`),
    removeUnfinished: (before) => blobs.removeUnfinished(before),
    // The parts of an upload to a bucket do not say who sends them: their age has to tell.
    removeUnfinishedOf: async () => 0,
    close: () => blobs.close(),
  }
}

/** No upload takes so long: the process that shares the storage and began it has ended. */
const UNFINISHED_MS = 24 * 3_600_000
const SWEEP_MS = 6 * 3_600_000

/**
 * Frees what blobs hold that processes which were killed never finished: where no other process writes, all that is
 * older than this one, else what is older than any upload may be.
 */
export function createUnfinishedSweep({ removeUnfinished }: Storage, isShared: boolean, logger: Logger): Sweep {
  const startedAt = isShared ? 0 : Date.now()
  return createSweep({
    what: 'blobs that were never finished',
    everyMs: SWEEP_MS,
    limit: Number.POSITIVE_INFINITY,
    step: () => removeUnfinished(new Date(Math.max(startedAt, Date.now() - UNFINISHED_MS))),
    logger,
  })
}

/** Frees, from now on, what a process was writing to the storage when it ended, as soon as it is known to have ended. */
export function removeUnfinishedOfDead({ removeUnfinishedOf }: Storage, membership: Membership, logger: Logger): void {
  membership.onDeath((process_id) => {
    // Nobody waits for it: what stays goes with its age.
    removeUnfinishedOf(process_id)
      .then((count) => count > 0 && logger.info({ count, process_id }, 'removed what a process never finished'))
      .catch((err) => logger.error({ err, process_id }, 'what a process never finished could not be removed'))
  })
}
