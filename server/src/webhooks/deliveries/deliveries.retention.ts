import type { KernelParts } from '../../kernel-parts.ts'
import { createSweep, type Sweep } from '../../platform/sweep.ts'
import { deleteDeliveries, listOldDeliveries } from '../webhooks.store.ts'
import { deleteAttempts } from './attempts.store.ts'

const HOUR_MS = 3_600_000

export interface DeliveryRetentionOptions extends Pick<KernelParts, 'clock' | 'logger' | 'writes'> {
  keptMs: number
}

/** Removes deliveries that arrived, or were given up, longer ago than they are to be kept, with their attempts. */
export const createDeliveryRetention = ({ writes, clock, logger, keptMs }: DeliveryRetentionOptions): Sweep =>
  createSweep({
    what: 'webhook deliveries',
    everyMs: HOUR_MS,
    limit: 100,
    logger,
    // Looked for in the transaction that removes them: one that is asked for again meanwhile is not old any more.
    step: (limit) =>
      writes.commit(async (tx) => {
        const before = new Date(clock().getTime() - keptMs).toISOString()
        const old = await listOldDeliveries(tx, before, limit)
        for (const [organizationId, deliveries] of Map.groupBy(old, (delivery) => delivery.organizationId)) {
          const ids = deliveries.map(({ id }) => id)
          await deleteAttempts(tx, organizationId, ids)
          await deleteDeliveries(tx, organizationId, ids)
        }
        return old.length
      }),
  })
