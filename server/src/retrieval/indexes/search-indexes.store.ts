import type { Selectable } from 'kysely'
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
