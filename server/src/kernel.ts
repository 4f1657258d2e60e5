import { join } from 'node:path'
import { type KyselyPlugin, sql } from 'kysely'
import { getServerSecret } from './access/access.ts'
import type { BackgroundWork } from './background.ts'
import { type Cluster, joinCluster } from './cluster.ts'
import type { Config } from './config.ts'
import type { Tables } from './db.ts'
import { migrations } from './migrations/index.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Membership } from './platform/cluster/membership/membership.ts'
import { openDatabase } from './platform/database/open.ts'
import { createCrashCheck } from './platform/database/sqlite/crash-check.ts'
import { createDiskRoom } from './platform/host/disk-room.ts'
import { createWorkFolder } from './platform/host/work-folder.ts'
import { urlOf } from './platform/http/url-of.ts'
import { createIds } from './platform/ids.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { createSweep, type Sweep } from './platform/sweep.ts'
import type { Logger } from './platform/telemetry/logger.ts'
import { createMetrics, type Metrics } from './platform/telemetry/metrics.ts'
import { addProcessMetrics } from './platform/telemetry/process-metrics.ts'
import { openQueue } from './queue/open-queue.ts'
import { addQueueMetrics } from './queue/queue.metrics.ts'
import { createUnfinishedSweep, openStorage, removeUnfinishedOfDead } from './storage.ts'

export interface KernelOptions {
  config: Config
  logger: Logger
  clock?: Clock
  /** See every statement before it runs: how the tests watch over them. */
  databasePlugins?: KyselyPlugin[]
}

/** Parts that every feature stands on: database, storage, queue, the other processes, clock, ids, logs and metrics. */
export type Kernel = Awaited<ReturnType<typeof openKernel>>

export async function openKernel({ config, logger, clock = systemClock, databasePlugins }: KernelOptions) {
  const newId = createIds()
  const metrics = createMetrics()
  // PostgreSQL's disk is its own.
  const room = config.database.postgres ? undefined : createDiskRoom({ dataDir: config.dataDir, logger })
  const onFull = room && (() => room.noteFull())
  const onCommitted = countCommits(metrics)
  // Before the database is opened, which makes the log that tells of a crash.
  const crashCheck = config.database.postgres ? undefined : createCrashCheck({ dataDir: config.dataDir, logger })
  const postgres = config.database.postgres && { ...config.database.postgres, ...tellOfPostgres(logger) }
  const options = { plugins: databasePlugins, onCommitted, onFull }
  const database = await openDatabase<Tables>({ dataDir: config.dataDir, postgres }, migrations, options)
  const { db, writes } = database
  const { staleRows, ...installation } = await joinCluster({ config, db, newId, logger, metrics })
  const { pubsub, membership } = installation
  const isAmongOthers = config.database.postgres !== undefined
  const workFolder = createWorkFolder({ dataDir: config.dataDir, membership, logger })
  const storage = await openStorage({
    dataDir: config.dataDir,
    s3: config.s3,
    isShared: isAmongOthers,
    workDir: workFolder.path,
    processId: membership.id,
    onFull,
  })
  removeUnfinishedOfDead(storage, membership, logger)
  const queue = await openQueue({ database, newId, clock, pubsub, logger })

  addProcessMetrics(metrics)
  addMembershipMetrics(metrics, membership)
  addQueueMetrics(metrics, queue)

  const unfinished = createUnfinishedSweep(storage, isAmongOthers || config.s3 !== undefined, logger)
  const works: BackgroundWork[] = [{ sweeps: [...createRowSweeps(staleRows, logger), unfinished] }]

  return {
    ...installation,
    config,
    logger,
    clock,
    newId,
    metrics,
    database,
    db,
    writes,
    onCommitted,
    queue,
    storage,
    blobs: storage.blobs,
    room,
    crashCheck,
    /** Whether other processes may work on the same database. */
    isAmongOthers,
    works,
    /** Adds background work of a feature. */
    register(work: BackgroundWork) {
      works.push(work)
    },
    /** Folder for files of this process alone; gone after it. */
    workDir: workFolder.path,
    cacheDir: join(config.dataDir, 'cache'),
    outbound: createOutbound(config.outbound),
    /** Secret of the server for one use, the same for every process on this database. */
    getSecret: (use: Parameters<typeof getServerSecret>[1]) => getServerSecret(db, use),
    ...createOwnUrl(config.http),
    dependencies: {
      database: () => sql`select 1`.execute(db),
      ...(config.s3 && { 'object storage': () => storage.hasSearchIndex() }),
    },
    async start() {
      room?.start()
      await membership.start()
      workFolder.start()
    },
    async close() {
      storage.close()
      await workFolder.stop()
      await room?.stop()
      await membership.stop()
      await queue.close()
      await pubsub.close()
      await database.close()
    },
  }
}

const createRowSweeps = (stale: Cluster['staleRows'], logger: Logger): Sweep[] =>
  stale.map((one) => createSweep({ ...one, everyMs: 60_000, limit: 1_000, logger }))

function createOwnUrl({ publicUrl, host, port }: Config['http']) {
  let url = publicUrl ?? urlOf(host, port)
  return {
    /** URL where people reach this server. */
    publicUrl: () => url,
    /** Takes the URL for links that leave the server, unless a setting says it. */
    listensAt(listening: string) {
      url = publicUrl ?? listening
    },
  }
}

const addMembershipMetrics = (metrics: Metrics, membership: Membership): void =>
  metrics.gauge({
    name: 'docent_processes',
    help: 'Processes of this installation that live, as this one sees it.',
    labels: ['role'],
    read: () => Object.entries(membership.count()).map(([role, value]) => ({ labels: [role], value })),
  })

function countCommits(metrics: Metrics): (writes: number) => void {
  const committed = metrics.histogram({
    name: 'docent_database_commit_writes',
    help: 'Writes that shared one transaction and one disk flush.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
  })
  return (writes) => committed([], writes)
}

const tellOfPostgres = (logger: Logger) => ({
  onIdleError: (error: Error) => logger.warn({ err: error }, 'an idle connection to PostgreSQL ended'),
  onPulse: (isThere: boolean) =>
    isThere ? logger.info('PostgreSQL answers again') : logger.error('PostgreSQL does not answer'),
  onUnboundRole: (role: string) =>
    logger.warn({ role }, 'this PostgreSQL role bypasses row level security: use one that is no superuser'),
})
