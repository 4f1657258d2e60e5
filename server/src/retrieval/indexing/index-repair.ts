import { holdsIndexedText, reindexLost } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { RunExclusive } from '../../platform/cluster/locks/run-exclusive.ts'
import type { SearchEngine } from '../../search/engine.ts'
import type { SpaceState } from '../../search/lance/checksums/examine-space.ts'
import type { SearchIndexes } from '../indexes/search-indexes.ts'
import { organizationOf } from '../space.ts'

export interface IndexRepairOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'queue' | 'writes'> {
  engine: SearchEngine
  /** Reads all of a space, without what is cached of it. */
  examine(space: string): Promise<SpaceState>
  indexes: Pick<SearchIndexes, 'servingNow'>
  runExclusive: RunExclusive
}

export type IndexRepair = ReturnType<typeof createIndexRepair>

/** One look answers all who meet the same damage; a call that fails for another reason does not start one each time. */
const ASK_AGAIN_MS = 10_000

/** Makes a search index again that is damaged or lost: it is derived, and nobody has to be asked. */
export function createIndexRepair(options: IndexRepairOptions) {
  const { db, writes, queue, engine, examine, indexes, runExclusive, clock, logger } = options
  const askedAt = new Map<string, number>()

  const repair = {
    /** Asks for a look at an organization's index, in the background. Every caller that meets damage calls it. */
    ask(organizationId: string, reason: unknown): void {
      const now = performance.now()
      const last = askedAt.get(organizationId)
      if (last !== undefined && now - last < ASK_AGAIN_MS) return
      askedAt.set(organizationId, now)
      logger.error({ err: reason, organization_id: organizationId }, 'the search index may be damaged and is looked at')
      writes
        .commit((tx) => queue.enqueue(tx, organizationId, 'retrieval.mend', {}))
        .catch((error) => {
          askedAt.delete(organizationId)
          logger.error({ err: error, organization_id: organizationId }, 'the search index cannot be looked at')
        })
    },

    /**
     * Reads an organization's index. What is damaged is thrown away, and every file that the index lacks is indexed again
     * from its stored parse: until then it is `pending`, while new files are indexed as ever.
     */
    async run(organizationId: string): Promise<void> {
      const { space } = await indexes.servingNow(organizationId)
      await runExclusive(`repair of ${space}`, async () => {
        const found = await examine(space)
        if (found.state === 'damaged') await engine.drop(space)
        const isWhole = found.state === 'sound'
        const held = new Set(isWhole ? await engine.documentIds(space) : [])
        const files = await reindexLost({ db, writes, queue }, organizationId, { held, isWhole, at: isoNow(clock) })
        if (!isWhole || files > 0)
          logger.warn({ organization_id: organizationId, ...found, files }, 'the search index is made again')
      })
    },

    /** A space was begun: if it serves, and the organization is not new to it, what it held before is lost. */
    async begun(space: string): Promise<void> {
      const organizationId = organizationOf(space)
      try {
        const serving = await indexes.servingNow(organizationId)
        if (serving.space === space && (await holdsIndexedText(db, organizationId)))
          repair.ask(organizationId, new Error('it was gone'))
      } catch (error) {
        logger.error({ err: error, organization_id: organizationId }, 'the search index cannot be looked at')
      }
    },
  }
  return repair
}
