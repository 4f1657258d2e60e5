import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/database.ts'
import { createGroupCommit } from './group-commit.ts'
import { openSqlite } from './sqlite.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { createWalFlush, type WalFlush } from './wal-flush.ts'

interface Tables {
  note: { id: number }
}

/** @param logPath path by which the log is looked for, if not the database's own */
async function start(path: string, logPath = path) {
  const file: DatabaseSync = openSqlite(path)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(() => file) })
  await sql`create table note (id integer primary key)`.execute(db)
  const disk = createWalFlush(logPath, () => file)
  onTestFinished(async () => {
    await disk.close().catch(() => {})
    await db.destroy()
  })
  return { db, disk, patience: () => file.prepare('pragma synchronous').get()?.synchronous }
}

const insert = (db: Kysely<Tables>, id: number) => db.insertInto('note').values({ id }).execute()

test('only the commits that are flushed afterwards do not wait for the disk themselves', async () => {
  const { db, disk, patience } = await start(`${await temporaryFolder()}/notes.sqlite`)
  expect(patience()).toBe(2)
  const during = disk.unflushed(async () => {
    await insert(db, 1)
    return patience()
  })
  expect(await during).toBe(1)
  expect(patience()).toBe(2)
  const failed = disk.unflushed(() => Promise.reject(new Error('no')))
  await expect(failed).rejects.toThrow('no')
  expect(patience()).toBe(2)
  await Promise.all([disk.flush(), disk.flush(), disk.flush()])
})

test('nobody is told of a write before it is on disk; others read meanwhile', async () => {
  const { db, disk } = await start(`${await temporaryFolder()}/notes.sqlite`)
  const flushed = Promise.withResolvers<void>()
  const slow: WalFlush = { ...disk, flush: () => flushed.promise }
  const writes = createGroupCommit(db, slow)
  let isTold = false
  const told = writes.commit((tx) => insert(tx, 1)).then(() => (isTold = true))
  while ((await db.selectFrom('note').selectAll().execute()).length === 0) await delay(1)
  await delay(10)
  expect(isTold).toBe(false)
  flushed.resolve()
  expect(await told).toBe(true)
})

test('when the disk fails, so does every write from then on', async () => {
  const folder = await temporaryFolder()
  const { db, disk } = await start(`${folder}/notes.sqlite`, `${folder}/elsewhere.sqlite`)
  const writes = createGroupCommit(db, disk)
  const together = await Promise.allSettled([1, 2].map((id) => writes.commit((tx) => insert(tx, id))))
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(writes.commit((tx) => insert(tx, 3))).rejects.toThrow('ENOENT')
})

test('without a log ahead, commits wait for the disk as ever', async () => {
  const { db, disk, patience } = await start(':memory:')
  expect(await disk.unflushed(async () => patience())).toBe(2)
  const writes = createGroupCommit(db, disk)
  await writes.commit((tx) => insert(tx, 1))
  expect(await db.selectFrom('note').selectAll().execute()).toHaveLength(1)
})
