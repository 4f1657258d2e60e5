import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { AccountTable } from '../accounts.tables.ts'

export type AccountRow = Selectable<AccountTable>

export const findAccount = (db: Db, accountId: string): Promise<AccountRow | undefined> =>
  db.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirst()

/** @param email in lower case */
export const findAccountByEmail = (db: Db, email: string): Promise<AccountRow | undefined> =>
  db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()

export async function insertAccount(tx: Tx, account: AccountRow): Promise<void> {
  await tx.insertInto('account').values(account).execute()
}

export async function updateAccount(
  tx: Tx,
  accountId: string,
  changes: Omit<Updateable<AccountTable>, 'id'>,
): Promise<void> {
  await tx.updateTable('account').set(changes).where('id', '=', accountId).execute()
}

export async function deleteAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', accountId).execute()
}
