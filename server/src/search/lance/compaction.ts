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
/** Limit on unindexed rows: more slow searches down. */
const SCANNED_ROWS_MAX = 200
/** Limit on unindexed rows while writes continue and nobody scans them. */
const UNINDEXED_ROWS_MAX = 4_000
/** Share of a processor, inverted, that runs may take while writes continue: less if far behind. */
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

/** Pause after a run that failed for a reason other than a concurrent write, such as a full disk. */
const RETRY_FAILED_MS = 60_000
const STOP_PATIENCE_MS = 5_000
/** Attempts that may lose against concurrent deletes before one is made that writes have to wait for. */
const SHARED_ATTEMPTS = 3

export interface CompactionOptions {
  /** Brings the index up to date. Rejects when a concurrent write came between. */
  run(): Promise<void>
  /** Brings the index up to date while writes are held back. */
  runAlone(): Promise<void>
  /** Runs it unless another process is at the same. @returns whether it ran: if not, it is looked at again later */
  runUnlessBusy(run: () => Promise<void>): Promise<boolean>
  onError(error: unknown): void
  /** Whether a run failed because another process wrote: no fault, it is made again later. */
  isConflict?(error: unknown): boolean
  /** Random extra delay, at most. */
  spreadMs?: number
}

/** Brings an index up to date when that is due, one run at a time. */
export class Compaction {
  readonly #options: Required<CompactionOptions>
  #unindexedRows = 0
  #changed = false
  #scanned = false
  #lastWriteAt = 0
  #lastRunEndedAt = 0
  #lastRunMs = 0
  #timer: NodeJS.Timeout | undefined
  #underWay: Promise<void> | undefined
  #retryMs: number | undefined
  #stopped = false

  constructor(options: CompactionOptions) {
    this.#options = { isConflict: () => false, spreadMs: 0, ...options }
  }

  /** @param rows that came into the table and are not indexed yet */
  wrote(rows: number): void {
    this.#unindexedRows += rows
    this.#changed = true
    this.#lastWriteAt = performance.now()
    this.#schedule()
  }

  searched(): void {
    if (this.#unindexedRows === 0 || this.#scanned) return
    this.#scanned = true
    this.#schedule()
  }

  /** Whether nothing is under way and nothing is left to do. */
  isIdle(): boolean {
    return !this.#changed && !this.#underWay
  }

  /** Runs now, or joins the run under way and then runs again. */
  async runNow(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#underWay) await this.#underWay.catch(() => {})
    this.#underWay ??= this.#attemptUnlessBusy().finally(() => {
      this.#underWay = undefined
      this.#schedule()
    })
    await this.#underWay
  }

  /** Starts no more runs, and waits for the one under way as long as a server that ends can wait. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    const enough = new AbortController()
    const patience = delay(STOP_PATIENCE_MS, undefined, { signal: enough.signal, ref: false })
    await Promise.race([this.#underWay, patience]).catch(() => {})
    enough.abort()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#underWay || this.#stopped) return
    const now = performance.now()
    const dueIn = compactionDueIn({
      unindexedRows: this.#unindexedRows,
      changed: this.#changed,
      scanned: this.#scanned,
      lastRunMs: this.#lastRunMs,
      sinceLastWriteMs: now - this.#lastWriteAt,
      sinceLastRunMs: now - this.#lastRunEndedAt,
    })
    if (dueIn === undefined) return
    const spread = Math.random() * this.#options.spreadMs
    this.#timer = setTimeout(() => this.#start(), (this.#retryMs ?? dueIn) + spread).unref()
  }

  #start(): void {
    const { isConflict, onError } = this.#options
    this.runNow().catch((error) => !isConflict(error) && onError(error))
  }

  async #attemptUnlessBusy(): Promise<void> {
    try {
      if (!(await this.#options.runUnlessBusy(() => this.#attempt()))) this.#retryMs = QUIET_MAX_MS
    } catch (error) {
      this.#retryMs ??= RETRY_FAILED_MS
      throw error
    }
  }

  async #attempt(): Promise<void> {
    const { runAlone, run, isConflict } = this.#options
    for (let attempts = 1; ; attempts++) {
      const before = this.#unindexedRows
      const startedAt = performance.now()
      this.#changed = false
      this.#scanned = false
      try {
        await (attempts > SHARED_ATTEMPTS ? runAlone() : run())
        this.#unindexedRows -= before
        this.#retryMs = undefined
        return
      } catch (error) {
        this.#changed = true
        this.#retryMs = isConflict(error) ? QUIET_MAX_MS : RETRY_FAILED_MS
        if (attempts > SHARED_ATTEMPTS) throw error
      } finally {
        this.#lastRunEndedAt = performance.now()
        this.#lastRunMs = this.#lastRunEndedAt - startedAt
      }
    }
  }
}
