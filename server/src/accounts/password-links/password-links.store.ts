import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { PasswordLinkTable } from '../accounts.tables.ts'

export type PasswordLinkRecord = CamelCased<Selectable<PasswordLinkTable>>

export async function findPasswordLink(db: Db, hash: string): Promise<PasswordLinkRecord | undefined> {
  const row = await db.selectFrom('password_link').selectAll().where('token_hash', '=', hash).executeTakeFirst()
  return row && camelCased(row)
}

export async function insertPasswordLink(tx: Tx, link: PasswordLinkRecord): Promise<void> {
  await tx.insertInto('password_link').values(snakeCased(link)).execute()
}

/** @returns whether it was there: of several that use it at the same time one gets true */
export async function deletePasswordLink(tx: Tx, linkId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('password_link').where('id', '=', linkId).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function deletePasswordLinksOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('password_link').where('account_id', '=', accountId).execute()
}
