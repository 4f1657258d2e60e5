import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { WebSearchTable } from './web-search.tables.ts'

export type WebSearchRecord = CamelCased<Selectable<WebSearchTable>>

export async function findWebSearch(
  db: Db,
  organizationId: string,
  workspaceId: string,
): Promise<WebSearchRecord | undefined> {
  const row = await db
    .selectFrom('web_search')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row && camelCased(row)
}

/** Writes it as a whole, new or not. */
export async function putWebSearch(
  tx: Tx,
  organizationId: string,
  record: Omit<WebSearchRecord, 'organizationId'>,
): Promise<void> {
  const row = snakeCased({ ...record, organizationId })
  const { kind, base_url, api_key, key_hint, updated_at } = row
  await tx
    .insertInto('web_search')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet({ kind, base_url, api_key, key_hint, updated_at }),
    )
    .execute()
}

/** @returns whether there was one */
export async function deleteWebSearch(tx: Tx, organizationId: string, workspaceId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('web_search')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
