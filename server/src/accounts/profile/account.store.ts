import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { Language } from '../../platform/http/validation/schemas.ts'
import type { AccountTable } from '../accounts.tables.ts'

export interface AccountRecord {
  id: string
  /** Lower-cased. */
  email: string
  name: string
  /** Argon2id, as a PHC string; null for somebody who has no password. */
  passwordHash: string | null
  createdAt: string
  updatedAt: string
  signedInAt: string | null
  /** Language of the UI; null for the browser's. */
  language: Language | null
}

const toRecord = (row: Selectable<AccountTable>): AccountRecord => ({
  id: row.id,
  email: row.email,
  name: row.name,
  passwordHash: row.password_hash,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  signedInAt: row.signed_in_at,
  language: row.language as Language | null,
})

export async function findAccount(db: Db, accountId: string): Promise<AccountRecord | undefined> {
  const row = await db.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirst()
  return row && toRecord(row)
}

/** @param email in lower case */
export async function findAccountByEmail(db: Db, email: string): Promise<AccountRecord | undefined> {
  const row = await db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()
  return row && toRecord(row)
}

export async function insertAccount(tx: Tx, account: AccountRecord): Promise<void> {
  await tx
    .insertInto('account')
    .values({
      id: account.id,
      email: account.email,
      name: account.name,
      password_hash: account.passwordHash,
      created_at: account.createdAt,
      updated_at: account.updatedAt,
      signed_in_at: account.signedInAt,
      language: account.language,
    })
    .execute()
}

/** Makes an account without a password: its person signs in by a provider, or by a link for a forgotten password. */
export async function insertAccountWithoutPassword(
  tx: Tx,
  { id, email, name, at }: Pick<AccountRecord, 'id' | 'email' | 'name'> & { at: string },
): Promise<AccountRecord> {
  const times = { createdAt: at, updatedAt: at, signedInAt: null }
  const account = { id, email, name, passwordHash: null, language: null, ...times }
  await insertAccount(tx, account)
  return account
}

/** Changes the given fields; the others stay. */
export async function updateAccount(
  tx: Tx,
  accountId: string,
  { email, name, passwordHash, updatedAt, signedInAt, language }: Partial<AccountRecord>,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ email, name, password_hash: passwordHash, updated_at: updatedAt, signed_in_at: signedInAt, language })
    .where('id', '=', accountId)
    .execute()
}

export async function deleteAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', accountId).execute()
}
