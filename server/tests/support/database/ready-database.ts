import type { Tables } from '../../../src/db.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createLocalPubSub } from '../../../src/platform/cluster/pubsub/pubsub.ts'
import { openPostgres } from '../../../src/platform/database/postgres/postgres.ts'
import { createIds } from '../../../src/platform/ids.ts'
import { createLogger } from '../../../src/platform/telemetry/logger.ts'
import { openQueue } from '../../../src/queue/open-queue.ts'
import { createDatabase } from './postgres-server.ts'

/**
 * A database without rows that has been opened once, to be copied: that takes a fraction of what the migrations and
 * pg-boss's schema take. @returns its name
 */
export async function makeReadyDatabase(adminUrl: string): Promise<string> {
  const url = await createDatabase(adminUrl)
  const database = await openPostgres<Tables>({ url, connections: 2 }, migrations)
  const queue = await openQueue({
    database,
    newId: createIds(),
    clock: systemClock,
    pubsub: createLocalPubSub(),
    logger: createLogger('error'),
  })
  await queue.close()
  await database.close()
  return new URL(url).pathname.slice(1)
}
