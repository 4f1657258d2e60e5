import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { WebSessionTable } from '../access.tables.ts'

/** A browser that is signed in to the web UI. */
export interface SessionRecord {
  id: string
  organizationId: string
  /** The key that it stands for. */
  keyId: string
  /** SHA-256 of the token in the browser's cookie, hex. */
  tokenHash: string
  createdAt: string
  lastUsedAt: string
  /** Moves on while it is used, up to 30 days from its start. */
  expiresAt: string
  /** Account that signed in; null for somebody who signed in with a key. */
  accountId: string | null
  address: string | null
  userAgent: string | null
}

const toRecord = (row: Selectable<WebSessionTable>): SessionRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  keyId: row.key_id,
  tokenHash: row.token_hash,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  accountId: row.account_id,
  address: row.address,
  userAgent: row.user_agent,
})

/** The organization is known only once the hash of the token was found. */
export async function findSessionByHash(db: Db, hash: string): Promise<SessionRecord | undefined> {
  const row = await acrossOrganizations(db)
    .selectFrom('web_session')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return row && toRecord(row)
}

export async function findSession(db: Db, organizationId: string, id: string): Promise<SessionRecord | undefined> {
  const row = await db
    .selectFrom('web_session')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** An account may be in several organizations. */
export async function listSessionsOfAccount(db: Db, accountId: string, now: string): Promise<SessionRecord[]> {
  const rows = await acrossOrganizations(db)
    .selectFrom('web_session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toRecord)
}

export async function insertSession(
  tx: Tx,
  organizationId: string,
  session: Omit<SessionRecord, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('web_session')
    .values({
      id: session.id,
      organization_id: organizationId,
      key_id: session.keyId,
      token_hash: session.tokenHash,
      created_at: session.createdAt,
      last_used_at: session.lastUsedAt,
      expires_at: session.expiresAt,
      account_id: session.accountId,
      address: session.address,
      user_agent: session.userAgent,
    })
    .execute()
}

export async function extendSession(
  tx: Tx,
  organizationId: string,
  id: string,
  { usedAt, expiresAt }: { usedAt: string; expiresAt: string },
): Promise<void> {
  await tx
    .updateTable('web_session')
    .set({ last_used_at: usedAt, expires_at: expiresAt })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteSession(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('web_session').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** Deletes the sessions that somebody opened with a key, not those of accounts. */
export async function deleteSessionsOfKey(tx: Tx, organizationId: string, keyId: string): Promise<void> {
  await tx
    .deleteFrom('web_session')
    .where('organization_id', '=', organizationId)
    .where('key_id', '=', keyId)
    .where('account_id', 'is', null)
    .execute()
}

export async function deleteOldSessions(tx: Tx, organizationId: string, before: string): Promise<void> {
  await tx
    .deleteFrom('web_session')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '<', before)
    .execute()
}
