import { setTimeout as delay } from 'node:timers/promises'

/**
 * When the index is brought up to date. Rows that came after the last time are kept in memory (`recent-passages.ts`)
 * or, where that is not possible, scanned by every query at 50 us each; bringing it up to date rewrites the table (0.1 s
 * at 1,000 rows, 1 s at 100,000). Neither may be felt by a query, nor eat the processor while documents stream in.
 */
export interface CompactionState {
  unindexedRows: number
  /** Whether anything was written or removed since the last run. */
  changed: boolean
  /** Whether a query has scanned unindexed rows since the last run. */
  scanned: boolean
  sinceLastWriteMs: number
  sinceLastRunMs: number
  /** How long the last run took; 0 before the first. */
  lastRunMs: number
}

const QUIET_MIN_MS = 100
const QUIET_MAX_MS = 10_000
/** Quiet time asked for, in multiples of what a run takes. */
const QUIET_RUNS = 20
/** More unindexed rows than this are felt by whoever searches. */
const SCANNED_ROWS_MAX = 200
/** With nobody scanning them, this many are let pile up while writes go on. */
const UNINDEXED_ROWS_MAX = 4_000
/** Share of a processor, inverted, that runs may take while writes go on: less if far behind. */
const PAUSE_RUNS = 10

/** Milliseconds until the next run is due, 0 when it is; undefined when there is nothing to do. */
export function compactionDueIn(state: CompactionState): number | undefined {
  if (!state.changed) return undefined
  const pause = state.lastRunMs * PAUSE_RUNS * Math.min(1, UNINDEXED_ROWS_MAX / Math.max(1, state.unindexedRows))
  const rested = Math.max(0, pause - state.sinceLastRunMs)
  const limit = state.scanned ? SCANNED_ROWS_MAX : UNINDEXED_ROWS_MAX
  if (state.unindexedRows >= limit) return rested
  const quiet = state.unindexedRows > 0 ? Math.max(QUIET_MIN_MS, state.lastRunMs * QUIET_RUNS) : QUIET_MAX_MS
  return Math.max(rested, Math.min(quiet, QUIET_MAX_MS) - state.sinceLastWriteMs, 0)
}

export interface Compaction {
  /** @param rows that came into the table and are not indexed yet */
  wrote(rows: number): void
  searched(): void
  /** Whether nothing is under way and nothing is left to do. */
  isIdle(): boolean
  /** Runs now, or joins the run under way and then runs again. */
  runNow(): Promise<void>
  /** Starts no more runs, and waits for the one under way as long as a server that ends can wait. */
  stop(): Promise<void>
}

/** After a run that failed for another reason than a concurrent write, such as a full disk. */
const RETRY_FAILED_MS = 60_000
const STOP_PATIENCE_MS = 5_000
/** Attempts that may lose against concurrent deletes before one is made that writes have to wait for. */
const SHARED_ATTEMPTS = 3

export function createCompaction({
  run,
  runAlone,
  runUnlessBusy,
  onError,
  isConflict = () => false,
  spreadMs = 0,
}: {
  /** Brings the index up to date. Rejects when a concurrent write came between. */
  run(): Promise<void>
  /** The same, with writes held back. */
  runAlone(): Promise<void>
  /** Runs it unless another process is at the same. @returns whether it ran: if not, it is looked at again later */
  runUnlessBusy(run: () => Promise<void>): Promise<boolean>
  onError(error: unknown): void
  /** Whether a run failed because another process wrote: no fault, it is made again later. */
  isConflict?(error: unknown): boolean
  /** Up to so much later, at random. */
  spreadMs?: number
}): Compaction {
  let unindexedRows = 0
  let changed = false
  let scanned = false
  let lastWriteAt = 0
  let lastRunEndedAt = 0
  let lastRunMs = 0
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let retryMs: number | undefined
  let stopped = false

  function schedule(): void {
    clearTimeout(timer)
    if (underWay || stopped) return
    const now = performance.now()
    const dueIn = compactionDueIn({
      unindexedRows,
      changed,
      scanned,
      lastRunMs,
      sinceLastWriteMs: now - lastWriteAt,
      sinceLastRunMs: now - lastRunEndedAt,
    })
    if (dueIn === undefined) return
    const spread = Math.random() * spreadMs
    timer = setTimeout(start, (retryMs ?? dueIn) + spread).unref()
  }

  function start(): void {
    runNow().catch((error) => !isConflict(error) && onError(error))
  }

  async function attemptUnlessBusy(): Promise<void> {
    try {
      if (!(await runUnlessBusy(attempt))) retryMs = QUIET_MAX_MS
    } catch (error) {
      retryMs ??= RETRY_FAILED_MS
      throw error
    }
  }

  async function attempt(): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      const before = unindexedRows
      const startedAt = performance.now()
      changed = false
      scanned = false
      try {
        await (attempts > SHARED_ATTEMPTS ? runAlone() : run())
        unindexedRows -= before
        retryMs = undefined
        return
      } catch (error) {
        changed = true
        retryMs = isConflict(error) ? QUIET_MAX_MS : RETRY_FAILED_MS
        if (attempts > SHARED_ATTEMPTS) throw error
      } finally {
        lastRunEndedAt = performance.now()
        lastRunMs = lastRunEndedAt - startedAt
      }
    }
  }

  async function runNow(): Promise<void> {
    clearTimeout(timer)
    if (underWay) await underWay.catch(() => {})
    underWay ??= attemptUnlessBusy().finally(() => {
      underWay = undefined
      schedule()
    })
    await underWay
  }

  return {
    wrote: (rows) => {
      unindexedRows += rows
      changed = true
      lastWriteAt = performance.now()
      schedule()
    },
    searched: () => {
      if (unindexedRows === 0 || scanned) return
      scanned = true
      schedule()
    },
    isIdle: () => !changed && !underWay,
    runNow,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      const enough = new AbortController()
      const patience = delay(STOP_PATIENCE_MS, undefined, { signal: enough.signal, ref: false })
      await Promise.race([underWay, patience]).catch(() => {})
      enough.abort()
    },
  }
}
