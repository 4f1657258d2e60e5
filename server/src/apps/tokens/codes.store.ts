import type { Selectable } from 'kysely'
import type { KeyScopes } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { OAuthCodeTable } from '../apps.tables.ts'
import type { Audience } from '../scopes.ts'

/** Agreement of a person, to be traded for tokens. */
export interface CodeRecord {
  hash: string
  organizationId: string
  workspaceId: string
  memberId: string
  approvedBy: string
  clientId: string
  clientName: string
  redirectUri: string | null
  codeChallenge: string | null
  audience: Audience
  scope: string
  keyScopes: KeyScopes | null
  createdAt: string
  expiresAt: string
  /** Key of the grant that was made with it; null: none yet. */
  keyId: string | null
}

const toRecord = (row: Selectable<OAuthCodeTable>): CodeRecord => ({
  hash: row.code_hash,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  memberId: row.member_id,
  approvedBy: row.approved_by,
  clientId: row.client_id,
  clientName: row.client_name,
  redirectUri: row.redirect_uri,
  codeChallenge: row.code_challenge,
  audience: row.audience,
  scope: row.scope,
  keyScopes: row.key_scopes ? JSON.parse(row.key_scopes) : null,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  keyId: row.key_id,
})

export async function insertCode(tx: Tx, organizationId: string, code: Omit<CodeRecord, 'organizationId' | 'keyId'>) {
  await tx
    .insertInto('oauth_code')
    .values({
      code_hash: code.hash,
      organization_id: organizationId,
      workspace_id: code.workspaceId,
      member_id: code.memberId,
      approved_by: code.approvedBy,
      client_id: code.clientId,
      client_name: code.clientName,
      redirect_uri: code.redirectUri,
      code_challenge: code.codeChallenge,
      audience: code.audience,
      scope: code.scope,
      key_scopes: code.keyScopes && JSON.stringify(code.keyScopes),
      created_at: code.createdAt,
      expires_at: code.expiresAt,
      key_id: null,
    })
    .execute()
}

/** The organization is known only from the row. */
export async function findCode(db: Db, hash: string): Promise<CodeRecord | undefined> {
  const row = await acrossOrganizations(db)
    .selectFrom('oauth_code')
    .selectAll()
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return row && toRecord(row)
}

export async function markCodeUsed(tx: Tx, organizationId: string, hash: string, keyId: string): Promise<void> {
  await tx
    .updateTable('oauth_code')
    .set({ key_id: keyId })
    .where('organization_id', '=', organizationId)
    .where('code_hash', '=', hash)
    .execute()
}
