import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { AccountIdentityTable } from '../accounts.tables.ts'

export type IdentityRecord = CamelCased<Selectable<AccountIdentityTable>>

export async function findIdentity(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<IdentityRecord | undefined> {
  const row = await db
    .selectFrom('account_identity')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && camelCased(row)
}

export async function listIdentities(db: Db, accountId: string): Promise<IdentityRecord[]> {
  const all = db.selectFrom('account_identity').selectAll().where('account_id', '=', accountId).orderBy('id')
  return (await all.execute()).map(camelCased)
}

export async function insertIdentity(tx: Tx, identity: IdentityRecord): Promise<void> {
  await tx.insertInto('account_identity').values(snakeCased(identity)).execute()
}

export async function touchIdentity(
  tx: Tx,
  id: string,
  use: Pick<IdentityRecord, 'providerId' | 'usedAt'>,
): Promise<void> {
  await tx.updateTable('account_identity').set(snakeCased(use)).where('id', '=', id).execute()
}

export async function deleteIdentity(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('account_identity').where('id', '=', id).execute()
}

export async function deleteIdentitiesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account_identity').where('account_id', '=', accountId).execute()
}

/** Workspace that people join: the named one, or the only one that there is. */
export async function findWorkspaceToJoin(db: Db, workspaceId: string | undefined) {
  const all = acrossOrganizations(db).selectFrom('workspace').select(['id', 'organization_id'])
  const found = workspaceId ? await all.where('id', '=', workspaceId).execute() : await all.limit(2).execute()
  const [only] = found
  return found.length === 1 && only ? { workspaceId: only.id, organizationId: only.organization_id } : undefined
}
