import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { SourceProvider } from '../../platform/source-apps.ts'
import type { SourceAppTable } from './source-logins.tables.ts'

export type SourceAppRecord = CamelCased<Selectable<SourceAppTable>>

export async function listSourceApps(db: Db, organizationId: string, workspaceId: string): Promise<SourceAppRecord[]> {
  const rows = await db
    .selectFrom('source_app')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('provider')
    .execute()
  return rows.map(camelCased)
}

export async function findSourceApp(
  db: Db,
  organizationId: string,
  { workspaceId, provider }: { workspaceId: string; provider: SourceProvider },
): Promise<SourceAppRecord | undefined> {
  const row = await db
    .selectFrom('source_app')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row && camelCased(row)
}

/** Writes it as a whole, new or not. */
export async function putSourceApp(
  tx: Tx,
  organizationId: string,
  record: Omit<SourceAppRecord, 'organizationId'>,
): Promise<void> {
  const row = snakeCased({ ...record, organizationId })
  const { organization_id: _, workspace_id: __, provider: ___, created_at: ____, ...changes } = row
  await tx
    .insertInto('source_app')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'provider']).doUpdateSet(changes))
    .execute()
}

/** @returns whether there was one */
export async function deleteSourceApp(
  tx: Tx,
  organizationId: string,
  { workspaceId, provider }: { workspaceId: string; provider: SourceProvider },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('source_app')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
