import type { Db, Tx } from '../../../db.ts'
import { DATA_SOURCE_COLUMNS, type DataSource } from '../data-sources.store.ts'

/** A file that another system pushed, under the id that this one gives it. */
export interface PushedFile extends DataSource {
  externalId: string
  /** Time at which it changed there, as far as that was said. */
  externalUpdatedAt: string | null
}

/** The file of a folder with this external id. The caller knows that the folder is live. */
export async function findPushed(
  db: Db,
  organizationId: string,
  folderId: string,
  externalId: string,
): Promise<PushedFile | undefined> {
  const row = await db
    .selectFrom('data_source')
    .select([...DATA_SOURCE_COLUMNS, 'external_updated_at as externalUpdatedAt'])
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row && { ...row, externalId }
}

/** External id of a file; null for one that nobody pushed. */
export async function findExternalId(db: Db, organizationId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('data_source')
    .select('external_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.external_id ?? null
}

export async function setExternal(
  tx: Tx,
  organizationId: string,
  id: string,
  { externalId, externalUpdatedAt }: Pick<PushedFile, 'externalId' | 'externalUpdatedAt'>,
): Promise<void> {
  await tx
    .updateTable('data_source')
    .set({ external_id: externalId, external_updated_at: externalUpdatedAt })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}
