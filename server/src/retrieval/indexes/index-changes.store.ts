import { sql } from 'kysely'
import type { Db, Tx } from '../../db.ts'

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
