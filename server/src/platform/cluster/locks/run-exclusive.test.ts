import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../../tests/support/database/postgres.ts'
import type { Tables } from '../../../db.ts'
import { migrations } from '../../../migrations/index.ts'
import { openPostgres } from '../../database/postgres/postgres.ts'
import { createIds } from '../../ids.ts'
import { runExclusiveAmong } from './run-exclusive.ts'
import { createSharedSemaphore } from './shared-semaphore.ts'

const newId = createIds()

test('of several processes one is at a work, until it has done it, failed or died', async () => {
  const postgres = { url: await freshDatabase(), connections: 4 }
  const { db, close } = await openPostgres<Tables>(postgres, migrations)
  onTestFinished(close)
  async function join() {
    const id = newId()
    const at = new Date().toISOString()
    const row = { id, role: 'worker', host: 'x', pid: 1, beat: 0, beat_at: at, started_at: at, ended_by: null } as const
    await db.insertInto('server_process').values(row).execute()
    const die = () => db.deleteFrom('server_process').where('id', '=', id).execute()
    return { runExclusive: runExclusiveAmong(createSharedSemaphore(db, id, 1)), die }
  }
  const [one, other] = [await join(), await join()]
  const ran: string[] = []
  const run = (name: string) => async () => void ran.push(name)

  expect(
    await one.runExclusive('a', async () => {
      expect(await other.runExclusive('a', run('the same'))).toBe(false)
      expect(await other.runExclusive('b', run('another work'))).toBe(true)
    }),
  ).toBe(true)
  expect(await other.runExclusive('a', run('after it was done'))).toBe(true)
  await expect(one.runExclusive('a', () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
  expect(await other.runExclusive('a', run('after it failed'))).toBe(true)
  const begun = Promise.withResolvers<void>()
  void one.runExclusive('a', () => {
    begun.resolve()
    return new Promise(() => {})
  })
  await begun.promise
  expect(await other.runExclusive('a', run('while it goes on'))).toBe(false)
  await one.die()
  expect(await other.runExclusive('a', run('after it died'))).toBe(true)
  expect(ran).toEqual(['another work', 'after it was done', 'after it failed', 'after it died'])
})
