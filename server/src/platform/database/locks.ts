import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'

/**
 * Waits until no other transaction is in its turn of the same name, and keeps all others out to its own end. For what is
 * checked in one statement and written in another: SQLite runs one transaction at a time anyway, PostgreSQL many.
 * Rows that are changed in such a turn are locked after it, never before, so that no two wait for each other.
 * @param of what it is about, as kind and id: `'quotas', workspaceId`
 */
export const takeTurn = <S>(tx: Transaction<S>, ...of: [kind: string, id: string]): Promise<void> =>
  lock(tx, 'pg_advisory_xact_lock', of)

/** The same beside others that share the turn; who takes it alone waits for all of them, and they for that one. */
export const shareTurn = <S>(tx: Transaction<S>, ...of: [kind: string, id: string]): Promise<void> =>
  lock(tx, 'pg_advisory_xact_lock_shared', of)

async function lock<S>(tx: Kysely<S>, how: string, of: string[]): Promise<void> {
  if (!(tx.getExecutor().adapter instanceof PostgresAdapter)) return
  await sql`select ${sql.raw(how)}(hashtextextended(${of.join(' ')}, 0))`.execute(tx)
}
