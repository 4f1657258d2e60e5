import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../../tests/support/database/postgres.ts'
import type { Tables } from '../../../db.ts'
import { migrations } from '../../../migrations/index.ts'
import { openPostgres } from '../../database/postgres/postgres.ts'
import { createIds } from '../../ids.ts'
import { createPostgresPubSub } from '../pubsub/postgres-pubsub.ts'
import type { ProcessRole } from './membership.ts'
import { presenceOf } from './presence.ts'
import { createSharedMembership } from './shared-membership.ts'

const newId = createIds()
// A machine that is busy lets a beat wait: so long that nobody is considered dead for it.
const BEAT_MS = 200
const DEAD_MS = 2_400
const GONE_MS = 800

/** @param deadAfterMs @param goneAfterMs long, where only something else may say that somebody is dead */
async function start(deadAfterMs = DEAD_MS, goneAfterMs = GONE_MS) {
  const url = await freshDatabase()
  const postgres = { url, connections: 3 }
  const { db: rows, close } = await openPostgres<Tables>(postgres, migrations)
  onTestFinished(close)

  /** One process; `pause` makes it stand still, `kill` ends its connection, too; `cut` leaves it to connect again. */
  async function join(role: ProcessRole = 'all') {
    const logger = pino({ level: 'silent' })
    const { db, close } = await openPostgres<Tables>(postgres, migrations)
    const id = newId()
    const first = presenceOf(id)
    const pubsub = await createPostgresPubSub({ db, listenUrl: url, secret: 'test', first, newId, logger })
    let isPaused = false
    const paused = db.withPlugin({
      transformQuery({ node }) {
        if (isPaused) throw new Error('it stands still')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const processes = createSharedMembership({
      db: paused,
      pubsub,
      id,
      role,
      logger,
      beatEveryMs: BEAT_MS,
      deadAfterMs,
      goneAfterMs,
    })
    const deaths: string[] = []
    processes.onDeath((id) => void deaths.push(id))
    await processes.start()
    onTestFinished(async () => {
      await processes.stop().catch(() => {})
      await pubsub.close()
      await close()
    })
    return {
      processes,
      deaths,
      pause: () => (isPaused = true),
      resume: () => (isPaused = false),
      async kill() {
        isPaused = true
        await pubsub.close()
      },
      cut: () =>
        sql`select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and objid = hashtext(${id})::oid`.execute(rows),
    }
  }
  return { join, rows: () => rows.selectFrom('server_process').selectAll().orderBy('id').execute(), db: rows }
}

test('processes see each other, and an operator sees who they are', async () => {
  const { join, rows } = await start()
  const [a, b] = [await join('api'), await join('worker')]
  expect(await a.processes.isAlive(b.processes.id)).toBe(true)
  expect(await b.processes.isAlive(a.processes.id)).toBe(true)
  expect(await a.processes.isAlive(newId())).toBe(false)
  await expect.poll(() => a.processes.count()).toEqual({ all: 0, api: 1, worker: 1 })
  await expect.poll(() => b.processes.count()).toEqual({ all: 0, api: 1, worker: 1 })
  expect((await rows())[0]).toMatchObject({ role: 'api', host: hostname(), pid: process.pid, ended_by: null })
  await delay(2 * DEAD_MS)
  expect([a.deaths, b.deaths]).toEqual([[], []])
})

test('one that stands still is dead, and exactly one of the others deals with it', async () => {
  const { join, rows } = await start()
  const all = [await join(), await join(), await join(), await join()]
  const [dead, ...living] = all
  const { id } = dead!.processes
  dead!.pause()
  await expect.poll(() => living.flatMap(({ deaths }) => deaths)).toEqual([id])
  for (const { processes } of living) await expect.poll(() => processes.isAlive(id)).toBe(false)
  await expect.poll(async () => (await rows()).map((row) => row.id)).not.toContain(id)
  await delay(DEAD_MS)
  expect(living.flatMap(({ deaths }) => deaths)).toEqual([id])
  expect(living[0]!.processes.count()).toEqual({ all: 3, api: 0, worker: 0 })
})

test('one that is killed is dead long before one that stands still', async () => {
  const { join } = await start(60_000)
  const [a, b, c] = [await join(), await join(), await join()]
  await expect.poll(() => a.processes.count()).toMatchObject({ all: 3 })
  c.pause()
  await b.kill()
  const { id } = b.processes
  await expect.poll(() => a.deaths).toEqual([id])
  expect(await a.processes.isAlive(id)).toBe(false)
  await delay(2 * GONE_MS)
  expect(a.deaths).toEqual([id])
})

test('one that only loses its connection lives', async () => {
  const { join } = await start(60_000)
  const [a, b] = [await join(), await join()]
  await expect.poll(() => a.processes.count()).toMatchObject({ all: 2 })
  await b.cut()
  await delay(4 * GONE_MS)
  expect([a.deaths, b.deaths]).toEqual([[], []])
})

test('who loses its own connection does not judge by those of others', async () => {
  const { join } = await start(60_000)
  const [a, b] = [await join(), await join()]
  await expect.poll(() => a.processes.count()).toMatchObject({ all: 2 })
  await Promise.all([a.cut(), b.kill()])
  await delay(4 * GONE_MS)
  expect(a.deaths).toEqual([])
})

test('one that said goodbye is dead at once', async () => {
  const { join } = await start(60_000, 60_000)
  const [a, b] = [await join(), await join()]
  const { id } = a.processes
  await a.processes.stop()
  await expect.poll(() => b.deaths).toEqual([id])
  expect(await b.processes.isAlive(id)).toBe(false)
})

test('the last one to leave is dealt with by the next one that comes', async () => {
  const { join, rows } = await start()
  const a = await join()
  const { id } = a.processes
  await a.processes.stop()
  const b = await join()
  await expect.poll(() => b.deaths).toEqual([id])
  await expect.poll(async () => (await rows()).map((row) => row.id)).toEqual([b.processes.id])
})

test('one that was only paused is seen again, once its end is dealt with', async () => {
  const { join, rows } = await start()
  const [a, b] = [await join(), await join()]
  const { id } = a.processes
  let finish = () => {}
  b.processes.onDeath(() => new Promise((resolve) => (finish = resolve)))
  a.pause()
  await expect.poll(() => b.deaths).toEqual([id])
  a.resume()
  await delay(3 * BEAT_MS)
  expect(await b.processes.isAlive(id)).toBe(false)
  finish()
  await expect.poll(() => b.processes.isAlive(id)).toBe(true)
  await delay(DEAD_MS)
  expect([a.deaths, b.deaths]).toEqual([[], [id]])
  expect(await rows()).toHaveLength(2)
})

test('who was away itself takes nobody for dead', async () => {
  const { join } = await start()
  const [a, b] = [await join(), await join()]
  a.pause()
  b.pause()
  await delay(2 * DEAD_MS)
  a.resume()
  b.resume()
  await delay(2 * DEAD_MS)
  expect([a.deaths, b.deaths]).toEqual([[], []])
})

test('a death that could not be dealt with is dealt with again, by another one if need be', async () => {
  const { join } = await start()
  const [a, b] = [await join(), await join()]
  const { id } = b.processes
  let attempts = 0
  const leave = a.processes.onDeath(() => {
    attempts++
    throw new Error('not now')
  })
  b.pause()
  await expect.poll(() => attempts).toBeGreaterThan(1)
  const c = await join()
  const { id: first } = a.processes
  a.pause()
  await expect.poll(() => [...c.deaths].sort()).toEqual([first, id].sort())
  leave()
})
