import { sql } from 'kysely'
import type { Db, Tx, Writes } from '../../../db.ts'
import { acrossOrganizations } from '../../../platform/database/statements/across-organizations.ts'
import type { Queue } from '../../../queue/queue.ts'
import { serveAgain } from './data-sources.indexing.ts'
import { queuedColumns } from './indexing-progress.ts'

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
        .select(['id', 'organization_id as organizationId', 'index_generation as indexGeneration'])
        .where('status', '=', 'successful')
        .limit(A_STEP)
        .execute()
      let asked = 0
      // Another process that starts may be at it, too: each file is asked for once.
      for (const file of files) if (await requestOnce(tx, queue, file, ['successful'], { at, fromParse: true })) asked++
      return { found: files.length, asked }
    })
    count += step.asked
    if (step.found < A_STEP) return count
  }
}

export interface LostFiles {
  /** Documents that the index holds. */
  held: ReadonlySet<string>
  /** Whether it is the index that files are added to: false for one that is gone, with all that was being added to it. */
  isWhole: boolean
  at: string
}

/**
 * Asks for those files of an organization to be indexed again, from their stored parses, that count as indexed while the
 * index has nothing of them. @returns how many
 */
export async function reindexLost(
  { db, writes, queue }: { db: Db; writes: Writes; queue: Queue },
  organizationId: string,
  { held, isWhole, at }: LostFiles,
): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const files = await db
      .selectFrom('data_source')
      .select([
        'id',
        'status',
        'chunk_count as chunkCount',
        'index_generation as indexGeneration',
        'served_version as servedVersion',
      ])
      .where('organization_id', '=', organizationId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(A_STEP)
      .execute()
    const lost = files.filter(
      ({ id, status, chunkCount }) =>
        (status === 'successful' && chunkCount > 0 && !held.has(id)) || (status === 'indexing' && !isWhole),
    )
    const failed = files.filter(
      ({ id, status, chunkCount, servedVersion }) =>
        status === 'failed' && servedVersion !== null && chunkCount > 0 && !held.has(id),
    )
    if (failed.length > 0)
      await writes.commit(async (tx) => {
        for (const file of failed) await serveAgain(tx, queue, { ...file, organizationId })
      })
    if (lost.length > 0) count += await writes.commit((tx) => requestAgain(tx, queue, organizationId, lost, at))
    if (files.length < A_STEP) return count
    after = files.at(-1)!.id
  }
}

/** @returns how many of them nothing else was done to meanwhile */
export async function requestAgain(
  tx: Tx,
  queue: Queue,
  organizationId: string,
  files: { id: string; status: string; indexGeneration: number }[],
  at: string,
): Promise<number> {
  let asked = 0
  for (const { id, status, indexGeneration } of files) {
    const file = { id, indexGeneration, organizationId }
    // A file that was being read when the index went is read again from the beginning.
    const options = { at, fromParse: status === 'successful' }
    if (await requestOnce(tx, queue, file, ['successful', 'indexing'], options)) asked++
  }
  return asked
}

interface FileToIndex {
  id: string
  organizationId: string
  indexGeneration: number
}

/** Asks for a file to be indexed again. @returns false, and does nothing, if something else was done to it meanwhile */
async function requestOnce(
  tx: Tx,
  queue: Queue,
  { id, organizationId, indexGeneration }: FileToIndex,
  statuses: ('successful' | 'indexing')[],
  { at, fromParse }: { at: string; fromParse: boolean },
): Promise<boolean> {
  const generation = indexGeneration + 1
  const { numUpdatedRows } = await tx
    .updateTable('data_source')
    .set({
      served_version: sql`case when status = 'successful' then version else served_version end`,
      status: 'pending',
      index_generation: generation,
      indexed_folder_id: null,
      indexing: queuedColumns().indexing,
      updated_at: at,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', 'in', statuses)
    .where('index_generation', '=', indexGeneration)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await queue.enqueue(tx, organizationId, 'retrieval.index', { dataSourceId: id, generation, fromParse })
  return true
}

/** Whether any file of an organization counts as findable that has text. */
export async function holdsIndexedText(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('data_source')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'successful')
    .where('chunk_count', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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
