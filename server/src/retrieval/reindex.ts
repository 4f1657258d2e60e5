import { sql } from 'kysely'
import type { Db, Writes } from '../db.ts'
import { acrossOrganizations } from '../platform/database/across-organizations.ts'
import type { Queue } from '../queue/queue.ts'

const A_STEP = 200

/**
 * Asks for every file that can be searched to be indexed again, whatever its organization: for an index that is gone.
 * @returns how many files there are.
 */
export async function reindexAll(writes: Writes, queue: Queue, at: string): Promise<number> {
  let count = 0
  for (;;) {
    const step = await writes.commit(async (tx) => {
      const files = await acrossOrganizations(tx)
        .selectFrom('data_source')
        .select(['id', 'organization_id', 'index_generation'])
        .where('status', '=', 'successful')
        .limit(A_STEP)
        .execute()
      let asked = 0
      for (const file of files) {
        const generation = file.index_generation + 1
        // Another process that starts may be at it, too: each file is asked for once.
        const { numUpdatedRows } = await tx
          .updateTable('data_source')
          .set({ status: 'pending', index_generation: generation, indexed_folder_id: null, updated_at: at })
          .where('organization_id', '=', file.organization_id)
          .where('id', '=', file.id)
          .where('status', '=', 'successful')
          .where('index_generation', '=', file.index_generation)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) continue
        asked++
        await queue.enqueue(tx, file.organization_id, 'retrieval.index', { dataSourceId: file.id, generation })
      }
      return { found: files.length, asked }
    })
    count += step.asked
    if (step.found < A_STEP) return count
  }
}

/** Whether any file counts as findable. */
export async function hasIndexedFiles(db: Db): Promise<boolean> {
  const row = await acrossOrganizations(db)
    .selectFrom('data_source')
    .select(sql<number>`1`.as('one'))
    .where('status', '=', 'successful')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
