import { join } from 'node:path'
import { createAccessService } from './access/access.service.ts'
import { createRateLimiter } from './access/rate-limit.ts'
import type { Config } from './config.ts'
import type { Tables } from './db.ts'
import { migrations } from './migrations/index.ts'
import { createDiskBlobs } from './platform/blobs/disk-blobs.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { openDatabase } from './platform/database/open.ts'
import { createIds } from './platform/ids.ts'
import type { Logger } from './platform/telemetry/logger.ts'
import { releaseAllTasks } from './queue/queue.store.ts'
import { createQueue } from './queue/queue.ts'
import { createWorker } from './queue/worker.ts'

export type Services = Awaited<ReturnType<typeof createServices>>

export interface ServicesOptions {
  config: Config
  logger: Logger
  clock?: Clock
}

/** Everything that the server is made of, built once, in order. */
export async function createServices({ config, logger, clock = systemClock }: ServicesOptions) {
  const newId = createIds()
  const { db, writes, close } = await openDatabase<Tables>(config.dataDir, migrations)
  const blobs = createDiskBlobs(join(config.dataDir, 'blobs'))
  const queue = createQueue({ newId, clock })
  await releaseAllTasks(db)
  const worker = createWorker({ db, writes, queue, clock, logger, handlers: {} as never })
  const access = createAccessService({ db, newId, clock })
  const rateLimiter = createRateLimiter(config.access.rateLimit)

  return {
    config,
    logger,
    clock,
    newId,
    db,
    writes,
    blobs,
    queue,
    access,
    rateLimiter,
    /** Begins the work in the background. */
    start() {
      worker.start()
    },
    /** Ends it, once requests have ended; what was interrupted goes on with the next start. */
    async close() {
      await worker.stop()
      await close()
    },
  }
}
