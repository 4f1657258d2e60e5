import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase, postgresAdminUrl } from '../../../../tests/support/database/postgres.ts'
import { query } from '../../../../tests/support/database/postgres-server.ts'
import { migrations as realMigrations } from '../../../migrations/index.ts'
import { acrossOrganizations } from '../statements/across-organizations.ts'
import { prepared } from '../statements/prepared.ts'
import { openPostgres } from './postgres.ts'

interface Tables {
  folder: { id: string; organization_id: string; parent_id: string | null; name: string }
  file: { id: string; organization_id: string; folder_id: string }
}

const createTables: Migration = {
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('folder')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('parent_id', 'text', (column) => column.references('folder.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('file')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('folder_id', 'text', (column) => column.notNull().references('folder.id').onDelete('cascade'))
      .execute()
  },
}

/** A folder with a file in it in each of the organizations a and b. */
async function start() {
  const url = await freshDatabase()
  const { db, close } = await openPostgres<Tables>({ url, connections: 2 }, { '1': createTables })
  onTestFinished(close)
  for (const id of ['a', 'b']) {
    await db.insertInto('folder').values({ id, organization_id: id, parent_id: null, name: id }).execute()
    await db.insertInto('file').values({ id, organization_id: id, folder_id: id }).execute()
  }
  const ids = async () =>
    (await acrossOrganizations(db).selectFrom('folder').select('id').orderBy('id').execute()).map(({ id }) => id)
  return { db, url, ids }
}

const REFUSED = { code: '42501', message: expect.stringContaining('row-level security policy') }

test('a statement that names no organization sees nothing and changes nothing', async () => {
  const { db, ids } = await start()
  expect(await db.selectFrom('folder').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('folder').selectAll().where('id', '=', 'a').execute()).toEqual([])
  expect(await sql`select * from folder`.execute(db).then(({ rows }) => rows)).toEqual([])
  const updated = await db.updateTable('folder').set({ name: 'x' }).executeTakeFirstOrThrow()
  const deleted = await db.deleteFrom('folder').where('id', '=', 'a').executeTakeFirstOrThrow()
  expect([updated.numUpdatedRows, deleted.numDeletedRows]).toEqual([0n, 0n])
  expect(await ids()).toEqual(['a', 'b'])
})

test('one that names an organization in one place sees no rows of others in any place', async () => {
  const { db } = await start()
  const leaking = db
    .selectFrom('file')
    .innerJoin('folder', (join) => join.on('folder.organization_id', '=', 'a'))
    .select(['file.id as file', 'folder.id as folder'])
  expect(await leaking.execute()).toEqual([{ file: 'a', folder: 'a' }])
  const either = db
    .selectFrom('folder')
    .select('id')
    .where((where) => where.or([where('organization_id', '=', 'a'), where('id', '=', 'b')]))
  expect(await either.execute()).toEqual([{ id: 'a' }])
  expect((await sql`select id from folder where organization_id = ${'a'} or true`.execute(db)).rows).toEqual([
    { id: 'a' },
  ])
})

test('the organization of one statement is none of the next, in a transaction and on its connection', async () => {
  const { db } = await start()
  const named = (tx: Kysely<Tables>) =>
    tx.selectFrom('folder').select('id').where('organization_id', '=', 'a').execute()
  const forgotten = (tx: Kysely<Tables>) => tx.selectFrom('folder').select('id').execute()
  await db.transaction().execute(async (tx) => {
    expect(await named(tx)).toEqual([{ id: 'a' }])
    expect(await forgotten(tx)).toEqual([])
    expect(await acrossOrganizations(tx).selectFrom('folder').select('id').orderBy('id').execute()).toHaveLength(2)
    expect(await forgotten(tx)).toEqual([])
  })
  for (let i = 0; i < 10; i++) expect([await named(db), await forgotten(db)]).toEqual([[{ id: 'a' }], []])
})

test('rows cannot be given to another organization than the statement names', async () => {
  const { db, ids } = await start()
  const move = db.updateTable('folder').set({ organization_id: 'b' }).where('organization_id', '=', 'a')
  await expect(move.execute()).rejects.toMatchObject(REFUSED)
  const smuggled = db
    .insertInto('folder')
    .columns(['id', 'organization_id', 'name'])
    .expression((from) =>
      from
        .selectFrom('folder')
        .select(({ val }) => [val('c').as('id'), val('b').as('organization'), 'name'])
        .where('organization_id', '=', 'a'),
    )
  await expect(smuggled.execute()).rejects.toMatchObject(REFUSED)
  const unnamed = sql`insert into folder (id, organization_id, name) values ('c', 'a', 'c')`
  await expect(unnamed.execute(db)).rejects.toMatchObject(REFUSED)
  expect(await ids()).toEqual(['a', 'b'])
})

test('several organizations in one statement are refused before it is sent', async () => {
  const { db, ids } = await start()
  const both = db.insertInto('folder').values([
    { id: 'c', organization_id: 'a', parent_id: null, name: 'c' },
    { id: 'd', organization_id: 'b', parent_id: null, name: 'd' },
  ])
  await expect(both.execute()).rejects.toThrow('names several organizations')
  await expect(db.selectFrom('folder').selectAll().where('organization_id', '=', '*').execute()).rejects.toThrow(
    'no organization has such an id',
  )
  expect(await ids()).toEqual(['a', 'b'])
})

test('statements that are compiled once name the organization of each call', async () => {
  const { db } = await start()
  const find = prepared<Tables, { organizationId: string }, { id: string }>((on, { organizationId }) =>
    on.selectFrom('folder').select('id').where('organization_id', '=', organizationId),
  )
  const insert = prepared<Tables, Tables['folder'], unknown>((on, row) =>
    on
      .insertInto('folder')
      .values({ name: row.name, organization_id: row.organization_id, id: row.id, parent_id: null }),
  )
  await insert(db, { id: 'c', organization_id: 'b', parent_id: null, name: 'c' })
  expect((await find(db, { organizationId: 'a' })).rows).toEqual([{ id: 'a' }])
  expect((await find(db, { organizationId: 'b' })).rows).toEqual([{ id: 'b' }, { id: 'c' }])
})

test('what hangs on a row still goes with it, and references are still checked', async () => {
  const { db } = await start()
  await db.deleteFrom('folder').where('organization_id', '=', 'a').execute()
  expect(await acrossOrganizations(db).selectFrom('file').select('id').execute()).toEqual([{ id: 'b' }])
  const dangling = db.insertInto('file').values({ id: 'c', organization_id: 'a', folder_id: 'nothing' })
  await expect(dangling.execute()).rejects.toMatchObject({ code: '23503' })
})

test('every table of ours that has organizations is under row level security, and every text sorts by its bytes', async () => {
  const url = await freshDatabase()
  const { close } = await openPostgres({ url, connections: 2 }, realMigrations)
  await close()
  const tables = await query(
    url,
    `select relname, relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = c.oid) as is_safe
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  expect(tables.length).toBeGreaterThan(25)
  expect(tables.filter(({ is_safe }) => !is_safe)).toEqual([])
  const texts = await query(
    url,
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`,
  )
  expect(texts).toEqual([])
})

test('a role that row level security does not hold is named when the database is opened', async () => {
  const ordinary = await freshDatabase()
  const admin = new URL(await postgresAdminUrl())
  const told: string[] = []
  for (const url of [ordinary, Object.assign(admin, { pathname: new URL(ordinary).pathname }).href]) {
    const postgres = { url, connections: 2, onUnboundRole: (role: string) => told.push(role) }
    await (await openPostgres(postgres, {})).close()
  }
  expect(told).toEqual(['postgres'])
})
