import { READER_LIST_KEPT_MS, removeReaderLists } from '../../../access/access.ts'
import type { Db } from '../../../db.ts'
import type { KernelParts } from '../../../kernel-parts.ts'
import { acrossOrganizations } from '../../../platform/database/statements/across-organizations.ts'
import { createSweep, type Sweep } from '../../../platform/sweep.ts'

const HOUR_MS = 3_600_000

export type ReaderListRetentionOptions = Pick<KernelParts, 'clock' | 'logger' | 'writes'>

/** Removes lists of readers that no file has any more: a source whose members change leaves one behind each time. */
export const createReaderListRetention = ({ writes, clock, logger }: ReaderListRetentionOptions): Sweep =>
  createSweep({
    what: 'lists of readers that no file has',
    everyMs: HOUR_MS,
    limit: 50,
    logger,
    step: (limit) =>
      writes.commit(async (tx) => {
        const before = new Date(clock().getTime() - READER_LIST_KEPT_MS).toISOString()
        let removed = 0
        for (const [organizationId, lists] of Map.groupBy(
          await listUnused(tx, before, limit),
          (list) => list.organizationId,
        ))
          removed += await removeReaderLists(tx, organizationId, { ids: lists.map(({ id }) => id), before })
        return removed
      }),
  })

/** Lists that no file has, and none got since a time. */
const listUnused = (db: Db, before: string, limit: number) =>
  acrossOrganizations(db)
    .selectFrom('reader_list')
    .select(['organization_id as organizationId', 'id'])
    .where('created_at', '<', before)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('data_source')
            .select('data_source.id')
            .whereRef('data_source.organization_id', '=', 'reader_list.organization_id')
            .whereRef('data_source.reader_list_id', '=', 'reader_list.id'),
        ),
      ),
    )
    .limit(limit)
    .execute()
