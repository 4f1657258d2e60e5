import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '../db.ts'
import type { Clock } from '../platform/clock.ts'
import { patiently } from '../platform/database/patience.ts'
import { type AttemptOptions, createAttempt } from './attempt.ts'
import { catalog, type PayloadOf, type TaskKind } from './catalog.ts'
import type { ClaimedTask, SettingsOfKind } from './queue.ts'
import { createSharedPlaces } from './shared-places.ts'

const HEARTBEAT_MS = 3_000
const SHORTEST_SLEEP_MS = 50
/** How long tasks may take to notice that they are to end. */
const PATIENCE_MS = 3_000

export interface TaskContext {
  organizationId: string
  /** From 1; those count that ended with their process. */
  attempt: number
  /** Whether the task is given up when this one fails. */
  isLastAttempt: boolean
  /** Aborts when another worker has taken the task over, or this one shuts down. */
  signal: AbortSignal
  /** Whether this attempt still holds the task; asked in the transaction that writes its result. */
  isHeld(tx: Tx): Promise<boolean>
  /** Ends the task with the transaction that stores its result: one commit less. Whoever calls it does nothing more. */
  finishIn(tx: Tx): Promise<void>
  /** From now on the task waits for others: a death of the process meanwhile is not its doing. */
  pause(): Promise<void>
  /** It is at work again, once it may be, or when `signal` aborts. Never throws. */
  resume(signal: AbortSignal): Promise<void>
}

/** Does the work; it may run twice, and an error that it throws makes the queue try again. */
export type TaskHandler<K extends TaskKind> = (payload: PayloadOf<K>, context: TaskContext) => Promise<void>
export type TaskHandlers = { [K in TaskKind]: TaskHandler<K> }

export interface Worker {
  start(): void
  /** Begins what is due and may begin now. */
  look(): void
  /** Takes no more tasks, aborts those that run, and resolves when all have returned, after 3 s at the latest. */
  stop(): Promise<void>
}

export interface WorkerOptions extends AttemptOptions {
  clock: Clock
  /** Overrides of the catalog's numbers of tasks at once. */
  concurrency?: Partial<Record<TaskKind, number>>
  /** Whether tasks of this kind may begin now; one that may again waits for `look`. Default: always. */
  mayBegin?(kind: TaskKind): boolean
}

const shutdown = () => new Error('the server is shutting down')

