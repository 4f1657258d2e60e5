import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'

/** Origins that a workspace lists, by name. */
export async function listOrigins(db: Db, organizationId: string, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('browser_origin')
    .select('origin')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('origin')
    .execute()
  return rows.map(({ origin }) => origin)
}

/** Whether any workspace lists it: a preflight request does not say which it is for. */
export async function isListedAnywhere(db: Db, origin: string): Promise<boolean> {
  const row = await acrossOrganizations(db)
    .selectFrom('browser_origin')
    .select('origin')
    .where('origin', '=', origin)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function replaceOrigins(
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  origins: string[],
  at: string,
): Promise<void> {
  await tx
    .deleteFrom('browser_origin')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .execute()
  if (origins.length === 0) return
  const rows = origins.map((origin) => ({
    organization_id: organizationId,
    workspace_id: workspaceId,
    origin,
    created_at: at,
  }))
  await tx.insertInto('browser_origin').values(rows).execute()
}
