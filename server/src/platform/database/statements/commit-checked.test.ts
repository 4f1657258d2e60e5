import { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { ValidationError } from '../../errors.ts'
import { createGroupCommit } from '../sqlite/group-commit.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { commitChecked } from './commit-checked.ts'

interface Tables {
  item: { id: number }
}

async function start() {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(() => openSqlite(':memory:')) })
  onTestFinished(() => db.destroy())
  await db.schema
    .createTable('item')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .execute()
  const ids = async () => (await db.selectFrom('item').select('id').orderBy('id').execute()).map((row) => row.id)
  return { db, writes: createGroupCommit(db), ids }
}

test('a refusal reaches its caller and does not make the others run again', async () => {
  const { writes, ids } = await start()
  let runs = 0
  const taken = commitChecked(writes, async (tx) => {
    runs++
    await tx.insertInto('item').values({ id: 1 }).execute()
    return 'stored'
  })
  const refused = commitChecked(writes, async () => {
    throw new ValidationError('no')
  })
  await expect(refused).rejects.toThrow(ValidationError)
  expect(await taken).toBe('stored')
  expect(runs).toBe(1)
  expect(await ids()).toEqual([1])
})

test('any other failure undoes its own write alone', async () => {
  const { writes, ids } = await start()
  const insert = (id: number) => commitChecked(writes, (tx) => tx.insertInto('item').values({ id }).execute())
  const results = await Promise.allSettled([insert(1), insert(1), insert(2)])
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await ids()).toEqual([1, 2])
})

test('a chain of writes lets the event loop turn between them', async () => {
  const { writes } = await start()
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  for (let id = 0; id < 20; id++) await writes.commit((tx) => tx.insertInto('item').values({ id }).execute())
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(20)
})
