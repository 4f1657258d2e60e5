import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Tx, Writes } from '../db.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { catalog, type PayloadOf, type TaskKind } from './catalog.ts'
import {
  type ClaimedTask,
  claimTasks,
  extendLease,
  finishTask,
  isHeld,
  nextDue,
  releaseTask,
  returnTask,
} from './queue.store.ts'
import type { Queue, SettingsOfKind } from './queue.ts'

const LEASE_MS = 12_000
const HEARTBEAT_MS = 3_000
const LONGEST_SLEEP_MS = 60_000
/** How long tasks may take to notice that they are to end. */
const PATIENCE_MS = 3_000

export interface TaskContext {
  organizationId: string
  attempt: number
  isLastAttempt: boolean
  /** Aborts when another worker has taken the task over, or this one shuts down. */
  signal: AbortSignal
  /** Whether this attempt still holds the task; asked in the transaction that writes its result. */
  isHeld(tx: Tx): Promise<boolean>
}

/** Does the work; it may run twice, and an error that it throws makes the queue try again. */
export type TaskHandler<K extends TaskKind> = (payload: PayloadOf<K>, context: TaskContext) => Promise<void>
export type TaskHandlers = { [K in TaskKind]: TaskHandler<K> }

export interface Worker {
  start(): void
  /** Takes no more tasks, aborts those that run, and resolves when all have returned, after 3 s at the latest. */
  stop(): Promise<void>
}

export interface WorkerOptions {
  db: Db
  writes: Writes
  queue: Queue
  handlers: TaskHandlers
  clock: Clock
  logger: Logger
  /** Called for a task that is given up because the process ended in the middle of its last attempt, too. */
  givenUp?: Partial<TaskHandlers>
  /** Overrides of the catalog's numbers of tasks at once. */
  concurrency?: Partial<Record<TaskKind, number>>
}

const shutdown = () => new Error('the server is shutting down')

/** Delay before attempt number `attempt + 1`: 1 s, 4 s, 16 s ... up to 10 minutes. */
export const backoffMs = (attempt: number): number => Math.min(1000 * 4 ** (attempt - 1), 600_000)

