import { setImmediate as turn } from 'node:timers/promises'
import type { Logger } from './telemetry/logger.ts'

/** Removes what has become old, now and then. */
export interface Sweep {
  /** Goes through all that is old now, in small steps. @returns how much it removed. */
  sweep(): Promise<number>
  start(): void
  /** Resolves when a step that runs has ended. */
  stop(): Promise<void>
}

export interface SweepOptions {
  /** Name of the things removed, for the log: `uploads that expired`. */
  what: string
  /** Time from the end of one round to the next. */
  everyMs: number
  /** Removes up to `limit`. @returns how many it removed; fewer than `limit`, when that were all. */
  step(limit: number): Promise<number>
  /** Most that one step removes, within a few milliseconds: it holds up everything else for as long. */
  limit: number
  logger: Logger
  /** Message of the log, for sweeps that remove nothing. */
  log?: { done: string; failed: string }
}

const REMOVED = { done: 'removed what was old', failed: 'what was old could not be removed' }

export function createSweep({ what, everyMs, step, limit, logger, log = REMOVED }: SweepOptions): Sweep {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  async function sweep(): Promise<number> {
    let count = 0
    while (!isStopped) {
      const removed = await step(limit)
      count += removed
      if (removed < limit) break
      await turn()
    }
    return count
  }

  async function round(): Promise<void> {
    try {
      const count = await sweep()
      if (count > 0) logger.info({ count, what }, log.done)
    } catch (error) {
      logger.error({ err: error, what }, log.failed)
    }
    if (isStopped) return
    timer = setTimeout(start, everyMs)
    timer.unref()
  }

  function start(): void {
    running = round()
  }

  return {
    sweep,
    start,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
