import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { NewId } from './platform/ids.ts'
import { createLocalProcesses, type Processes } from './platform/processes/processes.ts'
import { createLocalSignals, type Signals } from './platform/signals/signals.ts'
import type { Logger } from './platform/telemetry/logger.ts'

/** What this process has in common with the others of its installation. */
export interface Installation {
  signals: Signals
  processes: Processes
}

export interface InstallationOptions {
  config: Config
  db: Db
  newId: NewId
  logger: Logger
}

/** The embedded database has one process, which needs none of what PostgreSQL's share, and does not load it. */
export async function joinInstallation({ config, db, newId, logger }: InstallationOptions): Promise<Installation> {
  const { postgres } = config.database
  if (!postgres) return { signals: createLocalSignals(), processes: createLocalProcesses(newId) }
  const [{ createPostgresSignals }, { createSharedProcesses }] = await Promise.all([
    import('./platform/signals/postgres-signals.ts'),
    import('./platform/processes/shared-processes.ts'),
  ])
  const signals = await createPostgresSignals({ db, listenUrl: postgres.listenUrl, newId, logger })
  return { signals, processes: createSharedProcesses({ db, signals, role: config.role, newId, logger }) }
}
