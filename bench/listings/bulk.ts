import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

export type Row = Record<string, SQLInputValue>

export interface Bulk {
  /** Inserts the rows that `rowOf` makes of 0, 1, ... `count - 1`; all must have the same columns. */
  fill(table: string, count: number, rowOf: (index: number) => Row): void
  close(): void
}

/** Opens a database that no server uses for inserts by the million; a crash may lose all of them. */
export function openBulk(path: string): Bulk {
  const database = new DatabaseSync(path)
  database.exec('pragma synchronous = off; pragma cache_size = -1000000; pragma foreign_keys = on')

  return {
    fill(table, count, rowOf) {
      if (count === 0) return
      const columns = Object.keys(rowOf(0))
      const places = columns.map(() => '?').join()
      const insert = database.prepare(`insert into ${table} (${columns.join()}) values (${places})`)
      database.exec('begin')
      for (let index = 0; index < count; index++) insert.run(...Object.values(rowOf(index)))
      database.exec('commit')
    },
    close() {
      database.exec('pragma wal_checkpoint(truncate)')
      database.close()
    },
  }
}
