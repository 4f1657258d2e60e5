import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createNotes, openNotes } from '../../../../tests/support/database/notes.ts'
import { freshDatabase, postgresAdminUrl } from '../../../../tests/support/database/postgres.ts'
import { query } from '../../../../tests/support/database/postgres-server.ts'
import { contains } from '../contains.ts'
import { DatabaseUnusableError, isBusy, isForeignKeyViolation, isUniqueViolation } from '../errors.ts'
import { DatabaseOrderError, DatabaseTooNewError, type OnlineMigration } from '../migrate.ts'
import { patiently } from '../patience.ts'
import { takeAdvisoryLock } from '../statements/advisory-locks.ts'

const start = async () => openNotes(await freshDatabase())

test('a database with migrations that ran in another order is refused untouched', async () => {
  const { url, close } = await openNotes(await freshDatabase(), { '1': createNotes, '3': { async up() {} } })
  await close()
  const refusal = openNotes(url, { '1': createNotes, '2': { async up() {} }, '3': { async up() {} } })
  await expect(refusal).rejects.toThrow(DatabaseOrderError)
  await expect(refusal).rejects.toThrow(/holds the migration "3", but not "2", which comes before/)
  const applied = await query<{ name: string }>(url, 'select name from kysely_migration order by name')
  expect(applied.map(({ name }) => name)).toEqual(['1', '3'])
})

test('statements give rows and counts as SQLite does', async () => {
  const { db } = await start()
  const inserted = await db
    .insertInto('note')
    .values({ id: 2 ** 40, text: 'ü 🎉' })
    .executeTakeFirstOrThrow()
  expect(inserted.numInsertedOrUpdatedRows).toBe(1n)
  expect(await db.selectFrom('note').selectAll().execute()).toEqual([{ id: 2 ** 40, text: 'ü 🎉' }])
  const updated = await db.updateTable('note').set({ text: null }).where('id', '>', 0).executeTakeFirstOrThrow()
  const deleted = await db.deleteFrom('note').where('id', '=', 1).executeTakeFirstOrThrow()
  expect([updated.numUpdatedRows, deleted.numDeletedRows]).toEqual([1n, 0n])
  const { rows } = await sql`select count(*) as count, sum(id) as sum, max(id) > 1 as is_large from note`.execute(db)
  expect(rows).toEqual([{ count: 1, sum: 2 ** 40, is_large: 1 }])
})

test('an empty list holds nothing', async () => {
  const { db } = await start()
  await db.insertInto('note').values({ id: 1, text: null }).execute()
  const ids = (operator: 'in' | 'not in') => db.selectFrom('note').select('id').where('id', operator, []).execute()
  expect([await ids('in'), await ids('not in')]).toEqual([[], [{ id: 1 }]])
})

test('a character 0, which PostgreSQL cannot hold, keeps its place', async () => {
  const { db } = await start()
  await db.insertInto('note').values({ id: 1, text: 'a\0b' }).execute()
  expect(await db.selectFrom('note').select('text').where('text', '=', 'a\0b').execute()).toEqual([
    { text: 'a\ufffdb' },
  ])
})

test('text sorts by its bytes and is found whatever it holds, in a database that sorts otherwise', async ({ skip }) => {
  const name = `test_sorted_${process.pid}_${Date.now()}`
  const admin = await postgresAdminUrl()
  const [server] = await query(admin, `select current_setting('server_version_num')::int as version`)
  skip(server!.version < 150_000, 'one that sorts by ICU is made from PostgreSQL 15 on')
  await query(admin, `create database ${name} template template0 locale_provider icu icu_locale 'de' owner docent`)
  onTestFinished(async () => {
    await query(admin, `drop database ${name} with (force)`)
  })
  const { db, close } = await openNotes(Object.assign(new URL(await freshDatabase()), { pathname: name }).href)
  onTestFinished(close)
  const texts = ['Z', 'a', 'ä', 'B', '50% off', 'a_b']
  for (const [id, text] of texts.entries()) await db.insertInto('note').values({ id, text }).execute()
  const sorted = await db.selectFrom('note').select('text').orderBy('text').execute()
  expect(sorted.map(({ text }) => text)).toEqual(['50% off', 'B', 'Z', 'a', 'a_b', 'ä'])
  const found = await db.selectFrom('note').select('text').where(contains('text', '0% O')).execute()
  expect(found).toEqual([{ text: '50% off' }])
})

test('errors are distinguished, and a transaction goes back as a whole', async () => {
  const { db } = await start()
  await db.insertInto('note').values({ id: 1, text: null }).execute()
  const failure = (id: number, table: 'note' | 'remark') =>
    db
      .transaction()
      .execute(async (tx) => {
        await tx.insertInto('note').values({ id: 9, text: null }).execute()
        if (table === 'note') await tx.insertInto('note').values({ id, text: null }).execute()
        else await tx.insertInto('remark').values({ id, note_id: 77 }).execute()
      })
      .then(
        () => expect.fail('it went through'),
        (error) => [isUniqueViolation(error), isForeignKeyViolation(error), isBusy(error)],
      )
  expect([await failure(1, 'note'), await failure(1, 'remark')]).toEqual([
    [true, false, false],
    [false, true, false],
  ])
  expect(await db.selectFrom('note').select('id').execute()).toEqual([{ id: 1 }])
})

