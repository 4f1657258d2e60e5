import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { startCommitting } from '../../../tests/support/database/committing.ts'
import { temporaryFolder } from '../../../tests/support/database/database.ts'
import { migrations as realMigrations } from '../../migrations/index.ts'
import { DatabaseUnusableError } from './errors.ts'
import { DatabaseOrderError, DatabaseTooNewError } from './migrate.ts'
import { DataDirInUseError, databasePath, openEmbedded, openEmbeddedBeside } from './open.ts'

interface Tables {
  note: { id: number; text: string }
}

const createNotes: Migration = {
  async up(db: Kysely<any>) {
    await db.schema.createTable('note').addColumn('id', 'integer').addColumn('text', 'text').execute()
  },
}
const addColour: Migration = {
  async up(db: Kysely<any>) {
    await db.schema.alterTable('note').addColumn('colour', 'text').execute()
  },
}
const failing: Migration = {
  async up(db: Kysely<any>) {
    await db.schema.alterTable('note').addColumn('size', 'integer').execute()
    await sql`insert into note values (1, 'half', null, 1)`.execute(db)
    throw new Error('the migration failed')
  },
}

async function open(folder: string, migrations: Record<string, Migration>) {
  const database = await openEmbedded<Tables>(folder, migrations)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= database.close())
  onTestFinished(close)
  return { ...database, close }
}

const columns = (folder: string): string[] => {
  const file = new DatabaseSync(databasePath(folder), { readOnly: true })
  const rows = file.prepare("select name from pragma_table_info('note')").all() as { name: string }[]
  file.close()
  return rows.map((row) => row.name)
}

test('the database waits for the disk, writes ahead, and keeps references whole', async () => {
  const { db } = await open(await temporaryFolder(), {})
  const pragma = async (name: string) =>
    Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)).rows[0]!)[0]
  expect([await pragma('synchronous'), await pragma('journal_mode'), await pragma('foreign_keys')]).toEqual([
    2,
    'wal',
    1,
  ])
})

test('a second server on the same folder is refused in one sentence, until the first has closed', async () => {
  const folder = await temporaryFolder()
  const first = await open(folder, { '1': createNotes })
  const refusal = openEmbedded(folder, { '1': createNotes })
  await expect(refusal).rejects.toThrow(DataDirInUseError)
  await expect(refusal).rejects.toThrow(
    `Another Docent is running on ${folder}. Stop it, or give this one a DATA_DIR of its own.`,
  )
  await first.close()
  await open(folder, { '1': createNotes })
})

test('a server of another process keeps others out, until it is gone, however it went', async () => {
  const folder = await temporaryFolder()
  const { reach, kill } = startCommitting(folder)
  await reach(1)
  await expect(openEmbedded(folder, realMigrations)).rejects.toThrow(DataDirInUseError)
  await kill()
  await open(folder, realMigrations)
})

test('a file that is no database, or none that can be opened, is explained in words', async () => {
  const folder = await temporaryFolder()
  await writeFile(databasePath(folder), 'this is no database, however long it may be. '.repeat(50))
  const refusal = openEmbedded(folder, { '1': createNotes })
  await expect(refusal).rejects.toThrow(DatabaseUnusableError)
  await expect(refusal).rejects.toThrow(`The database in ${folder} cannot be used: file is not a database.`)
  const other = await temporaryFolder()
  await mkdir(`${other}/server.lock`)
  await expect(openEmbedded(other, {})).rejects.toThrow(/cannot be used: unable to open database file/)
})

test('a fresh database is made without a backup', async () => {
  const folder = await temporaryFolder()
  await open(folder, { '1': createNotes, '2': addColour })
  expect(columns(folder)).toEqual(['id', 'text', 'colour'])
  expect(existsSync(`${folder}/backups`)).toBe(false)
})

test('a database with rows is copied before a migration changes it, and only then', async () => {
  const folder = await temporaryFolder()
  const first = await open(folder, { '1': createNotes })
  await first.db.insertInto('note').values({ id: 1, text: 'kept' }).execute()
  await first.close()
  await (await open(folder, { '1': createNotes })).close()
  expect(existsSync(`${folder}/backups`)).toBe(false)

  const { db, close } = await open(folder, { '1': createNotes, '2': addColour })
  expect(await db.selectFrom('note').selectAll().execute()).toEqual([{ id: 1, text: 'kept', colour: null }])
  await close()
  const [name, ...others] = await readdir(`${folder}/backups`)
  expect(others).toEqual([])
  expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-after-1\.sqlite$/)
  const copy = new DatabaseSync(`${folder}/backups/${name}`, { readOnly: true })
  expect(copy.prepare('select * from note').all()).toEqual([{ id: 1, text: 'kept' }])
  copy.close()
})

test('a database that was used by a newer version is refused untouched', async () => {
  const folder = await temporaryFolder()
  await (await open(folder, { '1': createNotes, '2': addColour })).close()
  const refusal = openEmbedded(folder, { '1': createNotes })
  await expect(refusal).rejects.toThrow(DatabaseTooNewError)
  await expect(refusal).rejects.toThrow(/newer Docent \(it holds the migration "2"/)
  expect(columns(folder)).toEqual(['id', 'text', 'colour'])
  expect(existsSync(`${folder}/backups`)).toBe(false)
  await open(folder, { '1': createNotes, '2': addColour })
})

test('a database with migrations that ran in another order is refused untouched', async () => {
  const folder = await temporaryFolder()
  await (await open(folder, { '1': createNotes, '3': addColour })).close()
  const refusal = openEmbedded(folder, { '1': createNotes, '2': failing, '3': addColour })
  await expect(refusal).rejects.toThrow(DatabaseOrderError)
  await expect(refusal).rejects.toThrow(/holds the migration "3", but not "2", which comes before/)
  expect(existsSync(`${folder}/backups`)).toBe(false)
})

test('a migration that fails changes nothing, and may be tried again', async () => {
  const folder = await temporaryFolder()
  await (await open(folder, { '1': createNotes })).close()
  const all = { '1': createNotes, '2': addColour, '3': failing }
  await expect(openEmbedded(folder, all)).rejects.toThrow('the migration failed')
  expect(columns(folder)).toEqual(['id', 'text'])
  const { db } = await open(folder, { '1': createNotes, '2': addColour })
  expect(await db.selectFrom('note').selectAll().execute()).toEqual([])
})

test('connections that are opened at the same moment migrate once', async () => {
  const folder = await temporaryFolder()
  let runs = 0
  const counted: Migration = {
    async up(db) {
      runs++
      await createNotes.up(db)
    },
  }
  const databases = await Promise.all(
    Array.from({ length: 4 }, () => openEmbeddedBeside<Tables>(folder, { '1': counted })),
  )
  expect(runs).toBe(1)
  await Promise.all(
    databases.map(({ writes }, id) => writes.commit((tx) => tx.insertInto('note').values({ id, text: 'x' }).execute())),
  )
  expect(await databases[0]!.db.selectFrom('note').select('id').execute()).toHaveLength(4)
  await Promise.all(databases.map(({ close }) => close()))
})

test('processes that start at the same moment on an empty folder all get to work', async () => {
  const folder = await temporaryFolder()
  const processes = [1, 2, 3].map(() => startCommitting(folder, 'shared'))
  await Promise.all(processes.map(({ reach }) => reach(20)))
})
