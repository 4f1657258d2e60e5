import { getServerSecret } from './access/access.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import { createOpenStreams, type OpenStreams } from './platform/cluster/limits/open-streams.ts'
import { type CreateLimiter, createRateLimiter } from './platform/cluster/limits/rate-limit.ts'
import { type RunExclusive, runExclusiveAmong, runExclusiveHere } from './platform/cluster/locks/run-exclusive.ts'
import { createLocalMembership, type Membership } from './platform/cluster/membership/membership.ts'
import { createLocalPubSub, type PubSub } from './platform/cluster/pubsub/pubsub.ts'
import { throttle } from './platform/concurrency/throttle.ts'
import type { NewId } from './platform/ids.ts'
import type { SweepOptions } from './platform/sweep.ts'
import type { Logger } from './platform/telemetry/logger.ts'
import type { Metrics } from './platform/telemetry/metrics.ts'

/** Pause between two warnings in the log. */
const WARN_EVERY_MS = 60_000

/** Parts that this process shares with the other processes on its database. */
export interface Cluster {
  pubsub: PubSub
  membership: Membership
  createLimiter: CreateLimiter
  openStreams: OpenStreams
  /** Runs work that only one process may do at a time. */
  runExclusive: RunExclusive
  /** Tables of the cluster whose old rows are swept away. */
  staleRows: Pick<SweepOptions, 'what' | 'step'>[]
}

export interface ClusterOptions {
  config: Config
  db: Db
  newId: NewId
  logger: Logger
  metrics: Metrics
}

/** Joins the cluster; the embedded database has one process, which loads none of the shared parts. */
export async function joinCluster(options: ClusterOptions): Promise<Cluster> {
  const { config, newId } = options
  const { postgres } = config.database
  if (postgres) return joinOthers(options, postgres.listenUrl)
  return {
    pubsub: createLocalPubSub(),
    membership: createLocalMembership(newId),
    createLimiter: (_scope, limits, who) => createRateLimiter(limits, undefined, who),
    openStreams: createOpenStreams(config.access.maxStreams),
    runExclusive: runExclusiveHere,
    staleRows: [],
  }
}

async function joinOthers({ config, db, newId, logger, metrics }: ClusterOptions, listenUrl: string): Promise<Cluster> {
  const [
    { createPostgresPubSub },
    { createSharedMembership },
    { presenceOf },
    { createTokenLeases },
    { createSharedSemaphore },
    { createSharedLimiters },
    { createSharedOpenStreams },
  ] = await Promise.all([
    import('./platform/cluster/pubsub/postgres-pubsub.ts'),
    import('./platform/cluster/membership/shared-membership.ts'),
    import('./platform/cluster/membership/presence.ts'),
    import('./platform/cluster/locks/token-leases.ts'),
    import('./platform/cluster/locks/shared-semaphore.ts'),
    import('./platform/cluster/limits/shared-rate-limit.ts'),
    import('./platform/cluster/limits/shared-open-streams.ts'),
  ])
  const { role, access } = config
  const secret = await getServerSecret(db, 'signals')
  const id = newId()
  const pubsub = await createPostgresPubSub({ db, listenUrl, secret, first: presenceOf(id), newId, logger })
  const membership = createSharedMembership({ db, pubsub, id, role, logger })
  const leases = createTokenLeases(db)
  const semaphore = createSharedSemaphore(db, membership.id, access.maxStreams)
  const countProcesses = () => membership.count().all + membership.count().api
  const countAlone = metrics.counter({
    name: 'docent_limits_alone_total',
    help: 'How often the database was too slow for limits, so that this process counted for itself for five seconds.',
  })
  const warn = throttle(WARN_EVERY_MS, (error: unknown) =>
    logger.warn({ err: error }, 'limits are kept without the other processes for a moment'),
  )
  const onAlone = (error: unknown) => {
    countAlone([])
    warn(error)
  }
  return {
    pubsub,
    membership,
    createLimiter: createSharedLimiters({ leases, countProcesses, onAlone }),
    openStreams:
      access.maxStreams === 0
        ? createOpenStreams(0)
        : createSharedOpenStreams({ semaphore, most: access.maxStreams, onAlone }),
    runExclusive: runExclusiveAmong(createSharedSemaphore(db, membership.id, 1)),
    staleRows: [
      { what: 'rate limits', step: leases.removeFull },
      { what: 'permits of streams', step: semaphore.removeEmpty },
    ],
  }
}
