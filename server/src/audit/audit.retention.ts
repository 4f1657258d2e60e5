import type { KernelParts } from '../kernel-parts.ts'
import { createSweep, type Sweep } from '../platform/sweep.ts'
import { deleteAuditEntries, listOldAuditEntries } from './audit.store.ts'

const HOUR_MS = 3_600_000

export interface AuditRetentionOptions extends Pick<KernelParts, 'clock' | 'logger' | 'writes'> {
  keptMs: number
}

/** Removes entries that are older than they are to be kept. */
export const createAuditRetention = ({ writes, clock, logger, keptMs }: AuditRetentionOptions): Sweep =>
  createSweep({
    what: 'entries of the audit log',
    everyMs: HOUR_MS,
    limit: 200,
    logger,
    step: (limit) =>
      writes.commit(async (tx) => {
        const before = new Date(clock().getTime() - keptMs).toISOString()
        const old = await listOldAuditEntries(tx, before, limit)
        for (const [organizationId, entries] of Map.groupBy(old, (entry) => entry.organization_id))
          await deleteAuditEntries(
            tx,
            organizationId,
            entries.map(({ id }) => id),
          )
        return old.length
      }),
  })
