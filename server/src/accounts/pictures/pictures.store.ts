import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { AccountPictureTable } from '../accounts.tables.ts'

export interface PictureRecord {
  accountId: string
  mediaType: string
  content: Buffer
  /** Hex. */
  sha256: string
  updatedAt: string
}

const toRecord = (row: Selectable<AccountPictureTable>): PictureRecord => ({
  accountId: row.account_id,
  mediaType: row.media_type,
  content: Buffer.from(row.content, 'base64'),
  sha256: row.sha256,
  updatedAt: row.updated_at,
})

export async function findPicture(db: Db, accountId: string): Promise<PictureRecord | undefined> {
  const row = await db.selectFrom('account_picture').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row && toRecord(row)
}

/** Puts it in the place of the one that there was. */
export async function putPicture(tx: Tx, picture: PictureRecord): Promise<void> {
  const values = {
    media_type: picture.mediaType,
    content: picture.content.toString('base64'),
    sha256: picture.sha256,
    updated_at: picture.updatedAt,
  }
  await tx
    .insertInto('account_picture')
    .values({ account_id: picture.accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
}

export async function deletePicture(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account_picture').where('account_id', '=', accountId).execute()
}