test('a transaction that caught the error of a statement cannot be taken for stored', async () => {
  const { db } = await start()
  const swallowed = db.transaction().execute(async (tx) => {
    await tx.insertInto('note').values({ id: 1, text: null }).execute()
    await sql`select nothing`.execute(tx).catch(() => {})
  })
  await expect(swallowed).rejects.toThrow('nothing of it is stored')
  expect(await db.selectFrom('note').select('id').execute()).toEqual([])
})

test('writes that lock each other out all come through', async () => {
  const { db, writes } = await start()
  for (const id of [1, 2]) await db.insertInto('note').values({ id, text: '' }).execute()
  const { promise: bothHoldOne, resolve: go } = Promise.withResolvers<void>()
  let runs = 0
  const touch = (first: number, second: number, who: string) =>
    writes.commit(async (tx) => {
      const add = (id: number) =>
        tx
          .updateTable('note')
          .set((row) => ({ text: sql`${row.ref('text')} || ${who}` }))
          .where('id', '=', id)
          .execute()
      await add(first)
      if (++runs === 2) go()
      await bothHoldOne
      await add(second)
    })
  await Promise.all([touch(1, 2, 'a'), touch(2, 1, 'b')])
  const texts = (await db.selectFrom('note').select('text').execute()).map(({ text }) => [...text!].sort().join(''))
  expect(texts).toEqual(['ab', 'ab'])
  expect(runs).toBeGreaterThan(2)
})

