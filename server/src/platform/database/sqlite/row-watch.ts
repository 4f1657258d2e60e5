import type { Kysely } from 'kysely'
import type { DirectAdapter } from '../statements/prepared.ts'

/** A change of rows that somebody wants to know of. */
export interface WatchedChange {
  table: string
  /** `update of` names columns. */
  on: 'insert' | 'delete' | `update of ${string}` | 'update'
  /** Condition on `old` and `new`. */
  when?: string
  /** Columns of `old` and `new` that are reported. */
  columns: string[]
  /** Called for each row, when it is written and not yet committed. Must not throw. */
  tell(...values: never[]): void
}

/** Watch over all statements of the only connection, whoever issues them and whatever else they set off. */
export interface RowWatch {
  /** Prefix of its triggers and functions: letters and underscores. */
  name: string
  changes: WatchedChange[]
  /** Called when a statement or a transaction is undone: any change reported since the last commit may be of it. */
  onUndone(): void
}

/** Connection to the embedded database that tells of changed rows. */
export interface WatchableConnection {
  watch(watch: RowWatch): void
  /** Number that changes when another connection, of any process, has committed. */
  versionOfOthers(): number
}

/**
 * Begins to watch rows of the embedded database. Whatever a feature remembers of them can so be kept true without
 * asking each place that writes them. Costs about a microsecond for each change that is told.
 * @throws if the database is another one, or not opened yet
 */
export function watchRows<S>(db: Kysely<S>, watch: RowWatch): Pick<WatchableConnection, 'versionOfOthers'> {
  const { onlyConnection } = db.getExecutor().adapter as Partial<DirectAdapter>
  if (!onlyConnection || !('watch' in onlyConnection)) throw new Error('only an open embedded database can be watched')
  const connection = onlyConnection as typeof onlyConnection & WatchableConnection
  connection.watch(watch)
  return connection
}
