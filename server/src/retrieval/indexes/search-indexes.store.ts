import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { SearchIndexTable } from './search-indexes.tables.ts'

export type SearchIndexRecord = CamelCased<Selectable<SearchIndexTable>>

/** Columns of an index while none is being built. */
export const NO_BUILD = {
  buildId: null,
  buildSource: null,
  buildSpace: null,
  buildWorkspaceId: null,
  buildModel: null,
  buildState: null,
  buildPhase: null,
  buildStep: 0,
  buildCursor: null,
  buildFilesTotal: null,
  buildFilesDone: 0,
  buildPassagesDone: 0,
  buildFilesSkipped: 0,
  buildError: null,
  buildStartedAt: null,
} satisfies Partial<SearchIndexRecord>

/** Undefined while the environment's index serves and no other is being built. */
export async function findSearchIndex(db: Db, organizationId: string): Promise<SearchIndexRecord | undefined> {
  const row = await db
    .selectFrom('search_index')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row && camelCased(row)
}

/** Writes it as a whole, new or not. */
export async function putSearchIndex(
  tx: Tx,
  organizationId: string,
  record: Omit<SearchIndexRecord, 'organizationId'>,
): Promise<void> {
  const row = snakeCased(record)
  await tx
    .insertInto('search_index')
    .values({ ...row, organization_id: organizationId })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute()
}

/** Step of a build, which only the attempt that holds it may change. */
export interface BuildStep {
  buildId: string
  step: number
}

/** @returns false, and writes nothing, when the build is another one by now, at another step, or not under way */
export async function updateBuild(
  tx: Tx,
  organizationId: string,
  { buildId, step }: BuildStep,
  changes: Partial<Omit<SearchIndexRecord, 'organizationId'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('search_index')
    .set(snakeCased(changes))
    .where('organization_id', '=', organizationId)
    .where('build_id', '=', buildId)
    .where('build_step', '=', step)
    .where('build_state', '=', 'building')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function addChanges(tx: Tx, organizationId: string, dataSourceIds: readonly string[]): Promise<void> {
  if (dataSourceIds.length === 0) return
  await tx
    .insertInto('search_index_change')
    .values(dataSourceIds.map((id) => ({ organization_id: organizationId, data_source_id: id, version: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'data_source_id'])
        .doUpdateSet({ version: sql<number>`search_index_change.version + 1` }),
    )
    .execute()
}

export interface IndexChange {
  dataSourceId: string
  version: number
}

export function listChanges(
  db: Db,
  organizationId: string,
  { after = '', limit }: { after?: string; limit: number },
): Promise<IndexChange[]> {
  return db
    .selectFrom('search_index_change')
    .select(['data_source_id as dataSourceId', 'version'])
    .where('organization_id', '=', organizationId)
    .where('data_source_id', '>', after)
    .orderBy('data_source_id')
    .limit(limit)
    .execute()
}

/** Settles these changes, but for files that have changed again. */
export async function removeChanges(tx: Tx, organizationId: string, changes: readonly IndexChange[]): Promise<void> {
  for (const { dataSourceId, version } of changes)
    await tx
      .deleteFrom('search_index_change')
      .where('organization_id', '=', organizationId)
      .where('data_source_id', '=', dataSourceId)
      .where('version', '=', version)
      .execute()
}

export async function removeAllChanges(tx: Tx, organizationId: string): Promise<void> {
  await tx.deleteFrom('search_index_change').where('organization_id', '=', organizationId).execute()
}