test('a write that fails fails alone, and a line keeps its order', async () => {
  const { db, writes } = await start()
  const put = (id: number, waitMs: number, line: string) =>
    writes.commit(async (tx) => {
      await delay(waitMs)
      await tx.insertInto('note').values({ id, text: line }).execute()
      return id
    }, line)
  const order: number[] = []
  const results = await Promise.allSettled(
    [put(1, 60, 'x'), put(1, 30, 'x'), put(2, 0, 'x'), put(3, 0, 'y')].map((done) => done.then((id) => order.push(id))),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(order.filter((id) => id < 3)).toEqual([1, 2])
  expect(await db.selectFrom('note').select('id').orderBy('id').execute()).toHaveLength(3)
})

test('turns of one name follow each other, those of others do not wait', async () => {
  const { db } = await start()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>()
  const steps: string[] = []
  const inTurn = (id: string, work: () => Promise<void>) =>
    db.transaction().execute(async (tx) => {
      await takeAdvisoryLock(tx, 'notes', id)
      await work()
    })
  const first = inTurn('a', async () => {
    begun()
    await mayEnd
    steps.push('first')
  })
  await hasBegun
  const second = inTurn('a', async () => void steps.push('second'))
  await inTurn('b', async () => void steps.push('other'))
  await delay(50)
  end()
  await Promise.all([first, second])
  expect(steps).toEqual(['other', 'first', 'second'])
})

test('connections that the server cut are replaced: writes run again, the next statement works', async () => {
  const { db, writes, url, idleErrors } = await start()
  const cut = async () =>
    query(
      await postgresAdminUrl(),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`,
    )
  let runs = 0
  await writes.commit(async (tx) => {
    await tx.insertInto('note').values({ id: ++runs, text: null }).execute()
    if (runs === 1) await cut()
  })
  expect(await db.selectFrom('note').select('id').execute()).toEqual([{ id: runs }])
  const before = idleErrors.length
  const { length } = await cut()
  await expect.poll(() => idleErrors.length).toBe(before + length)
  expect(await db.selectFrom('note').select('id').execute()).toEqual([{ id: runs }])
})

test('patient reads whose connections are all cut at once get others', async () => {
  const { db, url } = await start()
  for (const id of [1, 2]) await db.insertInto('note').values({ id, text: 'one' }).execute()
  const slow = () =>
    db
      .selectFrom('note')
      .select(['text', sql`case when exists (select from note where id = 2) then pg_sleep(60) end`.as('slept')])
      .where('id', '=', 1)
      .executeTakeFirst()
  const name = new URL(url).pathname.slice(1)
  const sleeping = `from pg_stat_activity where datname = '${name}' and query like '%pg_sleep%' and state = 'active'`
  const reads = patiently({}, () => Promise.all([1, 2, 3, 4].map(slow)))
  const admin = await postgresAdminUrl()
  await expect.poll(async () => (await query(admin, `select pid ${sleeping}`)).length).toBe(4)
  await query(url, 'delete from note where id = 2')
  await query(admin, `select pg_terminate_backend(pid) ${sleeping}`)
  expect((await reads).map((row) => row?.text)).toEqual(['one', 'one', 'one', 'one'])
})

test.each([
  [
    'an address where nothing listens',
    (url: URL) => Object.assign(url, { port: '1' }),
    /ECONNREFUSED.*Check host and port/,
  ],
  [
    'a wrong password',
    (url: URL) => Object.assign(url, { password: 'secret-guess' }),
    /authentication failed.*Check user and password/,
  ],
  [
    'a database that is not there',
    (url: URL) => Object.assign(url, { pathname: 'nothing' }),
    /does not exist\. Create it/,
  ],
])('%s is told in one line that says what to do, without the password', async (_, change, words) => {
  const url = change(new URL(await freshDatabase())).href
  const error = await openNotes(url).catch((error) => error)
  expect(error).toBeInstanceOf(DatabaseUnusableError)
  expect(error.message).toMatch(words)
  expect(error.message).toMatch(/^PostgreSQL \(DATABASE_URL\) cannot be used: [^\n]+\.$/)
  expect(error.message).not.toContain(new URL(url).password)
})

test('a role that may not make tables is told so', async () => {
  const url = await freshDatabase()
  const admin = new URL(await postgresAdminUrl())
  await query(Object.assign(admin, { pathname: new URL(url).pathname }).href, 'alter schema public owner to postgres')
  await query(url, 'select 1')
  await query(admin.href, 'revoke all on schema public from docent, public; grant usage on schema public to public')
  await expect(openNotes(url)).rejects.toThrow(/permission denied for schema public\. Let this user own/)
})

const addColour = (worksWith?: string): OnlineMigration => ({
  worksWith,
  async up(db: Kysely<any>) {
    await db.schema.alterTable('note').addColumn('colour', 'text').execute()
  },
})

test('processes that start at the same moment on an empty database migrate once', async () => {
  const url = await freshDatabase()
  let runs = 0
  const counted: OnlineMigration = {
    async up(db) {
      runs++
      await createNotes.up(db)
    },
  }
  const databases = await Promise.all([1, 2, 3].map(() => openNotes(url, { '1': counted, '2': addColour() })))
  expect(runs).toBe(1)
  await Promise.all(databases.map(({ db }, id) => db.insertInto('note').values({ id, text: null }).execute()))
})

test('a process of an earlier version starts beside a later schema where that said so, and else refuses', async () => {
  const url = await freshDatabase()
  await openNotes(url, { '1': createNotes, '2': addColour('1') })
  const { db } = await openNotes(url, { '1': createNotes })
  await db.insertInto('note').values({ id: 1, text: 'old' }).execute()
  await openNotes(url, { '1': createNotes, '2': addColour('1'), '3': { up: async () => {} } })
  await expect(openNotes(url, { '1': createNotes, '2': addColour('1') })).rejects.toThrow(DatabaseTooNewError)
})

test('a migration that fails leaves nothing, and what came before it stays', async () => {
  const url = await freshDatabase()
  const failing: OnlineMigration = {
    async up(db) {
      await addColour().up(db)
      throw new Error('the migration failed')
    },
  }
  await expect(openNotes(url, { '1': createNotes, '2': failing })).rejects.toThrow('the migration failed')
  const { db } = await openNotes(url, { '1': createNotes })
  expect(
    await db.introspection.getTables().then((all) => all.find(({ name }) => name === 'note')?.columns),
  ).toHaveLength(2)
})

test('a migration waits for a table that is in use without holding up others for long', async () => {
  const url = await freshDatabase()
  const { db } = await openNotes(url)
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const reading = db.transaction().execute(async (tx) => {
    await tx.selectFrom('note').selectAll().execute()
    await mayEnd
  })
  const migrated = openNotes(url, { '1': createNotes, '2': addColour() })
  await delay(3_500)
  const asked = Date.now()
  await db.selectFrom('note').selectAll().execute()
  expect(Date.now() - asked).toBeLessThan(3_500)
  end()
  await reading
  await migrated
})

test('a migration that loses a deadlock to those who use its tables is tried again', async () => {
  const url = await freshDatabase()
  await openNotes(url)
  const admin = Object.assign(new URL(await postgresAdminUrl()), { pathname: new URL(url).pathname }).href
  const { db } = await openNotes(admin)
  let runs = 0
  const colourBoth: OnlineMigration = {
    async up(tx) {
      runs++
      await addColour().up(tx)
      await tx.schema.alterTable('remark').addColumn('colour', 'text').execute()
    },
  }
  const { migrating } = await db.transaction().execute(async (tx) => {
    // The other one loses.
    await sql`set local deadlock_timeout = '1min'`.execute(tx)
    await tx.selectFrom('remark').selectAll().execute()
    const migrating = openNotes(url, { '1': createNotes, '2': colourBoth })
    // In this database: other tests wait in theirs.
    const waiting = `select from pg_locks where not granted and relation = 'remark'::regclass`
    await expect.poll(() => query(admin, waiting)).toHaveLength(1)
    await tx.selectFrom('note').selectAll().execute()
    return { migrating }
  })
  await migrating
  expect(runs).toBeGreaterThan(1)
})
