import type { Db, Tx } from '../../db.ts'

/** Client that registered itself. */
export interface ClientRecord {
  id: string
  name: string
  redirectUris: string[]
  uri: string | null
  createdAt: string
}

export async function insertClient(tx: Tx, { id, name, redirectUris, uri, createdAt }: ClientRecord): Promise<void> {
  await tx
    .insertInto('oauth_client')
    .values({ id, name, redirect_uris: JSON.stringify(redirectUris), uri, created_at: createdAt, used_at: null })
    .execute()
}

export async function findClient(db: Db, id: string): Promise<ClientRecord | undefined> {
  const row = await db.selectFrom('oauth_client').selectAll().where('id', '=', id).executeTakeFirst()
  return (
    row && {
      id: row.id,
      name: row.name,
      redirectUris: JSON.parse(row.redirect_uris),
      uri: row.uri,
      createdAt: row.created_at,
    }
  )
}

export async function recordClientUse(tx: Tx, id: string, at: string): Promise<void> {
  await tx.updateTable('oauth_client').set({ used_at: at }).where('id', '=', id).execute()
}

/** Deletes clients that nobody agreed to since `unusedBefore`, and that were not used since `usedBefore`. */
export async function deleteOldClients(
  db: Db,
  { unusedBefore, usedBefore }: { unusedBefore: string; usedBefore: string },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_client')
    .where('id', 'in', (select) =>
      select
        .selectFrom('oauth_client')
        .select('id')
        .where((where) =>
          where.or([
            where.and([where('used_at', 'is', null), where('created_at', '<', unusedBefore)]),
            where('used_at', '<', usedBefore),
          ]),
        )
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
