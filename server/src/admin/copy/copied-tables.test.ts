import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/database/database.ts'
import type { Tables } from '../../db.ts'
import { migrations } from '../../migrations/index.ts'
import { databasePath, openEmbedded } from '../../platform/database/open.ts'
import { snapshotSqlite } from '../../platform/database/snapshot.ts'
import { COPIED_TABLES, type CopiedTableName, selectAll, selectBlobs } from './copied-tables.ts'

async function emptySchema() {
  const folder = await temporaryFolder()
  await (await openEmbedded(folder, migrations)).close()
  const database = new DatabaseSync(databasePath(folder), { readOnly: true })
  onTestFinished(() => database.close())
  const names = database
    .prepare("select name from sqlite_schema where type = 'table'")
    .all()
    .map((row) => row.name as string)
    // SQLite's own, and those in which it keeps the search in chats.
    .filter((name) => !/^(sqlite_|message_search_grams)/.test(name))
  return { folder, database, names }
}

test('every table of the schema is copied, but for tasks, processes, the search in chats and the records of migrations', async () => {
  const { names } = await emptySchema()
  const left = [
    'task',
    'task_trouble',
    'server_process',
    'idempotent_request',
    'kysely_migration',
    'kysely_migration_lock',
    'message_search',
    'message_unindexed',
  ]
  expect(names.filter((name) => !(name in COPIED_TABLES)).sort()).toEqual(left.sort())
})

test('each table comes after those that it refers to, and its key is its primary key', async () => {
  const { database } = await emptySchema()
  const order = Object.keys(COPIED_TABLES)
  for (const [name, { key, parent }] of Object.entries(COPIED_TABLES)) {
    const columns = database.prepare('select name, pk from pragma_table_info(?) where pk > 0 order by pk').all(name)
    expect(
      columns.map((column) => column.name),
      name,
    ).toEqual(key)
    for (const reference of database.prepare('select "table", "from" from pragma_foreign_key_list(?)').all(name)) {
      if (reference.table === name) expect(reference.from, name).toBe(parent)
      else
        expect(order.indexOf(reference.table as string), `${name} → ${reference.table}`).toBeLessThan(
          order.indexOf(name),
        )
    }
  }
})

test('folders come after the ones that they are in, whichever is older', async () => {
  const dataDir = await temporaryFolder()
  const { db, close } = await openEmbedded<Tables>(dataDir, migrations)
  onTestFinished(close)
  const [organization_id, at] = ['0123456789abcdef00000001', '2026-01-01T00:00:00.000Z']
  await db.insertInto('organization').values({ id: organization_id, name: 'Test', created_at: at }).execute()
  const parents = { z: null, m: 'z', a: 'm', b: null }
  for (const [id, parent_id] of Object.entries(parents)) {
    const names = { name: id, name_key: id, tags: '[]', created_at: at, updated_at: at }
    const row = { id, parent_id, organization_id, integration_id: null, source_key: null, deleted_at: null, ...names }
    await db.insertInto('folder').values(row).execute()
  }
  const snapshot = await snapshotSqlite(databasePath(dataDir))
  onTestFinished(snapshot.close)
  const ids: unknown[] = []
  for await (const rows of snapshot.stream(selectAll('folder', ['id', 'parent_id'])))
    ids.push(...rows.map(([id]) => id))
  expect(ids).toEqual(['b', 'z', 'm', 'a'])
})

test('all columns that name blobs are looked at', async () => {
  const { folder, database, names } = await emptySchema()
  const snapshot = await snapshotSqlite(databasePath(folder), { isStill: true })
  onTestFinished(snapshot.close)
  const statement = selectBlobs(await snapshot.tables())
  const columns = names.flatMap((table) =>
    database
      .prepare("select name from pragma_table_info(?) where name like '%blob%'")
      .all(table)
      .map(({ name }) => [table as CopiedTableName, name as string] as const),
  )
  expect(columns.length).toBeGreaterThan(4)
  for (const [table, column] of columns)
    expect(statement).toMatch(new RegExp(`"${column}" as blob_key,.* from "${table}"`))
})
