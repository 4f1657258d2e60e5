import { sql } from 'kysely'

/** Any number, as long as every version of Docent takes the same. */
const PRESENCE = 731_044_201

/**
 * Lock for the one connection that a process keeps for its whole life: PostgreSQL releases it with the connection, so
 * the others notice at once when the process is killed. Shared, because a half-open connection still holds it.
 */
export const presenceOf = (processId: string): { text: string; values: unknown[] } => ({
  text: 'select pg_advisory_lock_shared($1, hashtext($2))',
  values: [PRESENCE, processId],
})

/** Whether the process of a row of `server_process` has such a connection. */
export const isPresent = sql<0 | 1>`hashtext(server_process.id)::oid in (
  select objid from pg_locks where locktype = 'advisory' and classid = ${sql.lit(PRESENCE)} and objsubid = 2)`
