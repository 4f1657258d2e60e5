import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { databasePath } from '../../platform/database/open.ts'
import type { ReadDatabase } from './read-database.ts'

export function readSqlite(dataDir: string): ReadDatabase {
  const path = databasePath(dataDir)
  if (!existsSync(path))
    throw new Error(`There is no installation of Docent in ${dataDir}: set DATA_DIR to the folder of the server`)
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
  const isThere = (table: string) =>
    database.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(table) !== undefined
  return {
    async applied() {
      if (!isThere('kysely_migration')) return undefined
      return database
        .prepare('select name from kysely_migration order by name')
        .all()
        .map(({ name }) => String(name))
    },
    rows: async (table) =>
      isThere(table) ? Number(database.prepare(`select count(*) as rows from "${table}"`).get()!.rows) : 0,
    copiedBytes: statSync(path).size,
    close: async () => database.close(),
  }
}
