import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { IntegrationTable } from './integrations.tables.ts'

export type Integration = Selectable<IntegrationTable>

export async function insertIntegration(
  tx: Tx,
  organizationId: string,
  integration: Omit<Insertable<IntegrationTable>, 'organization_id'>,
): Promise<void> {
  await tx
    .insertInto('integration')
    .values({ ...integration, organization_id: organizationId })
    .execute()
}

/** Integrations whose folder is live: an integration goes with the folder that it fills. */
const liveIntegrations = (db: Db, organizationId: string) =>
  db
    .selectFrom('integration')
    .innerJoin('folder', 'folder.id', 'integration.folder_id')
    .where('integration.organization_id', '=', organizationId)
    .where('folder.deleted_at', 'is', null)

export const findIntegration = (db: Db, organizationId: string, id: string): Promise<Integration | undefined> =>
  liveIntegrations(db, organizationId).selectAll('integration').where('integration.id', '=', id).executeTakeFirst()

/** Folders that integrations fill. */
export async function listLinkedFolders(db: Db, organizationId: string): Promise<string[]> {
  const rows = await liveIntegrations(db, organizationId).select('integration.folder_id').execute()
  return rows.map(({ folder_id }) => folder_id)
}

/** Newest first. @param folderIds only those that fill one of these */
export async function listIntegrations(
  db: Db,
  organizationId: string,
  { limit, offset, folderIds }: { limit: number; offset: number; folderIds?: string[] },
): Promise<{ integrations: Integration[]; total: number }> {
  if (folderIds?.length === 0) return { integrations: [], total: 0 }
  const chosen = () => {
    const live = liveIntegrations(db, organizationId)
    return folderIds ? live.where('integration.folder_id', 'in', folderIds) : live
  }
  const { total } = await chosen()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const integrations = await chosen()
    .selectAll('integration')
    .orderBy('integration.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { integrations, total: Number(total) }
}

export async function updateIntegration(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: Updateable<IntegrationTable>,
): Promise<void> {
  await tx
    .updateTable('integration')
    .set(changes)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteIntegration(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('integration').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}
