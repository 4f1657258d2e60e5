import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { PasswordLinkTable } from '../accounts.tables.ts'

export type PasswordLinkRow = Selectable<PasswordLinkTable>

export const findPasswordLink = (db: Db, hash: string): Promise<PasswordLinkRow | undefined> =>
  db.selectFrom('password_link').selectAll().where('token_hash', '=', hash).executeTakeFirst()

export async function insertPasswordLink(tx: Tx, link: PasswordLinkRow): Promise<void> {
  await tx.insertInto('password_link').values(link).execute()
}

/** @returns whether it was there: of several that use it at the same time one gets true */
export async function deletePasswordLink(tx: Tx, linkId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('password_link').where('id', '=', linkId).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function deletePasswordLinksOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('password_link').where('account_id', '=', accountId).execute()
}
