import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../../tests/support/database/postgres.ts'
import type { Tables } from '../../../db.ts'
import { migrations } from '../../../migrations/index.ts'
import { openPostgres } from '../../database/postgres/postgres.ts'
import { RateLimitedError } from '../../errors.ts'
import { createIds } from '../../ids.ts'
import { createSharedSemaphore } from '../locks/shared-semaphore.ts'
import { createSharedOpenStreams } from './shared-open-streams.ts'

const newId = createIds()

async function start(most: number) {
  const postgres = { url: await freshDatabase(), connections: 4 }
  const { db, close } = await openPostgres<Tables>(postgres, migrations)
  onTestFinished(close)
  let isAway = false
  /** One process. */
  async function join() {
    const id = newId()
    const at = new Date().toISOString()
    const row = { id, role: 'api', host: 'x', pid: 1, beat: 0, beat_at: at, started_at: at, ended_by: null } as const
    await db.insertInto('server_process').values(row).execute()
    const places = createSharedSemaphore(db, id, most)
    const hold: typeof places.hold = (wanted) => (isAway ? new Promise(() => {}) : places.hold(wanted))
    const streams = createSharedOpenStreams({ semaphore: { ...places, hold }, most, onAlone: () => {} })
    const opens = async (count: number, key = 'k') => {
      const opened = await Promise.allSettled(Array.from({ length: count }, async () => streams.open(key)))
      for (const one of opened) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(RateLimitedError)
      return opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    }
    const die = () => db.deleteFrom('server_process').where('id', '=', id).execute()
    return { opens, die, places }
  }
  return { join, goAway: (is: boolean) => (isAway = is) }
}

test('processes share the places of a key, and each stream that ends makes room once', async () => {
  const { join } = await start(20)
  const [a, b] = [await join(), await join()]
  const [ofA, ofB] = await Promise.all([a.opens(15), b.opens(15)])
  expect(ofA.length + ofB.length).toBe(20)
  expect(await a.opens(1)).toEqual([])
  expect(await a.opens(1, 'another key')).toHaveLength(1)
  ofB[0]!()
  ofB[0]!()
  await expect.poll(async () => (await a.opens(1)).length).toBe(1)
  expect([...(await a.opens(3)), ...(await b.opens(3))]).toEqual([])
})

test('what a dead process had open counts no more', async () => {
  const { join } = await start(5)
  const [a, b] = [await join(), await join()]
  expect(await a.opens(5)).toHaveLength(5)
  expect(await b.opens(1)).toEqual([])
  await a.die()
  expect(await b.opens(6)).toHaveLength(5)
})

test('a database that does not answer holds nobody up, and gets the counts later', async () => {
  const { join, goAway } = await start(5)
  const [a, b] = [await join(), await join()]
  goAway(true)
  const open = await a.opens(7)
  expect(open).toHaveLength(5)
  goAway(false)
  await expect
    .poll(
      async () => {
        const [close] = await b.opens(1)
        close?.()
        return close
      },
      { interval: 200 },
    )
    .toBeUndefined()
})

test('keys of which nobody has anything open are forgotten', async () => {
  const { join } = await start(5)
  const { opens, places } = await join()
  const [close] = await opens(1)
  expect(await places.removeEmpty(10)).toBe(0)
  close!()
  await expect.poll(() => places.removeEmpty(10)).toBe(1)
})
