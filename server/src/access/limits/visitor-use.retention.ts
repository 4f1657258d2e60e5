import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { createSweep, type Sweep } from '../../platform/sweep.ts'
import { deleteUse, listOldUse } from './visitor-use.store.ts'

const HOUR_MS = 3_600_000

export type VisitorUseRetentionOptions = Pick<KernelParts, 'clock' | 'db' | 'logger' | 'writes'>

/** Removes what visitors used on other days, with the addresses that they came from. */
export const createVisitorUseRetention = ({ db, writes, clock, logger }: VisitorUseRetentionOptions): Sweep =>
  createSweep({
    what: 'use of visitors on earlier days',
    everyMs: HOUR_MS,
    limit: 100,
    logger,
    async step(limit) {
      const old = await listOldUse(db, isoNow(clock).slice(0, 10), limit)
      if (old.length > 0)
        await writes.commit(async (tx) => {
          for (const { organization_id, ...place } of old) await deleteUse(tx, organization_id, place)
        })
      return old.length
    },
  })
