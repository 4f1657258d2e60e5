import { createAccessService, getServerSecret, KeyService, SessionService } from '../access/access.ts'
import { readEnv } from '../config/read-env.ts'
import { type Config, toConfig } from '../config.ts'
import type { Tables } from '../db.ts'
import { migrations } from '../migrations/index.ts'
import { systemClock } from '../platform/clock.ts'
import { createPublishingPubSub } from '../platform/cluster/pubsub/postgres-publisher.ts'
import { createLocalPubSub } from '../platform/cluster/pubsub/pubsub.ts'
import { openBeside } from '../platform/database/open.ts'
import { createIds } from '../platform/ids.ts'
import { createLogger } from '../platform/telemetry/logger.ts'
import { openQueue } from '../queue/open-queue.ts'
import { openStorage } from '../storage.ts'

export const checkedConfig = (): Config => toConfig(readEnv())

/** Settings that the commands need, the doctor's process among them. */
export type AdminConfig = Pick<Config, 'access' | 'dataDir' | 'database' | 'http' | 's3' | 'models'>

export type AdminContext = Awaited<ReturnType<typeof openAdmin>>

/** Opens the parts of the server that the commands need: they work beside one that is running. */
async function openAdmin(config: AdminConfig) {
  const database = await openBeside<Tables>({ dataDir: config.dataDir, postgres: config.database.postgres }, migrations)
  const { db, writes } = database
  const newId = createIds()
  const clock = systemClock
  const logger = createLogger('warn')
  const pubsub =
    database.kind === 'postgres'
      ? createPublishingPubSub({ db, secret: await getServerSecret(db, 'signals'), logger })
      : createLocalPubSub()
  const queue = await openQueue({ database, newId, clock, pubsub, logger })
  const storage = await openStorage({
    dataDir: config.dataDir,
    s3: config.s3,
    isShared: config.database.postgres !== undefined,
  })
  const access = createAccessService({ db, writes, newId, clock, logger })
  return {
    config,
    db,
    writes,
    clock,
    queue,
    access,
    sessions: new SessionService({
      db,
      writes,
      newId,
      clock,
      logger,
      access,
      pubsub,
      ttlMs: config.access.sessionTtlMs,
    }),
    keys: new KeyService({
      db,
      writes,
      newId,
      clock,
      rateLimit: config.access.rateLimit,
      onChanged: (keyId) => pubsub.publish('keys.revoked', keyId),
    }),
    logger,
    newId,
    pubsub,
    storage,
    blobs: storage.blobs,
    async close() {
      storage.close()
      await queue.close()
      await pubsub.close()
      await database.close()
    },
  }
}

export async function withAdmin<R>(config: AdminConfig, use: (context: AdminContext) => Promise<R>): Promise<R> {
  const context = await openAdmin(config)
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}
