import type { KernelParts } from '../../kernel-parts.ts'
import { createSweep, type Sweep } from '../../platform/sweep.ts'
import { indexMessages, listUnindexed } from './message-index.store.ts'

export type MessageIndexingOptions = Pick<KernelParts, 'db' | 'logger' | 'writes'>

/**
 * Puts messages that ended into the index of the search in chats, after an upgrade all that there are. Searches read
 * those that wait, so nothing hurries.
 */
export const createMessageIndexing = ({ db, writes, logger }: MessageIndexingOptions): Sweep =>
  createSweep({
    what: 'messages that wait for the search index',
    everyMs: 5_000,
    // About 10 ms on the embedded database: a message of 1,000 characters takes 1 ms.
    limit: 10,
    logger,
    log: { done: 'indexed what messages say', failed: 'what messages say could not be indexed' },
    async step(limit) {
      const waiting = await listUnindexed(db, limit)
      if (waiting.length === 0) return 0
      const byOrganization = Map.groupBy(waiting, ({ organizationId }) => organizationId)
      for (const [organizationId, messages] of byOrganization)
        await writes.commit((tx) =>
          indexMessages(
            tx,
            organizationId,
            messages.map(({ id }) => id),
          ),
        )
      return waiting.length
    },
  })
