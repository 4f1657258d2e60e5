import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/database/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../errors.ts'
import { openSqlite } from './sqlite.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

interface Tables {
  note: { id: number; text: string | null }
  remark: { id: number; note_id: number }
}

async function start() {
  const path = `${await temporaryFolder()}/notes.sqlite`
  const db = new Kysely<Tables>({ dialect: sqliteDialect(() => openSqlite(path)) })
  onTestFinished(() => db.destroy())
  await sql`create table note (id integer primary key, text text)`.execute(db)
  await sql`create table remark (id integer primary key, note_id integer not null references note (id))`.execute(db)
  const other = new DatabaseSync(path, { timeout: 0 })
  onTestFinished(() => other.close())
  return { db, other }
}

test('statements give rows, counts and ids', async () => {
  const { db } = await start()
  const inserted = await db.insertInto('note').values({ id: 7, text: 'ü 🎉 \u0000' }).executeTakeFirstOrThrow()
  expect(inserted).toMatchObject({ insertId: 7n, numInsertedOrUpdatedRows: 1n })
  expect(await db.selectFrom('note').selectAll().execute()).toEqual([{ id: 7, text: 'ü 🎉 \u0000' }])
  const updated = await db.updateTable('note').set({ text: null }).where('id', '>', 0).executeTakeFirstOrThrow()
  expect(updated.numUpdatedRows).toBe(1n)
  expect(await db.updateTable('note').set({ text: 'a' }).returningAll().execute()).toEqual([{ id: 7, text: 'a' }])
  const deleted = await db.deleteFrom('note').where('id', '=', 1).executeTakeFirstOrThrow()
  expect(deleted.numDeletedRows).toBe(0n)
})

test('rows have the columns that their table has now', async () => {
  const { db } = await start()
  const add = sql`insert into note values (1, 'a') returning *`
  expect((await add.execute(db)).rows).toEqual([{ id: 1, text: 'a' }])
  const read = () => db.selectFrom('note').selectAll().execute()
  expect(await read()).toEqual([{ id: 1, text: 'a' }])
  await sql`alter table note add column "two words" text default 'b'`.execute(db)
  expect(await read()).toEqual([{ id: 1, text: 'a', 'two words': 'b' }])
  await sql`alter table note rename column "text" to "said"`.execute(db)
  expect(await read()).toEqual([{ id: 1, said: 'a', 'two words': 'b' }])
})

test('a transaction is all or nothing', async () => {
  const { db } = await start()
  const failed = db.transaction().execute(async (tx) => {
    await tx.insertInto('note').values({ id: 1, text: null }).execute()
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await db.selectFrom('note').selectAll().execute()).toEqual([])
})

test('a statement beside a transaction waits for its end, and sees none of it before', async () => {
  const { db } = await start()
  let seen: unknown
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const transaction = db.transaction().execute(async (tx) => {
    await tx.insertInto('note').values({ id: 1, text: 'a' }).execute()
    await mayEnd
    throw new Error('never mind')
  })
  const read = db
    .selectFrom('note')
    .selectAll()
    .execute()
    .then((rows) => {
      seen = rows
    })
  await delay(20)
  expect(seen).toBeUndefined()
  end()
  await expect(transaction).rejects.toThrow('never mind')
  await read
  expect(seen).toEqual([])
})

test('another process that writes is waited for, without holding up the event loop', async () => {
  const { db, other } = await start()
  other.exec('begin immediate')
  let turns = 0
  const count = setInterval(() => turns++, 1)
  const written = db.transaction().execute((tx) => tx.insertInto('note').values({ id: 1, text: 'a' }).execute())
  await delay(300)
  other.exec("insert into note values (2, 'b')")
  other.exec('commit')
  await written
  clearInterval(count)
  expect(turns).toBeGreaterThan(10)
  expect((await db.selectFrom('note').select('id').orderBy('id').execute()).map((row) => row.id)).toEqual([1, 2])
})

test('a single statement waits, too', async () => {
  const { db, other } = await start()
  other.exec('begin immediate')
  const written = db.insertInto('note').values({ id: 1, text: 'a' }).execute()
  await delay(50)
  other.exec('rollback')
  await written
  expect(await db.selectFrom('note').selectAll().execute()).toHaveLength(1)
})

test('reading goes on while another process writes', async () => {
  const { db, other } = await start()
  other.exec("begin immediate; insert into note values (2, 'b')")
  expect(await db.selectFrom('note').selectAll().execute()).toEqual([])
  other.exec('rollback')
})

test('a value that is taken and a reference to nothing are distinguished from other errors', async () => {
  const { db } = await start()
  const failure = (statement: { execute(): Promise<unknown> }) =>
    statement.execute().then(
      () => expect.fail('it went through'),
      (error) => error,
    )
  await db.insertInto('note').values({ id: 1, text: 'a' }).execute()
  const taken = await failure(db.insertInto('note').values({ id: 1, text: 'b' }))
  const dangling = await failure(db.insertInto('remark').values({ id: 1, note_id: 9 }))
  const unknown = await failure(db.selectFrom('nothing' as 'note').selectAll())
  expect([taken, dangling, unknown].map(isUniqueViolation)).toEqual([true, false, false])
  expect([taken, dangling, unknown].map(isForeignKeyViolation)).toEqual([false, true, false])
})

test('a statement that SQLite undoes as a whole with its transaction fails with its own error', async () => {
  const { db } = await start()
  await sql`create trigger full before insert on note begin select raise(rollback, 'disk full'); end`.execute(db)
  const failed = db.transaction().execute((tx) => tx.insertInto('note').values({ id: 1, text: 'a' }).execute())
  await expect(failed).rejects.toThrow('disk full')
  await sql`drop trigger full`.execute(db)
  await db.transaction().execute((tx) => tx.insertInto('note').values({ id: 1, text: 'a' }).execute())
})

test('many different statements do not pile up, and each still runs', async () => {
  const { db } = await start()
  for (let i = 0; i < 1_200; i++) {
    const { rows } = await sql<{ value: number }>`select ${sql.raw(String(i))} as value`.execute(db)
    expect(rows).toEqual([{ value: i }])
  }
})

test('rows can be streamed', async () => {
  const { db } = await start()
  for (let id = 0; id < 5; id++) await db.insertInto('note').values({ id, text: null }).execute()
  const ids: number[] = []
  for await (const row of db.selectFrom('note').select('id').orderBy('id').stream()) ids.push(row.id)
  expect(ids).toEqual([0, 1, 2, 3, 4])
})
