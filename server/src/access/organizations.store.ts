import type { Db, Tx } from '../db.ts'

export async function insertOrganization(tx: Tx, organizationId: string, name: string, at: string): Promise<void> {
  await tx.insertInto('organization').values({ id: organizationId, name, created_at: at }).execute()
}

export async function insertWorkspace(
  tx: Tx,
  organizationId: string,
  workspace: { id: string; name: string; createdAt: string },
): Promise<void> {
  const { id, name, createdAt } = workspace
  await tx
    .insertInto('workspace')
    .values({ id, organization_id: organizationId, name, created_at: createdAt })
    .execute()
}

/** @returns true to one of all processes, ever; the others wait for its transaction. */
export async function claimFirstStart(tx: Tx, at: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('server_secret')
    .values({ name: 'first start', value: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Whether anything was ever set up here. */
export async function hasOrganizations(db: Db): Promise<boolean> {
  return (await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Names of the organizations, if there are several. */
export async function listOrganizationNames(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('organization').select(['id', 'name']).execute()
  return new Map(rows.length > 1 ? rows.map(({ id, name }) => [id, name]) : [])
}
