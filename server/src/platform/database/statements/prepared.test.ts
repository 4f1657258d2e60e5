import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { contains } from '../contains.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { prepared } from './prepared.ts'

interface Tables {
  note: { id: number; text: string | null; colour: string | null }
}

async function start() {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(() => openSqlite(':memory:')) })
  onTestFinished(() => db.destroy())
  await sql`create table note (id integer primary key, text text, colour text)`.execute(db)
  return db
}

const insert = prepared<Tables, Tables['note'], unknown>((db, note) =>
  db.insertInto('note').values({ id: note.id, text: note.text, colour: note.colour }),
)

test('each call takes its own values, in whatever order they are given', async () => {
  const db = await start()
  await insert(db, { id: 1, text: 'a', colour: null })
  await insert(db, { colour: 'red', id: 2, text: null })
  expect(await db.selectFrom('note').selectAll().orderBy('id').execute()).toEqual([
    { id: 1, text: 'a', colour: null },
    { id: 2, text: null, colour: 'red' },
  ])
})

test('it is built once for a database and its transactions, and anew for another database', async () => {
  let built = 0
  const find = prepared<Tables, { id: number; limit: number }, Tables['note']>((db, { id, limit }) => {
    built++
    return db.selectFrom('note').selectAll().where('id', '>=', id).orderBy('id').limit(limit)
  })
  const [one, two] = [await start(), await start()]
  for (const id of [1, 2, 3]) await insert(one, { id, text: null, colour: null })
  const ids = async (db: Kysely<Tables>, values: { id: number; limit: number }) =>
    (await find(db, values)).rows.map((row) => row.id)
  expect(await ids(one, { id: 2, limit: 5 })).toEqual([2, 3])
  expect(await ids(one, { id: 1, limit: 2 })).toEqual([1, 2])
  expect(await one.transaction().execute((tx) => ids(tx, { id: 3, limit: 1 }))).toEqual([3])
  expect(built).toBe(1)
  expect(await ids(two, { id: 1, limit: 5 })).toEqual([])
  expect(built).toBe(2)
})

test('calls at the same time do not mix their values', async () => {
  const db = await start()
  const ids = Array.from({ length: 200 }, (_, id) => id)
  await Promise.all(ids.map((id) => insert(db, { id, text: `text ${id}`, colour: null })))
  const rows = await db.selectFrom('note').select(['id', 'text']).orderBy('id').execute()
  expect(rows).toEqual(ids.map((id) => ({ id, text: `text ${id}` })))
})

test.each([
  ['50%', ['50% off']],
  ['_', ['a_b']],
  ['\\', ['c\\d']],
  ['OFF', ['50% off']],
  ['nothing', []],
])('a search for %j finds %j: wildcards stand for themselves', async (text, found) => {
  const db = await start()
  for (const [id, note] of ['50% off', '500 of', 'a_b', 'axb', 'c\\d'].entries()) {
    await insert(db, { id, text: note, colour: null })
  }
  const rows = await db.selectFrom('note').select('text').where(contains('text', text)).execute()
  expect(rows.map((row) => row.text)).toEqual(found)
})
