import type { KernelParts } from '../../../kernel-parts.ts'
import { createSweep, type Sweep } from '../../../platform/sweep.ts'
import { deleteVersion, listOldVersions } from './versions.store.ts'

const HOUR_MS = 3_600_000

export interface VersionRetentionOptions extends Pick<KernelParts, 'clock' | 'logger' | 'queue' | 'writes'> {
  keptMs: number
}

/** Removes versions of files that were replaced longer ago than they are to be kept. */
export const createVersionRetention = ({ writes, queue, clock, logger, keptMs }: VersionRetentionOptions): Sweep =>
  createSweep({
    what: 'earlier versions of files',
    everyMs: HOUR_MS,
    limit: 100,
    logger,
    step: (limit) =>
      writes.commit(async (tx) => {
        const before = new Date(clock().getTime() - keptMs).toISOString()
        const old = await listOldVersions(tx, before, limit)
        for (const [organizationId, versions] of Map.groupBy(old, (version) => version.organizationId)) {
          for (const version of versions) await deleteVersion(tx, organizationId, version)
          const blobKeys = versions.map(({ blobKey }) => blobKey)
          await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys })
        }
        return old.length
      }),
  })
