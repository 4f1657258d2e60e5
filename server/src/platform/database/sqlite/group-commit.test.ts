import { expect, test } from 'vitest'
import { startCommitting } from '../../../../tests/support/database/committing.ts'
import { isOnPostgres, startTestDatabase, temporaryFolder } from '../../../../tests/support/database/database.ts'
import type { Tx } from '../../../db.ts'

/** Test of the embedded database only: PostgreSQL groups commits by itself. */
const testEmbedded = test.skipIf(isOnPostgres)

const insert = (id: string) => (tx: Tx) =>
  tx.insertInto('organization').values({ id, name: id, created_at: '' }).execute()

async function start() {
  const database = await startTestDatabase()
  const { db } = database
  const ids = async () =>
    (await db.selectFrom('organization').select('id').where('name', '!=', 'Test').orderBy('id').execute()).map(
      (row) => row.id,
    )
  return { ...database, ids }
}

test('a write gives back what it came to, once it is stored', async () => {
  const { writes, ids } = await start()
  expect(await writes.commit((tx) => insert('a')(tx).then(() => 42))).toBe(42)
  expect(await ids()).toEqual(['a'])
})

testEmbedded('writes of one turn share a transaction and keep their order', async () => {
  const { writes, ids } = await start()
  const transactions = new Set<Tx>()
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      writes.commit(async (tx) => {
        transactions.add(tx)
        order.push(i)
        await insert(String(i).padStart(2, '0'))(tx)
      }),
    ),
  )
  expect(transactions.size).toBe(1)
  expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i))
  expect(await ids()).toHaveLength(50)
})

testEmbedded('writes of later turns join a group for as long as it grows, but not for long', async () => {
  const { writes } = await start()
  const transactions: Tx[] = []
  const note = (tx: Tx) => Promise.resolve(transactions.push(tx))
  const first = writes.commit(note)
  const second = new Promise((resolve) => setImmediate(() => resolve(writes.commit(note))))
  await Promise.all([first, second])
  await writes.commit(note)
  expect(transactions[1]).toBe(transactions[0])
  expect(transactions[2]).not.toBe(transactions[0])

  const stored = [writes.commit(note)]
  let isOver = false
  const isCommitted = stored[0]!.then(() => {
    isOver = true
  })
  while (!isOver) {
    stored.push(writes.commit(note))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all([isCommitted, ...stored])
  expect(stored.length).toBeLessThan(20)
})

test('a later write of a group sees the earlier ones', async () => {
  const { writes } = await start()
  const first = writes.commit(insert('a'))
  const seen = writes.commit((tx) => tx.selectFrom('organization').select('id').where('id', '=', 'a').execute())
  await first
  expect(await seen).toEqual([{ id: 'a' }])
})

test('a write that fails fails alone, and leaves nothing behind', async () => {
  const { writes, ids } = await start()
  const results = await Promise.allSettled([
    writes.commit(insert('a')),
    writes.commit(async (tx) => {
      await insert('half')(tx)
      throw new Error('changed my mind')
    }),
    writes.commit(insert('b')),
    writes.commit(insert('a')),
    writes.commit(insert('c')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { message: 'changed my mind' } })
  expect(await ids()).toEqual(['a', 'b', 'c'])
  expect(await writes.commit((tx) => insert('d')(tx).then(() => 'on it goes'))).toBe('on it goes')
})

test('a write that throws at once, before it has a promise, fails alone too', async () => {
  const { writes, ids } = await start()
  const results = await Promise.allSettled([
    writes.commit(insert('a')),
    writes.commit(() => {
      throw new Error('at once')
    }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await ids()).toEqual(['a'])
})

test('more writes than fit into one group all come through, each once', async () => {
  const { writes, ids } = await start()
  const calls = new Map<number, number>()
  await Promise.all(
    Array.from({ length: 1_000 }, (_, i) =>
      writes.commit((tx) => {
        calls.set(i, (calls.get(i) ?? 0) + 1)
        return insert(String(i).padStart(4, '0'))(tx)
      }),
    ),
  )
  expect([...calls.values()].every((count) => count === 1)).toBe(true)
  expect(await ids()).toHaveLength(1_000)
})

test('a chain of writes does not keep the event loop from other work', async () => {
  const { writes } = await start()
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  for (let i = 0; i < 100; i++) await writes.commit(insert(`${i}`))
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(100)
})

testEmbedded('a commit that has resolved is there after a kill', async () => {
  const folder = await temporaryFolder()
  const { committed, reach, kill } = startCommitting(folder)
  await reach(300)
  await kill()
  const { db } = await startTestDatabase(folder)
  const stored = new Set((await db.selectFrom('organization').select('id').execute()).map((row) => row.id))
  expect(committed.filter((id) => !stored.has(id))).toEqual([])
})
