import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss, type QueueOptions } from 'pg-boss'
import { DatabaseUnusableError } from '../../platform/database/errors.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { catalog } from '../catalog.ts'
import { LEASE_MS } from '../queue.ts'
import { DEAD, SCHEMA, sqlOnPool } from './own-sql.ts'

/** Longest time that its column can hold: waiting tasks never expire. */
const FOR_EVER_SECONDS = 2_000_000_000
const DAY_SECONDS = 86_400

const OPTIONS = {
  heartbeatSeconds: LEASE_MS / 1000,
  // The longest that pg-boss knows. A task that takes a day is taken from its worker and begun again.
  expireInSeconds: DAY_SECONDS,
  retentionSeconds: FOR_EVER_SECONDS,
  // Workers say when it is tried again, and when no more; an attempt whose process ended is always followed by another.
  retryLimit: 1_000_000_000,
  retryDelay: 0,
  retryBackoff: false,
} satisfies QueueOptions

/**
 * pg-boss on our pool, without any work of its own in the background but for its migrations.
 * @throws DatabaseUnusableError when the role may not make its schema
 */
export async function startBoss(pool: pg.Pool, logger: Logger): Promise<PgBoss> {
  const boss = new PgBoss({
    db: sqlOnPool(pool, pg.types),
    schema: SCHEMA,
    supervise: false,
    schedule: false,
    // How soon after each other two passes of `supervise` look for leases that ended.
    monitorIntervalSeconds: 1,
    // The queues that it remembers never change while a process runs.
    queueCacheIntervalSeconds: DAY_SECONDS,
  })
  boss.on('error', (error) => logger.error({ err: error }, 'pg-boss failed in the background'))
  boss.on('warning', ({ message, data }) => logger.warn({ data }, message))
  try {
    return await unlessRaced(boss)
  } catch (error) {
    throw (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE ? notAllowed(error as Error) : error
  }
}

async function startWithQueues(boss: PgBoss): Promise<PgBoss> {
  await boss.start()
  const known = new Set((await boss.getQueues()).map(({ name }) => name))
  const missing = [...Object.keys(catalog), DEAD].filter((name) => !known.has(name))
  if (missing.length === 0) return boss
  for (const name of missing) await boss.createQueue(name, OPTIONS)
  // It knows the queues that were there when it started. Asking for others takes a connection, for which transactions
  // that enqueue would wait while they hold all of them.
  await boss.stop({ graceful: false })
  return await boss.start()
}

/**
 * Starts pg-boss; of processes that make the schema at the same moment one succeeds, and the others fail in one way or
 * another, with nothing of theirs stored. A lock would keep a connection each, of which a pooler may not have as many.
 */
async function unlessRaced(boss: PgBoss): Promise<PgBoss> {
  for (const deadline = Date.now() + RACE_PATIENCE_MS; ; ) {
    try {
      return await startWithQueues(boss)
    } catch (error) {
      await boss.stop({ graceful: false })
      if (!RACES.has((error as { code?: string }).code ?? '') || Date.now() > deadline) throw error
      await delay(50 + 200 * Math.random())
    }
  }
}

const RACE_PATIENCE_MS = 30_000
/**
 * Something exists already (as a row of a catalog, schema, table, type or function), a deadlock, or a catalog's row
 * changed.
 */
const RACES = new Set(['23505', '42P06', '42P07', '42710', '42723', '40P01', 'XX000'])

const INSUFFICIENT_PRIVILEGE = '42501'

const notAllowed = (cause: Error) =>
  new DatabaseUnusableError(
    `The role of DATABASE_URL may not make or use the schema "${SCHEMA}" of the queue: ${cause.message}. Let it own the database, or: grant create on database NAME to ROLE`,
    { cause },
  )