export function createWorker(options: WorkerOptions): Worker {
  const { queue, clock, logger, concurrency = {}, mayBegin = () => true } = options
  const attempt = createAttempt(options)
  const kinds = Object.keys(catalog) as TaskKind[]
  /** Not by their tasks' ids: one that was lost may be taken again while its handler has not noticed. */
  const running = new Set<{ task: ClaimedTask; abort: AbortController }>()
  /** Looks, claims and attempts under way. */
  const unfinished = new Set<Promise<void>>()
  let isStopped = false
  let sleep: NodeJS.Timeout | undefined
  let sleepsUntil = 0
  let heartbeat: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined

  const placesOf = (kind: TaskKind) => concurrency[kind] ?? catalog[kind].concurrency
  const runningOf = (kind: TaskKind) => [...running].flatMap(({ task }) => (task.kind === kind ? [task] : []))
  const freePlaces = (kind: TaskKind) => (mayBegin(kind) ? placesOf(kind) - runningOf(kind).length : 0)
  /** Kinds whose slots are shared among organizations. */
  const shared = new Map(
    kinds
      .filter((kind) => (catalog[kind] as SettingsOfKind).isShared)
      .map((kind) => {
        const claim = (limit: number, except?: string[]) => queue.claim(kind, limit, except)
        return [kind, createSharedPlaces({ places: placesOf(kind), claim })]
      }),
  )
  /** Kinds of which more may be due than there were places for. */
  const waiting = new Set<TaskKind>()
  const claiming = new Set<TaskKind>()
  const askedAgain = new Set<TaskKind>()

  /** Lets it go on by itself: `stop` waits for it. */
  function follow(work: Promise<void>): void {
    const followed = work
      .catch((error) => logger.error({ err: error }, 'the work on tasks failed'))
      .finally(() => unfinished.delete(followed))
    unfinished.add(followed)
  }

  /** Fills the free places of a kind. One claim a kind at a time: what comes meanwhile is claimed right after. */
  async function fill(kind: TaskKind): Promise<void> {
    if (isStopped) return
    if (claiming.has(kind)) {
      askedAgain.add(kind)
      return
    }
    const mayExceed = mayBegin(kind) && shared.has(kind)
    if (freePlaces(kind) <= 0 && !mayExceed) {
      waiting.add(kind)
      return
    }
    claiming.add(kind)
    askedAgain.delete(kind)
    await claim(kind).finally(() => claiming.delete(kind))
    if (askedAgain.has(kind)) return fill(kind)
  }

  async function claim(kind: TaskKind): Promise<void> {
    try {
      const { tasks, isAll } = await (shared.get(kind)?.claim(heldOf(kind)) ?? claimFree(kind))
      if (isAll) waiting.delete(kind)
      else waiting.add(kind)
      for (const task of tasks) run(task)
    } catch (error) {
      logger.error({ err: error, kind }, 'tasks could not be claimed')
    }
  }

  async function claimFree(kind: TaskKind): Promise<{ tasks: ClaimedTask[]; isAll: boolean }> {
    const limit = freePlaces(kind)
    const tasks = await queue.claim(kind, limit)
    return { tasks, isAll: tasks.length < limit }
  }

  /** Running tasks of each organization. */
  function heldOf(kind: TaskKind): Map<string, number> {
    const held = new Map<string, number>()
    for (const { organizationId } of runningOf(kind)) held.set(organizationId, (held.get(organizationId) ?? 0) + 1)
    return held
  }

  function run(task: ClaimedTask): void {
    const { kind } = task
    const abort = new AbortController()
    if (isStopped) abort.abort(shutdown())
    const entry = { task, abort }
    running.add(entry)
    // Neither an attempt nor its end fails because the database is away for a while.
    const done = patiently({ signal: abort.signal }, () => attempt(task, abort.signal))
      .then((delayMs) => {
        if (delayMs !== undefined) wakeIn(delayMs)
      })
      .catch((error) => logger.error({ err: error, kind, task_id: task.id }, 'a task could not be put away'))
      .finally(() => {
        running.delete(entry)
        if (waiting.has(kind)) follow(fill(kind).then(() => (waiting.has(kind) ? undefined : wakeIn(0))))
      })
    follow(done)
  }

  async function keepLeases(): Promise<void> {
    const held = [...running]
    if (held.length === 0) return
    try {
      const lost = new Set(await queue.extend(held.map(({ task }) => task)))
      for (const { task, abort } of held)
        if (lost.has(task)) abort.abort(new Error('another worker has taken the task over'))
    } catch (error) {
      logger.warn({ err: error }, 'leases of tasks could not be extended')
    }
  }

  function wakeIn(ms: number): void {
    const at = clock().getTime() + ms
    if (isStopped || (sleep && sleepsUntil <= at)) return
    clearTimeout(sleep)
    sleepsUntil = at
    sleep = setTimeout(() => {
      sleep = undefined
      follow(look())
    }, ms)
    sleep.unref()
  }

  /** Claims what is due, and sleeps until the next task is: those that are enqueued wake it before that. */
  async function look(): Promise<void> {
    let ms = queue.longestSleepMs
    try {
      // A kind without a free place is asked again when one of its tasks ends.
      const open = kinds.filter((kind) => freePlaces(kind) > 0)
      for (const { kind, inMs } of open.length > 0 ? await queue.due(open) : []) {
        if (inMs <= 0) follow(fill(kind))
        ms = Math.min(ms, Math.max(inMs, SHORTEST_SLEEP_MS))
      }
    } catch (error) {
      logger.error({ err: error }, 'the queue could not be asked for tasks')
    }
    for (const [kind, places] of shared) {
      places.forget()
      // With all places taken nobody was asked above.
      if (freePlaces(kind) <= 0) follow(fill(kind))
    }
    wakeIn(ms)
  }

  return {
    start() {
      unsubscribe = queue.onEnqueued((kind, delayMs, organizationId) => {
        shared.get(kind)?.heard(organizationId)
        if (delayMs > 0) wakeIn(delayMs)
        else follow(fill(kind))
      })
      heartbeat = setInterval(() => follow(keepLeases()), HEARTBEAT_MS)
      heartbeat.unref()
      follow(look())
    },
    look: () => wakeIn(0),
    async stop() {
      isStopped = true
      unsubscribe?.()
      clearTimeout(sleep)
      clearInterval(heartbeat)
      for (const { abort } of running) abort.abort(shutdown())
      const isOver = delay(PATIENCE_MS, 'over', { ref: false })
      // A claim under way may still bring tasks, which end at once.
      while (unfinished.size > 0) {
        if ((await Promise.race([Promise.all(unfinished), isOver])) !== 'over') continue
        logger.warn(
          { tasks: [...running].map(({ task }) => task.id) },
          'tasks did not end in time; the next start takes them up',
        )
        return
      }
    },
  }
}
