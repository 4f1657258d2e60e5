import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { type NoteTables, openNotes } from '../../../../tests/support/database/notes.ts'
import { freshDatabase } from '../../../../tests/support/database/postgres.ts'
import { query } from '../../../../tests/support/database/postgres-server.ts'

/** A database over one connection, so that it is known which statements it keeps. */
async function start() {
  const { db, writes, url } = await openNotes(await freshDatabase(), undefined, 1)
  const find = (id: number) => db.selectFrom('note').selectAll().where('id', '=', id).execute()
  const add = (id: number, text: string) => db.insertInto('note').values({ id, text }).execute()
  const named = async () => {
    type Row = { name: string; statement: string }
    const { rows } = await sql<Row>`select name, statement from pg_prepared_statements`.execute(db)
    return rows.filter(({ statement }) => statement.includes('"note"'))
  }
  const kept = async () => (await named()).map(({ statement }) => statement)
  return { db, writes, url, find, add, named, kept }
}

test('a statement is kept parsed from its second use on', async () => {
  const { find, add, kept } = await start()
  await add(1, 'one')
  await find(1)
  expect(await kept()).toEqual([])
  for (const id of [1, 2, 1]) expect(await find(id)).toHaveLength(id === 1 ? 1 : 0)
  expect(await kept()).toEqual(['select * from "note" where "id" = $1'])
})

test('a connection keeps a bounded number, those in use among them', async () => {
  const { db, find, kept } = await start()
  for (let length = 1; length <= 200; length++) {
    const ids = Array.from({ length }, (_, id) => id)
    for (let use = 0; use < 2; use++) await db.selectFrom('note').selectAll().where('id', 'in', ids).execute()
    await find(1)
  }
  const statements = await kept()
  expect(statements.length).toBeGreaterThan(100)
  expect(statements.length).toBeLessThanOrEqual(150)
  expect(statements).toContain('select * from "note" where "id" = $1')
})

test('a statement that fails at its first use with a name works afterwards', async () => {
  const { add, find, kept } = await start()
  await add(1, 'one')
  await expect(add(1, 'again')).rejects.toThrow('duplicate key')
  await add(2, 'two')
  await expect(add(2, 'again')).rejects.toThrow('duplicate key')
  await add(3, 'three')
  expect(await find(3)).toEqual([{ id: 3, text: 'three' }])
  expect((await kept()).filter((statement) => statement.startsWith('insert'))).toHaveLength(1)
})

test('behind a pooler that knows nothing of names, statements go on without them', async () => {
  const { db, writes, find, add, kept } = await start()
  await add(1, 'one')
  await find(1)
  await find(1)
  // Behaviour of another connection of the server, as the client sees it.
  await sql`deallocate all`.execute(db)
  expect(await find(1)).toEqual([{ id: 1, text: 'one' }])
  await writes.commit(async (tx) => {
    for (const id of [1, 2]) await tx.selectFrom('note').selectAll().where('id', '=', id).execute()
    await tx.insertInto('note').values({ id: 2, text: 'two' }).execute()
  })
  expect(await find(2)).toHaveLength(1)
  expect(await kept()).toEqual([])
})

test('a name that the server already uses for another connection of a pooler does no harm', async () => {
  const client = await start()
  await client.add(1, 'one')
  for (let use = 0; use < 2; use++) await client.find(1)
  const [{ name, statement }] = (await client.named()) as [{ name: string; statement: string }]
  const { db, find, add, kept } = await start()
  await add(1, 'one')
  await sql`prepare ${sql.id(name)} (integer) as ${sql.raw(statement)}`.execute(db)
  for (let use = 0; use < 3; use++) expect(await find(1)).toEqual([{ id: 1, text: 'one' }])
  // None has a name any more but that one.
  await add(2, 'two')
  expect(await kept()).toEqual([expect.stringContaining(statement)])
})

test('a name stands for the same statement on every connection, between which a pooler may change', async () => {
  const [one, other] = [await start(), await start()]
  const statements = [
    (id: number, { find }: typeof one) => find(id),
    (id: number, { add }: typeof one) => add(id, 'text'),
    (id: number, { db }: typeof one) => db.updateTable('note').set({ text: 'new' }).where('id', '=', id).execute(),
    (id: number, { db }: typeof one) => db.deleteFrom('note').where('id', '=', id).execute(),
  ]
  const textOf = new Map<string, string>()
  for (const [client, order] of [
    [one, statements],
    [other, statements.toReversed()],
  ] as const) {
    // Twice: a statement that became outdated is parsed again.
    for (const round of [0, 1]) {
      for (const use of [0, 1, 2]) for (const run of order) await run(round * 10 + use, client)
      for (const { name, statement } of await client.named()) {
        expect(textOf.get(name) ?? statement).toBe(statement)
        textOf.set(name, statement)
      }
      await query(client.url, `alter table note add column extra_${round} text`)
    }
  }
  expect(new Set(textOf.values()).size).toBe(4)
})

test('a transaction that meets an unknown name in its middle is run again as a whole', async () => {
  const { db, writes, find } = await start()
  const select = (tx: Kysely<NoteTables>) => tx.selectFrom('note').select('text').where('id', '=', 1).execute()
  await select(db)
  await select(db)
  let runs = 0
  await writes.commit(async (tx) => {
    runs++
    await tx
      .insertInto('note')
      .values({ id: 1, text: `run ${runs}` })
      .execute()
    if (runs === 1) await sql`deallocate all`.execute(tx)
    await select(tx)
  })
  expect(runs).toBe(2)
  expect(await find(1)).toEqual([{ id: 1, text: 'run 2' }])
})

test('a column that another process adds is read, also by statements that were parsed before', async () => {
  const { db, url, find, add } = await start()
  await add(1, 'one')
  await find(1)
  await find(1)
  await query(url, `alter table note add column colour text default 'red'`)
  expect(await find(1)).toEqual([{ id: 1, text: 'one', colour: 'red' }])
  await query(url, `alter table note add column size bigint default 7`)
  const found = await db.transaction().execute((tx) => tx.selectFrom('note').selectAll().where('id', '=', 1).execute())
  expect(found).toEqual([{ id: 1, text: 'one', colour: 'red', size: 7 }])
})
