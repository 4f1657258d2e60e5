import { Kysely } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import type { Tables } from '../../../src/db.ts'
import { createPostgresPubSub } from '../../../src/platform/cluster/pubsub/postgres-pubsub.ts'
import { postgresDialect } from '../../../src/platform/database/postgres/postgres-dialect.ts'
import { createSeparateCommits } from '../../../src/platform/database/postgres/separate-commits.ts'
import { createIds } from '../../../src/platform/ids.ts'
import { openQueue } from '../../../src/queue/open-queue.ts'
import { manualClock } from '../clock.ts'

export const queueLogger = pino({ level: 'silent' })

/** Opens the queue of a PostgreSQL database, with pubsub, on a pool that no faked timer can confuse. */
export async function joinPgBoss(url: string, listenUrl = url) {
  const pool = new pg.Pool({ connectionString: url, idleTimeoutMillis: 0, max: 20 })
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) })
  const writes = createSeparateCommits(db)
  const newId = createIds()
  const pubsub = await createPostgresPubSub({
    db,
    listenUrl,
    secret: 'test',
    newId,
    logger: queueLogger,
    echoEveryMs: 2 ** 30,
  })
  const clock = manualClock()
  const queue = await openQueue({
    database: { kind: 'postgres', db, writes, pool, close: () => db.destroy() },
    newId,
    clock,
    pubsub,
    logger: queueLogger,
  })
  let closing: Promise<void> | undefined
  async function closeAll() {
    await queue.close()
    await pubsub.close()
    await db.destroy()
  }
  return { pool, db, writes, queue, clock, pubsub, close: () => (closing ??= closeAll()) }
}
