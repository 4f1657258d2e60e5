import type { Writes } from '../../db.ts'
import type { Clock } from '../../platform/clock.ts'
import { createSweep, type Sweep } from '../../platform/sweep.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { removeOldEvents } from './old-events.store.ts'

const HOUR_MS = 3_600_000
const KEPT_MS = 24 * HOUR_MS
/** Events that an organization may have, whatever their age: a file makes two or three. */
const MOST = 20_000

/** Removes events of files that are too old to resume at. */
export const createFileEventRetention = ({
  writes,
  clock,
  logger,
}: {
  writes: Writes
  clock: Clock
  logger: Logger
}): Sweep =>
  createSweep({
    what: 'events of files',
    everyMs: HOUR_MS / 4,
    limit: 500,
    logger,
    step: (limit) =>
      writes.commit((tx) => {
        const before = new Date(clock().getTime() - KEPT_MS).toISOString()
        return removeOldEvents(tx, { before, most: MOST, limit })
      }),
  })
