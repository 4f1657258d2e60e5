import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'

/**
 * Takes an advisory lock that ends with the transaction, for a check in one statement and a write in another. SQLite runs
 * one transaction at a time anyway. Take it before any row is locked, so that no two transactions wait for each other.
 * @param of name of the lock, as kind and id: `'quotas', workspaceId`
 */
export const takeAdvisoryLock = <S>(tx: Transaction<S>, ...of: [kind: string, id: string]): Promise<void> =>
  lock(tx, 'pg_advisory_xact_lock', of)

/** Takes the lock together with others that share it; an exclusive one waits for all of them, and they for it. */
export const shareAdvisoryLock = <S>(tx: Transaction<S>, ...of: [kind: string, id: string]): Promise<void> =>
  lock(tx, 'pg_advisory_xact_lock_shared', of)

async function lock<S>(tx: Kysely<S>, how: string, of: string[]): Promise<void> {
  if (!(tx.getExecutor().adapter instanceof PostgresAdapter)) return
  await sql`select ${sql.raw(how)}(hashtextextended(${of.join(' ')}, 0))`.execute(tx)
}
