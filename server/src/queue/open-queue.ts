import type { Tables } from '../db.ts'
import type { Clock } from '../platform/clock.ts'
import type { PubSub } from '../platform/cluster/pubsub/pubsub.ts'
import type { Database } from '../platform/database/open.ts'
import type { NewId } from '../platform/ids.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import type { WorkedQueue } from './queue.ts'
import { createTableQueue } from './table-queue.ts'

export interface QueueOptions {
  database: Database<Tables>
  newId: NewId
  clock: Clock
  pubsub: PubSub
  logger: Logger
}

/** The queue that goes with the database: tasks are enqueued in its transactions. */
export async function openQueue({ database, newId, clock, pubsub, logger }: QueueOptions): Promise<WorkedQueue> {
  const { db, writes } = database
  if (database.kind === 'embedded') return createTableQueue({ db, writes, newId, clock, pubsub })
  // Imported only then: the embedded queue starts without it.
  const { createPgBossQueue } = await import('./pg-boss/pg-boss-queue.ts')
  return createPgBossQueue({ pool: database.pool, writes, pubsub, logger })
}
