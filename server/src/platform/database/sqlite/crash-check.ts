import { existsSync } from 'node:fs'
import { adminCommand } from '../../host/commands.ts'
import { runInWorker } from '../../host/run-in-worker.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { databasePath } from '../open.ts'

/** A database of 100 GB on a slow disk. */
const TIMEOUT_MS = 6 * 3_600_000
const HEAP_MB = 64

/**
 * Looks at the embedded database after an end that was none: a crash of the machine is what damages one. Beside the
 * server, in a thread. To be made before the database is opened: SQLite leaves its log behind unless it is closed.
 */
export function createCrashCheck({ dataDir, logger }: { dataDir: string; logger: Logger }) {
  const path = databasePath(dataDir)
  const wasCutOff = existsSync(`${path}-wal`)
  const stop = new AbortController()

  return {
    /** @returns what is wrong; undefined when there was no reason to look, or it was stopped */
    async run(): Promise<string[] | undefined> {
      if (!wasCutOff) return undefined
      try {
        const faults = await runInWorker<string[]>({
          entry: new URL('./crash-check.worker.ts', import.meta.url),
          data: path,
          timeoutMs: TIMEOUT_MS,
          heapMb: HEAP_MB,
          signal: stop.signal,
        })
        if (faults.length > 0)
          logger.error(
            { faults },
            `the database is damaged: stop the server, keep a copy of DATA_DIR, and restore a backup (docs/backup.md); ${adminCommand('doctor')} tells more`,
          )
        return faults
      } catch (error) {
        if (!stop.signal.aborted) logger.warn({ err: error }, 'the database could not be checked')
        return undefined
      }
    },
    stop: () => stop.abort(),
  }
}
