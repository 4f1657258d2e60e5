import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { createSweep, type Sweep } from '../../platform/sweep.ts'
import { deleteUploads, listExpiredUploads } from './uploads.store.ts'

const LONGEST_WAIT_MS = 5 * 60_000
const SHORTEST_WAIT_MS = 1_000

export interface UploadExpiryOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'queue' | 'writes'> {
  ttlMs: number
}

/** Removes uploads that nobody used in time; their bytes stay where a file in a folder needs them. */
export const createUploadExpiry = ({ db, writes, queue, clock, logger, ttlMs }: UploadExpiryOptions): Sweep =>
  createSweep({
    what: 'uploads that nobody used in time',
    everyMs: Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, ttlMs / 4)),
    limit: 100,
    logger,
    async step(limit) {
      const expired = await listExpiredUploads(db, isoNow(clock), limit)
      for (const [organizationId, uploads] of Map.groupBy(expired, (upload) => upload.organizationId)) {
        await writes.commit(async (tx) => {
          const ids = uploads.map((upload) => upload.id)
          await deleteUploads(tx, organizationId, ids)
          const blobKeys = uploads.map((upload) => upload.blobKey)
          await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys })
        })
      }
      return expired.length
    },
  })
