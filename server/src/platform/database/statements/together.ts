import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult } from 'kysely'

export interface TogetherOptions {
  /**
   * Serves several callers with lists of any length: one plan is used for all values, and a long lock wait is an error
   * (55P03), so that one caller's rows do not hold up the others.
   */
  isBatch?: boolean
}

/** A connection that can send several statements at once. */
interface Together {
  executeTogether(queries: CompiledQuery[], options?: TogetherOptions): Promise<QueryResult<unknown>[]>
}

/**
 * Runs statements of one organization that do not depend on each other's results. On PostgreSQL they go in one
 * trip, as one transaction or in the one that is open; the embedded database runs them one after another, so that it is
 * for reads there.
 * @throws CommitUnansweredError outside of a transaction, when nobody knows whether they ran
 */
export function together<S, R extends unknown[]>(
  db: Kysely<S>,
  queries: readonly [...{ [I in keyof R]: CompiledQuery<R[I]> }],
  options?: TogetherOptions,
): Promise<{ [I in keyof R]: QueryResult<R[I]> }> {
  return db.getExecutor().provideConnection(async (connection: DatabaseConnection & Partial<Together>) => {
    if (connection.executeTogether) return (await connection.executeTogether([...queries], options)) as never
    const results: QueryResult<unknown>[] = []
    for (const query of queries) results.push(await connection.executeQuery(query))
    return results as never
  })
}
