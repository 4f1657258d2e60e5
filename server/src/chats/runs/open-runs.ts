import type { Db, Writes } from '../../db.ts'
import type { Clock } from '../../platform/clock.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Processes } from '../../platform/processes/processes.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { UsageService } from '../../usage/usage.service.ts'
import type { WebhookService } from '../../webhooks/webhooks.service.ts'
import { createElsewhere } from './elsewhere.ts'
import { endInterrupted } from './end-interrupted.ts'
import { createFollower } from './followed-events.ts'
import { createEndUnattended } from './interruptions.ts'
import { createRemoteRuns } from './remote-runs.ts'
import { createRunRelay } from './run-relay.ts'
import { createRuns } from './runs.ts'

export interface OpenRunsOptions {
  db: Db
  writes: Writes
  usage: UsageService
  webhooks: WebhookService
  newId: NewId
  clock: Clock
  logger: Logger
  processes: Processes
  signals: Signals
  /** Whether other processes may work on the same database. */
  isShared: boolean
}

/** The runs of this process, and its way to those of others. */
export function openRuns({ db, newId, logger, processes, signals, isShared, ...options }: OpenRunsOptions) {
  const endUnattended = createEndUnattended({ ...options, processes })
  const remoteRuns = isShared ? createRemoteRuns({ signals, newId, processes }) : undefined
  const elsewhere = createElsewhere({ db, writes: options.writes, processes, remoteRuns, endUnattended, logger })
  const runs = createRuns({ elsewhere, logger })
  const relay = isShared ? createRunRelay({ runs, signals, processes }) : undefined
  let stopListening = () => {}

  async function endLeftBehind(): Promise<void> {
    const messages = await endInterrupted({ db, processes, endUnattended })
    if (messages > 0) logger.warn({ messages }, 'runs of a process that ended were interrupted')
  }

  return {
    runs,
    elsewhere,
    follower: createFollower({ db, runs, elsewhere: isShared ? elsewhere : undefined }),

    /** Ends what processes left running that live no more, now and whenever one dies, and learns what is to be taken up. */
    async start(): Promise<void> {
      await endLeftBehind()
      await elsewhere.start()
      stopListening = processes.onDeath(endLeftBehind)
    },

    close(): void {
      stopListening()
      relay?.close()
      remoteRuns?.close()
    },
  }
}
