import type { Kysely } from 'kysely'

/**
 * How many rows a statement on the embedded database may go through without being felt by anyone who waits meanwhile.
 */
export const A_SLICE = 1_000

/** Whether statements run in this thread, so that a long one holds up the event loop: on the embedded database. */
export const runsInThread = <S>(db: Kysely<S>): boolean => 'onlyConnection' in db.getExecutor().adapter

export function* slicesOf<T>(items: readonly T[], length = A_SLICE): Generator<T[]> {
  for (let start = 0; start < items.length; start += length) yield items.slice(start, start + length)
}
