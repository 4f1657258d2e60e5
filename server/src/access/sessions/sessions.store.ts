import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { WebSessionTable } from '../access.tables.ts'

export type SessionRow = Selectable<WebSessionTable>

/** The organization is known only once the hash of the token was found. */
export const findSessionByHash = (db: Db, hash: string): Promise<SessionRow | undefined> =>
  acrossOrganizations(db).selectFrom('web_session').selectAll().where('token_hash', '=', hash).executeTakeFirst()

export const findSession = (db: Db, organizationId: string, id: string): Promise<SessionRow | undefined> =>
  db
    .selectFrom('web_session')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** An account may be in several organizations. */
export const sessionsOfAccount = (db: Db, accountId: string, now: string): Promise<SessionRow[]> =>
  acrossOrganizations(db)
    .selectFrom('web_session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export async function insertSession(
  tx: Tx,
  organizationId: string,
  session: Omit<SessionRow, 'organization_id'>,
): Promise<void> {
  await tx
    .insertInto('web_session')
    .values({ ...session, organization_id: organizationId })
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
