import { sql } from 'kysely'

/**
 * A limit for a statement whose plan is the same with any. Where the limit is a parameter by itself, SQLite plans by
 * its value, again at every call, which takes longer than to read twenty rows.
 */
export const anyLimit = (limit: number) => sql<number>`0 + ${limit}`
