import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { OAuthTokenTable } from '../apps.tables.ts'
import type { Audience } from '../scopes.ts'

/** Token of a grant, as it is stored. */
export interface TokenRecord {
  hash: string
  organizationId: string
  keyId: string
  kind: 'access' | 'refresh'
  audience: Audience
  createdAt: string
  expiresAt: string
  usedAt: string | null
}

const toRecord = (row: Selectable<OAuthTokenTable>): TokenRecord => ({
  hash: row.token_hash,
  organizationId: row.organization_id,
  keyId: row.key_id,
  kind: row.kind,
  audience: row.audience,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  usedAt: row.used_at,
})

export async function insertTokens(
  tx: Tx,
  organizationId: string,
  tokens: Omit<TokenRecord, 'organizationId' | 'usedAt'>[],
): Promise<void> {
  await tx
    .insertInto('oauth_token')
    .values(
      tokens.map((token) => ({
        token_hash: token.hash,
        organization_id: organizationId,
        key_id: token.keyId,
        kind: token.kind,
        audience: token.audience,
        created_at: token.createdAt,
        expires_at: token.expiresAt,
        used_at: null,
      })),
    )
    .execute()
}

/** The organization is known only from the row. */
export async function findToken(db: Db, hash: string): Promise<TokenRecord | undefined> {
  const row = await acrossOrganizations(db)
    .selectFrom('oauth_token')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** @returns false for one that was traded before, or is gone */
export async function markTokenUsed(tx: Tx, organizationId: string, hash: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_token')
    .set({ used_at: at })
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteToken(tx: Tx, organizationId: string, hash: string): Promise<void> {
  await tx
    .deleteFrom('oauth_token')
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', hash)
    .execute()
}

export async function deleteTokensOfKey(tx: Tx, organizationId: string, keyId: string): Promise<void> {
  await tx.deleteFrom('oauth_token').where('organization_id', '=', organizationId).where('key_id', '=', keyId).execute()
}
