import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { PasskeyTable } from '../accounts.tables.ts'

export interface PasskeyRecord {
  id: string
  accountId: string
  /** Base64url. */
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  counter: number
  transports: string[]
  name: string
  createdAt: string
  lastUsedAt: string | null
}

const toRecord = (row: Selectable<PasskeyTable>): PasskeyRecord => ({
  id: row.id,
  accountId: row.account_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  // PostgreSQL gives whole numbers of 64 bits as text.
  counter: Number(row.counter),
  transports: JSON.parse(row.transports),
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

/** Passkeys of an account, the first made first. */
export async function listPasskeys(db: Db, accountId: string): Promise<PasskeyRecord[]> {
  const rows = await db
    .selectFrom('passkey')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toRecord)
}

/** @param credentialId base64url */
export async function findPasskeyByCredential(db: Db, credentialId: string): Promise<PasskeyRecord | undefined> {
  const row = await db.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
  return row && toRecord(row)
}

export async function insertPasskey(tx: Tx, passkey: PasskeyRecord): Promise<void> {
  await tx
    .insertInto('passkey')
    .values({
      id: passkey.id,
      account_id: passkey.accountId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      name: passkey.name,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
    })
    .execute()
}

/** Changes the given fields; the others stay. */
export async function updatePasskey(
  tx: Tx,
  id: string,
  { name, counter, lastUsedAt }: Partial<Pick<PasskeyRecord, 'name' | 'counter' | 'lastUsedAt'>>,
): Promise<void> {
  await tx.updateTable('passkey').set({ name, counter, last_used_at: lastUsedAt }).where('id', '=', id).execute()
}

export async function deletePasskey(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('passkey').where('id', '=', id).execute()
}

/** @returns whether there were any */
export async function deletePasskeysOf(tx: Tx, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkey')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function isChallengeUsed(tx: Tx, hash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('used_challenge')
    .select('challenge_hash')
    .where('challenge_hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined
}

/** Remembers a challenge that was answered, and forgets those that have expired. @param now ISO 8601 */
export async function keepUsedChallenge(
  tx: Tx,
  { hash, expiresAt, now }: { hash: string; expiresAt: string; now: string },
): Promise<void> {
  await tx.deleteFrom('used_challenge').where('expires_at', '<=', now).execute()
  await tx.insertInto('used_challenge').values({ challenge_hash: hash, expires_at: expiresAt }).execute()
}
