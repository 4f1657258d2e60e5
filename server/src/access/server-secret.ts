import { randomBytes } from 'node:crypto'
import type { Db } from '../db.ts'

/** A secret of this server's own, made when it is first asked for; base64url, 256 bits. */
export async function getServerSecret(db: Db, name: string): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  await db
    .insertInto('server_secret')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('server_secret').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return row.value
}
