import type { Selectable } from 'kysely'
import type { Role } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { SignInProvider } from '../../platform/sign-in-providers.ts'
import type { SignInProviderTable } from '../accounts.tables.ts'

/** Settings of a provider that are stored as they are. */
export type OwnProviderConfig = Omit<SignInProvider, 'id' | 'workspace_id' | 'client_secret' | 'private_key'>

export interface OwnProviderRecord {
  id: string
  organizationId: string
  workspaceId: string
  config: OwnProviderConfig
  /** Sealed. */
  secret: string | null
  /** Role of the person who set it last. */
  role: Role
  createdAt: string
  updatedAt: string
  version: string
}

const toRecord = (row: Selectable<SignInProviderTable>): OwnProviderRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  config: JSON.parse(row.config),
  secret: row.secret,
  role: row.role,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  version: row.version,
})

/** Providers of a workspace, by id. */
export async function listOwnProviders(
  db: Db,
  organizationId: string,
  workspaceId: string,
): Promise<OwnProviderRecord[]> {
  const rows = await db
    .selectFrom('sign_in_provider')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
  return rows.map(toRecord)
}

/** A provider of any organization: somebody who signs in is of none yet. */
export async function findOwnProvider(db: Db, id: string): Promise<OwnProviderRecord | undefined> {
  const row = await acrossOrganizations(db)
    .selectFrom('sign_in_provider')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** Providers of all organizations, for the sign-in page. */
export async function listAllOwnProviders(db: Db): Promise<OwnProviderRecord[]> {
  const rows = await acrossOrganizations(db).selectFrom('sign_in_provider').selectAll().orderBy('id').execute()
  return rows.map(toRecord)
}

export async function insertOwnProvider(
  tx: Tx,
  organizationId: string,
  { id, workspaceId, config, secret, role, createdAt, updatedAt, version }: Omit<OwnProviderRecord, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('sign_in_provider')
    .values({
      id,
      organization_id: organizationId,
      workspace_id: workspaceId,
      config: JSON.stringify(config),
      secret,
      role,
      created_at: createdAt,
      updated_at: updatedAt,
      version,
    })
    .execute()
}

export async function updateOwnProvider(
  tx: Tx,
  organizationId: string,
  id: string,
  {
    config,
    secret,
    role,
    updatedAt,
    version,
  }: Pick<OwnProviderRecord, 'config' | 'secret' | 'role' | 'updatedAt' | 'version'>,
): Promise<void> {
  await tx
    .updateTable('sign_in_provider')
    .set({ config: JSON.stringify(config), secret, role, updated_at: updatedAt, version })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteOwnProvider(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('sign_in_provider').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}
