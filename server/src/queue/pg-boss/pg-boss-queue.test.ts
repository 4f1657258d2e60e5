import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ORGANIZATION_ID } from '../../../tests/support/database/database.ts'
import { freshDatabase } from '../../../tests/support/database/postgres.ts'
import { joinPgBoss } from '../../../tests/support/tasks/join-pg-boss.ts'
import { openTestQueue, settle, startHolder } from '../../../tests/support/tasks/queues.ts'

const INDEX = 'retrieval.index'
const payload = { dataSourceId: 'x', generation: 1 }

async function join(url: string) {
  const joined = await joinPgBoss(url)
  onTestFinished(joined.close)
  return joined
}

test('a task that one process enqueues is begun by another at once', async () => {
  const url = await freshDatabase()
  const { queue, writes } = await join(url)
  // It would find a task that it was not told of after a minute.
  const holder = await startHolder('pg-boss', url)
  expect(await holder.says()).toBe('ready')
  for (let tasks = 0; tasks < 3; tasks++) {
    await writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, INDEX, payload))
    const committedAt = performance.now()
    expect(await holder.says()).toBe('holds 1')
    expect(performance.now() - committedAt).toBeLessThan(30_000)
  }
})

test('processes that start at once on an empty database share what they make there', async () => {
  const url = await freshDatabase()
  const joined = await Promise.all(Array.from({ length: 6 }, () => join(url)))
  for (const { queue, writes } of joined)
    await writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, INDEX, payload))
  expect(await joined[0]!.queue.claim(INDEX, 9)).toHaveLength(6)
})

test('who held a task within a transaction holds it until that ends', async () => {
  const { queue, writes, lapse } = await openTestQueue('pg-boss')
  await writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, INDEX, payload))
  const [task] = await queue.claim(INDEX, 1)
  const asked = Promise.withResolvers<void>()
  const committing = Promise.withResolvers<void>()
  const writing = writes.commit(async (tx) => {
    const isHeld = await queue.isHeld(tx, task!)
    asked.resolve()
    await committing.promise
    return isHeld
  })
  await asked.promise
  // A sign of life does not wait for it, and neither do other tasks.
  expect(await queue.extend([task!])).toEqual([])
  await lapse(12_001)
  const due = queue.due([INDEX])
  await settle('pg-boss')
  expect(await queue.claim(INDEX, 1)).toEqual([])
  committing.resolve()
  expect(await writing).toBe(true)
  expect(await due).toEqual([{ kind: INDEX, inMs: 0 }])
  expect(await queue.claim(INDEX, 1)).toMatchObject([{ id: task!.id, attempt: 2 }])
  expect(await writes.commit((tx) => queue.isHeld(tx, task!))).toBe(false)
})

test('tasks that end at once are gone with few commits, and one that another attempt has stays', async () => {
  const url = await freshDatabase()
  const { queue, writes, pool } = await join(url)
  await writes.commit(async (tx) => {
    for (let index = 0; index < 50; index++) await queue.enqueue(tx, ORGANIZATION_ID, INDEX, payload)
  })
  const [lost] = await queue.claim(INDEX, 1)
  await pool.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)
  await queue.due([INDEX])
  const held = await queue.claim(INDEX, 50)
  expect(held).toHaveLength(50)
  const others = held.filter(({ id }) => id !== lost!.id)
  const deletions: string[] = []
  const query = pool.query.bind(pool)
  pool.query = ((config: { text?: string }) => {
    if (/delete from/i.test(config.text ?? '')) deletions.push(config.text!)
    return query(config as pg.QueryConfig)
  }) as typeof pool.query
  await Promise.all([lost!, ...others].map((task) => queue.finish(task)))
  expect(deletions).toHaveLength(1)
  expect(await queue.count()).toMatchObject([{ state: 'running', count: 1 }])
})

test('tasks whose common end lost its connection end one by one', async () => {
  const url = await freshDatabase()
  const { queue, writes, pool } = await join(url)
  await writes.commit(async (tx) => {
    for (let index = 0; index < 5; index++) await queue.enqueue(tx, ORGANIZATION_ID, INDEX, payload)
  })
  const tasks = await queue.claim(INDEX, 5)
  const [isWaiting, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = writes.commit(async (tx) => {
    await queue.isHeld(tx, tasks[0]!)
    isWaiting.resolve()
    await mayEnd.promise
  })
  await isWaiting.promise
  const finished = Promise.all(tasks.map((task) => queue.finish(task)))
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database() and query ~* 'delete from'`
  await expect.poll(async () => (await pool.query(end)).rowCount).toBe(1)
  mayEnd.resolve()
  await Promise.all([holding, finished])
  expect(await queue.count()).toEqual([])
})

test('many transactions enqueue at once with fewer connections', async () => {
  const url = await freshDatabase()
  const { queue, writes } = await join(url)
  await Promise.all(
    Array.from({ length: 100 }, () => writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, INDEX, payload))),
  )
  expect(await queue.claim(INDEX, 200)).toHaveLength(100)
})

test('a role that may not make the schema is told so', async () => {
  const url = await freshDatabase()
  const { pool, close } = await join(url)
  await pool.query('drop schema pgboss cascade')
  await pool.query(
    `do $$ begin execute format('revoke create on database %I from %I', current_database(), current_user); end $$`,
  )
  await close()
  await expect(joinPgBoss(url)).rejects.toThrow(/may not make or use the schema "pgboss".*grant create on database/)
})
