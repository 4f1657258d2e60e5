import type { Db, Writes } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import type { Queue } from '../queue/queue.ts'
import { deleteUploads, listExpiredUploads } from './uploads.store.ts'

const LONGEST_WAIT_MS = 5 * 60_000
const SHORTEST_WAIT_MS = 1_000
const UPLOADS_A_STEP = 100

export interface UploadExpiryOptions {
  db: Db
  writes: Writes
  queue: Queue
  clock: Clock
  logger: Logger
  ttlMs: number
}

/** Removes uploads that nobody used in time, again and again; their bytes stay where a file in a folder needs them. */
export function createUploadExpiry({ db, writes, queue, clock, logger, ttlMs }: UploadExpiryOptions) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  /** @returns how many uploads expired. */
  async function expire(): Promise<number> {
    let count = 0
    while (!isStopped) {
      const expired = await listExpiredUploads(db, isoNow(clock), UPLOADS_A_STEP)
      for (const [organizationId, uploads] of Map.groupBy(expired, (upload) => upload.organization_id)) {
        await writes.commit(async (tx) => {
          const ids = uploads.map((upload) => upload.id)
          await deleteUploads(tx, organizationId, ids)
          const blobKeys = uploads.map((upload) => upload.blob_key)
          await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys })
        })
      }
      count += expired.length
      if (expired.length < UPLOADS_A_STEP) return count
    }
    return count
  }

  async function tick(): Promise<void> {
    try {
      const count = await expire()
      if (count > 0) logger.info({ uploads: count }, 'uploads expired')
    } catch (error) {
      logger.error({ err: error }, 'expired uploads could not be removed')
    }
    if (!isStopped) schedule()
  }

  function schedule(): void {
    timer = setTimeout(
      () => {
        running = tick()
      },
      Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, ttlMs / 4)),
    )
    timer.unref()
  }

  return {
    expire,
    start() {
      running = tick()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
