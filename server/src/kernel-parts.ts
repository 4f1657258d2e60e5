import type { Db, Writes } from './db.ts'
import type { Blobs } from './platform/blobs/blobs.ts'
import type { Clock } from './platform/clock.ts'
import type { PubSub } from './platform/cluster/pubsub/pubsub.ts'
import type { NewId } from './platform/ids.ts'
import type { Outbound } from './platform/outbound/outbound.ts'
import type { Logger } from './platform/telemetry/logger.ts'
import type { Queue } from './queue/queue.ts'

/** Parts of the kernel that services ask for: `interface KeysOptions extends Pick<KernelParts, 'clock' | 'db'>`. */
export interface KernelParts {
  db: Db
  /** Small transactions, committed together. */
  writes: Writes
  clock: Clock
  newId: NewId
  logger: Logger
  queue: Queue
  pubsub: PubSub
  blobs: Blobs
  /** Requests to other servers, within what the operator allows. */
  outbound: Outbound
}
