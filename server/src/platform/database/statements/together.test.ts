import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/database/database.ts'
import { freshDatabase } from '../../../../tests/support/database/postgres.ts'
import { query } from '../../../../tests/support/database/postgres-server.ts'
import { CommitUnansweredError } from '../away-errors.ts'
import type { OnlineMigration } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { together } from './together.ts'

interface Tables {
  note: { id: number; organization_id: string; text: string | null }
}

const createNotes: OnlineMigration = {
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('note')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('organization_id', 'text')
      .addColumn('text', 'text')
      .execute()
  },
}

async function start(isOnPostgres = true) {
  const url = isOnPostgres ? await freshDatabase() : ''
  const postgres = isOnPostgres ? { url, connections: 2 } : undefined
  const place = { dataDir: await temporaryFolder(), postgres }
  const { db, writes, close } = await openDatabase<Tables>(place, { '1': createNotes }, {})
  onTestFinished(close)
  const add = (id: number, text: string, organization = 'a') =>
    db.insertInto('note').values({ id, organization_id: organization, text }).compile()
  const find = (id: number, organization = 'a') =>
    db.selectFrom('note').selectAll().where('organization_id', '=', organization).where('id', '=', id).compile()
  return { db, writes, url, add, find }
}

for (const isOnPostgres of [true, false])
  test(`statements sent together see each other and each has its rows (PostgreSQL: ${isOnPostgres})`, async () => {
    const { db, add, find } = await start(isOnPostgres)
    for (const id of [1, 2, 3]) {
      const [none, added, found, again] = await together(db, [find(id), add(id, 'x'), find(id), find(id)])
      expect(none.rows).toEqual([])
      expect(added.numAffectedRows).toBe(1n)
      for (const { rows } of [found, again]) expect(rows).toEqual([{ id, organization_id: 'a', text: 'x' }])
    }
  })

test('one that fails takes those before it back', async () => {
  const { db, add, find } = await start()
  await together(db, [add(1, 'one')])
  for (let times = 0; times < 3; times++)
    await expect(together(db, [add(2, 'two'), add(1, 'again'), find(1)])).rejects.toThrow('duplicate key')
  expect((await together(db, [find(2)]))[0].rows).toEqual([])
})

test('in a transaction they are part of it', async () => {
  const { writes, db, add, find } = await start()
  const [, { rows }] = await writes.commit(async (tx) => {
    const sent = await together(tx as typeof db, [add(1, 'one'), find(1)], { isBatch: true })
    await together(tx as typeof db, [add(2, 'two')])
    return sent
  })
  expect(rows).toHaveLength(1)
  const refused = writes.commit(async (tx) => {
    await together(tx as typeof db, [add(3, 'three')])
    await together(tx as typeof db, [add(4, 'four'), add(1, 'again')], { isBatch: true })
  })
  await expect(refused).rejects.toThrow('duplicate key')
  const found = await together(db, [find(1), find(2), find(3), find(4)])
  expect(found.map((each) => each.rows.length)).toEqual([1, 1, 0, 0])
})

test('those of two organizations are not sent together', async () => {
  const { db, add } = await start()
  await expect(together(db, [add(1, 'one'), add(2, 'two', 'b')])).rejects.toThrow('several organizations')
  const found = await sql`select 1 from note`.execute(db)
  expect(found.rows).toEqual([])
})

test('behind a pooler that knows nothing of names they go on without them', async () => {
  const { db, add, find } = await start()
  for (const id of [1, 2, 3]) await together(db, [add(id, 'x'), find(id)])
  for (let connection = 0; connection < 2; connection++) await sql`deallocate all`.execute(db)
  expect((await together(db, [add(4, 'x'), find(4)]))[1].rows).toHaveLength(1)
})

test('lists of values are what they were', async () => {
  const { db } = await start()
  const texts = ['plain', '', '"quoted", \\ and {braces}', 'NULL', 'lines\nand\ttabs', "it's é 😀", 'a\0b']
  const list = sql<{ text: string | null }>`select text from note, unnest(${[...texts, null]}::text[]) as t (text)
    where organization_id = ${'a'}`.compile(db)
  const one = db.insertInto('note').values({ id: 1, organization_id: 'a', text: null }).compile()
  const [, { rows }] = await together(db, [one, { ...list, sql: list.sql.replace('select text', 'select t.text') }])
  expect((rows as { text: string | null }[]).map(({ text }) => text)).toEqual([...texts.slice(0, -1), 'a\ufffdb', null])
})

test('who loses the connection gets an error that says that nobody knows, or that nothing ran', async () => {
  const { db, writes, url, add, find } = await start()
  await together(db, [add(1, 'one')])
  const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = writes.commit(async (tx) => {
    await tx.updateTable('note').set({ text: 'held' }).where('organization_id', '=', 'a').where('id', '=', 1).execute()
    isHeld.resolve()
    await mayEnd.promise
  })
  await isHeld.promise
  const change = db.updateTable('note').set({ text: 'changed' }).where('organization_id', '=', 'a').compile()
  const changing = together(db, [add(2, 'two'), change]).catch((error) => error)
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`
  await expect.poll(async () => (await query(url, end)).length).toBe(1)
  mayEnd.resolve()
  await holding
  const error = await changing
  // The server said why: then nothing of it is stored. A connection that only ends says nothing.
  expect(error instanceof CommitUnansweredError || error.code === '57P01').toBe(true)
  expect((await together(db, [find(2)]))[0].rows).toEqual([])
})