export function createWorker(options: WorkerOptions): Worker {
  const { db, writes, queue, handlers, clock, logger, givenUp = {}, concurrency = {} } = options
  const kinds = Object.keys(catalog) as TaskKind[]
  const running = new Map<string, { task: ClaimedTask; kind: TaskKind; abort: AbortController }>()
  /** Claims and attempts under way. */
  const unfinished = new Set<Promise<void>>()
  let isStopped = false
  let sleep: NodeJS.Timeout | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined

  const isoIn = (ms: number) => new Date(clock().getTime() + ms).toISOString()
  const freePlaces = (kind: TaskKind) =>
    (concurrency[kind] ?? catalog[kind].concurrency) - [...running.values()].filter((run) => run.kind === kind).length
  const claiming = new Set<TaskKind>()
  const askedAgain = new Set<TaskKind>()

  /** Fills the free places of a kind. One claim a kind at a time: what comes meanwhile is claimed right after. */
  async function fill(kind: TaskKind): Promise<void> {
    if (isStopped) return
    if (claiming.has(kind)) return void askedAgain.add(kind)
    const free = freePlaces(kind)
    if (free <= 0) return
    claiming.add(kind)
    askedAgain.delete(kind)
    const claimed = claim(kind, free).finally(() => {
      claiming.delete(kind)
      unfinished.delete(claimed)
    })
    unfinished.add(claimed)
    await claimed
    if (askedAgain.has(kind)) return fill(kind)
    scheduleSleep()
  }

  async function claim(kind: TaskKind, limit: number): Promise<void> {
    try {
      const tasks = await writes.commit((tx) =>
        claimTasks(tx, { kind, limit, now: isoIn(0), leaseUntil: isoIn(LEASE_MS) }),
      )
      for (const task of tasks) run(kind, task)
    } catch (error) {
      logger.error({ err: error, kind }, 'tasks could not be claimed')
    }
  }

  function run(kind: TaskKind, task: ClaimedTask): void {
    const abort = new AbortController()
    if (isStopped) abort.abort(shutdown())
    running.set(task.id, { task, kind, abort })
    const done = attempt(kind, task, abort.signal)
      .catch((error) => logger.error({ err: error, kind, task_id: task.id }, 'a task could not be put away'))
      .finally(() => {
        running.delete(task.id)
        unfinished.delete(done)
        void fill(kind)
      })
    unfinished.add(done)
  }

  async function attempt(kind: TaskKind, task: ClaimedTask, signal: AbortSignal): Promise<void> {
    const { maxAttempts, payload }: SettingsOfKind = catalog[kind]
    const context: TaskContext = {
      organizationId: task.organizationId,
      attempt: task.attempt,
      isLastAttempt: task.attempt >= maxAttempts,
      signal,
      isHeld: (tx) => isHeld(tx, task.organizationId, task),
    }
    try {
      signal.throwIfAborted()
      const given = payload.parse(JSON.parse(task.payload)) as never
      // Only a process that ended in the middle of the last attempt leaves such a task behind.
      if (task.attempt > maxAttempts) {
        await givenUp[kind]?.(given, context)
        throw new Error('the server ended in the middle of every attempt')
      }
      await handlers[kind](given, context)
      await writes.commit((tx) => finishTask(tx, task.organizationId, task))
    } catch (error) {
      if (signal.aborted) return giveBack(kind, task)
      const runAt = context.isLastAttempt ? undefined : isoIn(backoffMs(task.attempt))
      logger.warn(
        { err: error, kind, task_id: task.id, attempt: task.attempt, run_at: runAt ?? 'never' },
        'task failed',
      )
      const message = error instanceof Error ? error.message : String(error)
      await writes.commit((tx) => returnTask(tx, task.organizationId, task, { runAt, error: message.slice(0, 2000) }))
    }
  }

  /** What a shutdown interrupted goes on with the next start, and has not failed. */
  async function giveBack(kind: TaskKind, task: ClaimedTask): Promise<void> {
    logger.info({ kind, task_id: task.id, attempt: task.attempt }, 'task interrupted')
    await writes.commit((tx) => releaseTask(tx, task.organizationId, task))
  }

  async function keepLeases(): Promise<void> {
    // All at once, so that they share one disk flush.
    await Promise.all(
      [...running.values()].map(async ({ task, abort }) => {
        const extended = writes.commit((tx) => extendLease(tx, task.organizationId, task, isoIn(LEASE_MS)))
        const isOurs = await extended.catch(() => true)
        if (!isOurs) abort.abort(new Error('another worker has taken the task over'))
      }),
    )
  }

  let isScheduling = false
  /** Sleeps until the next task is due: tasks enqueued in this process wake it before that. */
  function scheduleSleep(): void {
    if (isScheduling || isStopped) return
    isScheduling = true
    setImmediate(async () => {
      isScheduling = false
      if (isStopped) return
      // A kind without a free place is asked again when one of its tasks ends.
      const open = kinds.filter((kind) => freePlaces(kind) > 0)
      const due = open.length > 0 ? await nextDue(db, open).catch(() => undefined) : undefined
      const ms = due ? Date.parse(due) - clock().getTime() : LONGEST_SLEEP_MS
      clearTimeout(sleep)
      sleep = setTimeout(wakeAll, Math.min(Math.max(ms, 50), LONGEST_SLEEP_MS))
      sleep.unref()
    })
  }

  function wakeAll(): void {
    for (const kind of kinds) void fill(kind)
  }

  return {
    start() {
      unsubscribe = queue.onEnqueued((kind) => void fill(kind))
      heartbeat = setInterval(() => void keepLeases(), HEARTBEAT_MS)
      heartbeat.unref()
      wakeAll()
    },
    async stop() {
      isStopped = true
      unsubscribe?.()
      clearTimeout(sleep)
      clearInterval(heartbeat)
      for (const { abort } of running.values()) abort.abort(shutdown())
      const isOver = delay(PATIENCE_MS, 'over', { ref: false })
      // A claim under way may still bring tasks, which end at once.
      while (unfinished.size > 0) {
        if ((await Promise.race([Promise.all(unfinished), isOver])) !== 'over') continue
        logger.warn({ tasks: [...running.keys()] }, 'tasks did not end in time; the next start takes them up')
        return
      }
    },
  }
}
