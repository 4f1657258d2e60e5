import { serverSecret } from './access/access.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import { createOpenStreams, type OpenStreams } from './platform/cluster/limits/open-streams.ts'
import { type CreateLimiter, createRateLimiter } from './platform/cluster/limits/rate-limit.ts'
import { type RunAlone, runAloneAmong, runAloneHere } from './platform/cluster/locks/run-alone.ts'
import { createLocalProcesses, type Processes } from './platform/cluster/members/processes.ts'
import { createLocalSignals, type Signals } from './platform/cluster/signals/signals.ts'
import type { NewId } from './platform/ids.ts'
import type { SweepOptions } from './platform/sweep.ts'
import type { Logger } from './platform/telemetry/logger.ts'
import type { Metrics } from './platform/telemetry/metrics.ts'

/** Parts that this process shares with the others of its installation. */
export interface Installation {
  signals: Signals
  processes: Processes
  createLimiter: CreateLimiter
  openStreams: OpenStreams
  /** For work that one of the processes is to do at a time. */
  runAlone: RunAlone
  /** Parts of it that are swept. */
  litter: Pick<SweepOptions, 'what' | 'step'>[]
}

export interface InstallationOptions {
  config: Config
  db: Db
  newId: NewId
  logger: Logger
  metrics: Metrics
}

/** The embedded database has one process, which needs none of what PostgreSQL's share, and does not load it. */
export async function joinInstallation(options: InstallationOptions): Promise<Installation> {
  const { config, newId } = options
  const { postgres } = config.database
  if (postgres) return joinOthers(options, postgres.listenUrl)
  return {
    signals: createLocalSignals(),
    processes: createLocalProcesses(newId),
    createLimiter: (_scope, limits, who) => createRateLimiter(limits, undefined, who),
    openStreams: createOpenStreams(config.access.maxStreams),
    runAlone: runAloneHere,
    litter: [],
  }
}

async function joinOthers(
  { config, db, newId, logger, metrics }: InstallationOptions,
  listenUrl: string,
): Promise<Installation> {
  const [
    { createPostgresSignals },
    { createSharedProcesses },
    { presenceOf },
    { createTokenLeases },
    { createSharedPlaces },
    { createSharedLimiters },
    { createSharedOpenStreams },
  ] = await Promise.all([
    import('./platform/cluster/signals/postgres-signals.ts'),
    import('./platform/cluster/members/shared-processes.ts'),
    import('./platform/cluster/members/presence.ts'),
    import('./platform/cluster/locks/token-leases.ts'),
    import('./platform/cluster/locks/shared-places.ts'),
    import('./platform/cluster/limits/shared-rate-limit.ts'),
    import('./platform/cluster/limits/shared-open-streams.ts'),
  ])
  const { role, access } = config
  const secret = await serverSecret(db, 'signals')
  const id = newId()
  const signals = await createPostgresSignals({ db, listenUrl, secret, first: presenceOf(id), newId, logger })
  const processes = createSharedProcesses({ db, signals, id, role, logger })
  const leases = createTokenLeases(db)
  const places = createSharedPlaces(db, processes.id, access.maxStreams)
  const countProcesses = () => processes.count().all + processes.count().api
  const countAlone = metrics.counter({
    name: 'docent_limits_alone_total',
    help: 'How often the database was too slow for limits, so that this process counted for itself for five seconds.',
  })
  const warn = seldom((error) =>
    logger.warn({ err: error }, 'limits are kept without the other processes for a moment'),
  )
  const onAlone = (error: unknown) => {
    countAlone([])
    warn(error)
  }
  return {
    signals,
    processes,
    createLimiter: createSharedLimiters({ leases, countProcesses, onAlone }),
    openStreams:
      access.maxStreams === 0
        ? createOpenStreams(0)
        : createSharedOpenStreams({ places, most: access.maxStreams, onAlone }),
    runAlone: runAloneAmong(createSharedPlaces(db, processes.id, 1)),
    litter: [
      { what: 'rate limits', step: leases.removeFull },
      { what: 'places of streams', step: places.removeEmpty },
    ],
  }
}

const SELDOM_MS = 60_000

/** Does it once a minute at most. */
function seldom<A>(act: (about: A) => void): (about: A) => void {
  let last = Number.NEGATIVE_INFINITY
  return (about) => {
    const now = performance.now()
    if (now - last < SELDOM_MS) return
    last = now
    act(about)
  }
}
