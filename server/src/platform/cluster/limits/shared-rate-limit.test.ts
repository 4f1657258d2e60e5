import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../../tests/support/database/postgres.ts'
import type { Tables } from '../../../db.ts'
import { migrations } from '../../../migrations/index.ts'
import { openPostgres } from '../../database/postgres/postgres.ts'
import { RateLimitedError } from '../../errors.ts'
import { createTokenLeases, SPARE_MS, type TokenLeases } from '../locks/token-leases.ts'
import type { RateLimits } from './rate-limit.ts'
import { createSharedLimiters } from './shared-rate-limit.ts'

async function start() {
  const postgres = { url: await freshDatabase(), connections: 4 }
  const { db, close } = await openPostgres<Tables>(postgres, migrations)
  onTestFinished(close)
  /** The limiter of one process; patient, so that a busy machine does not make it count alone. */
  function join(limits: RateLimits, { leases = createTokenLeases(db), processes = 2, patienceMs = 60_000 } = {}) {
    let statements = 0
    let failures = 0
    const counted: TokenLeases = {
      ...leases,
      lease(asked) {
        statements++
        return leases.lease(asked)
      },
    }
    const limiter = createSharedLimiters({
      leases: counted,
      countProcesses: () => processes,
      onAlone: () => failures++,
      patienceMs,
    })('key', limits)
    /** @returns how many of them passed. */
    const takes = async (count: number, key = 'k') => {
      const taken = await Promise.allSettled(Array.from({ length: count }, async () => limiter.take(key)))
      for (const one of taken) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(RateLimitedError)
      return taken.filter(({ status }) => status === 'fulfilled').length
    }
    return { limiter, takes, statements: () => statements, failures: () => failures }
  }
  return { db, join }
}

/** Lets time pass for the buckets. */
const age = (db: Kysely<Tables>, seconds: number) =>
  sql`update rate_bucket set filled_at = filled_at - ${seconds}, slot = slot - ${seconds * 10}`.execute(db)

test('two processes together give what the bucket has, and not one more', async () => {
  const { join } = await start()
  const limits = { perSecond: 0.001, burst: 400 }
  const [a, b] = [join(limits), join(limits)]
  const given = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).takes(30)))
  const sum = given.reduce((sum, one) => sum + one, 0)
  // Tokens that one has to spare at the end are lost to the other.
  expect(sum).toBeLessThanOrEqual(400)
  expect(sum).toBeGreaterThanOrEqual(380)
})

test('requests one after the other in turns are counted together, too', async () => {
  const { join } = await start()
  const limits = { perSecond: 0.001, burst: 60 }
  const [a, b] = [join(limits), join(limits)]
  let given = 0
  let slowest = 0
  for (let i = 0; i < 80; i++) {
    const askedAt = performance.now()
    given += await (i % 2 ? a : b).takes(1)
    slowest = Math.max(slowest, performance.now() - askedAt)
  }
  expect(given).toBeLessThanOrEqual(60)
  // On a machine this slow, tokens to spare are lost before the process is asked again.
  if (slowest < SPARE_MS / 2) expect(given).toBeGreaterThanOrEqual(54)
})

test('a bucket fills at its rate, up to its burst', async () => {
  const { db, join } = await start()
  const limits = { perSecond: 20, burst: 30 }
  const [a, b] = [join(limits), join(limits)]
  const timed = async (take: () => Promise<number>) => {
    const startedAt = performance.now()
    const given = await take()
    return { given, filled: Math.ceil(((performance.now() - startedAt) / 1000) * limits.perSecond) }
  }
  const first = await timed(async () => (await a.takes(40)) + (await b.takes(40)))
  expect(first.given).toBeLessThanOrEqual(30 + first.filled)
  await age(db, 600)
  await delay(1_600)
  const full = await timed(() => b.takes(100))
  expect(full.given).toBeGreaterThanOrEqual(30)
  expect(full.given).toBeLessThanOrEqual(30 + full.filled)
})

test('keys do not take from each other, and many share a statement', async () => {
  const { join } = await start()
  const { limiter } = join({ perSecond: 0.001, burst: 1 })
  const keys = Array.from({ length: 1_200 }, (_, i) => `key ${i}`)
  await Promise.all(keys.map((key) => limiter.take(key)))
  for (const key of [keys[0]!, keys[1_199]!]) expect(() => limiter.take(key)).toThrow(RateLimitedError)
})

test('a key that sends many costs few statements', async () => {
  const { join } = await start()
  const { takes, statements } = join({ perSecond: 10_000, burst: 10_000 })
  let given = 0
  for (let i = 0; i < 1_000; i++) given += await takes(1)
  expect(given).toBe(1_000)
  expect(statements()).toBeLessThan(300)
})

test('the headers tell what all processes have left', async () => {
  const { join } = await start()
  const limits = { perSecond: 0.1, burst: 10 }
  const [a, b] = [join(limits), join(limits)]
  expect(await a.limiter.take('k')).toEqual({
    'ratelimit-policy': '"default";q=10;w=100',
    ratelimit: '"default";r=9;t=10',
  })
  expect(await b.limiter.take('k')).toMatchObject({ ratelimit: '"default";r=8;t=20' })
  expect(await a.takes(20)).toBe(8)
  await expect((async () => b.limiter.take('k'))()).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 10,
    headers: { ratelimit: '"default";r=0;t=10' },
  })
})

test('a database that does not answer holds nobody up: each process gives its part', async () => {
  const { join } = await start()
  const leases = { lease: () => new Promise<never>(() => {}), removeFull: async () => 0 }
  const { takes, failures } = join({ perSecond: 0.001, burst: 40 }, { leases, processes: 4, patienceMs: 200 })
  expect(await takes(30)).toBe(10)
  expect(failures()).toBe(1)
})

test('buckets that are full are forgotten', async () => {
  const { db, join } = await start()
  const { takes } = join({ perSecond: 0.1, burst: 5 })
  await takes(3)
  const leases = createTokenLeases(db)
  expect(await leases.removeFull(10)).toBe(0)
  await age(db, 100)
  expect(await leases.removeFull(10)).toBe(1)
})
