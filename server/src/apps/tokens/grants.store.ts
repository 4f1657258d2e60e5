import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { OAuthGrantTable } from '../apps.tables.ts'
import type { Audience } from '../scopes.ts'

/** Grant of a person to a client. */
export interface GrantRecord {
  /** Key through which the client acts. */
  keyId: string
  organizationId: string
  workspaceId: string
  memberId: string
  clientId: string
  clientName: string
  audience: Audience
  scope: string
  createdAt: string
  expiresAt: string
}

const toRecord = (row: Selectable<OAuthGrantTable>): GrantRecord => ({
  keyId: row.key_id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  memberId: row.member_id,
  clientId: row.client_id,
  clientName: row.client_name,
  audience: row.audience,
  scope: row.scope,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

export async function insertGrant(
  tx: Tx,
  organizationId: string,
  grant: Omit<GrantRecord, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('oauth_grant')
    .values({
      key_id: grant.keyId,
      organization_id: organizationId,
      workspace_id: grant.workspaceId,
      member_id: grant.memberId,
      client_id: grant.clientId,
      client_name: grant.clientName,
      audience: grant.audience,
      scope: grant.scope,
      created_at: grant.createdAt,
      expires_at: grant.expiresAt,
    })
    .execute()
}

export async function findGrant(db: Db, organizationId: string, keyId: string): Promise<GrantRecord | undefined> {
  const row = await db
    .selectFrom('oauth_grant')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** Grants of a member that may still be used, newest first. */
export async function listGrantsOfMember(
  db: Db,
  organizationId: string,
  memberId: string,
  now: string,
): Promise<GrantRecord[]> {
  const rows = await db
    .selectFrom('oauth_grant')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('key_id', 'desc')
    .execute()
  return rows.map(toRecord)
}

export async function extendGrant(tx: Tx, organizationId: string, keyId: string, expiresAt: string): Promise<void> {
  await tx
    .updateTable('oauth_grant')
    .set({ expires_at: expiresAt })
    .where('organization_id', '=', organizationId)
    .where('key_id', '=', keyId)
    .execute()
}

export async function deleteGrant(tx: Tx, organizationId: string, keyId: string): Promise<void> {
  await tx.deleteFrom('oauth_grant').where('organization_id', '=', organizationId).where('key_id', '=', keyId).execute()
}
