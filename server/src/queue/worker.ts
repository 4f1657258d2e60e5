import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '../db.ts'
import type { Clock } from '../platform/clock.ts'
import { patiently } from '../platform/database/patience.ts'
import { type AttemptOptions, createAttempt } from './attempt.ts'
import { catalog, type PayloadOf, type TaskKind } from './catalog.ts'
import { createFairClaims } from './fair-claims.ts'
import type { ClaimedTask, SettingsOfKind } from './queue.ts'

const HEARTBEAT_MS = 3_000
const SHORTEST_SLEEP_MS = 50
/** How long tasks may take to notice that they are to end. */
const PATIENCE_MS = 3_000

export interface TaskContext {
  organizationId: string
  /** Attempt from 1, including those that ended with their process. */
  attempt: number
  /** Whether the task is given up when this one fails. */
  isLastAttempt: boolean
  /** Aborts when another worker has taken the task over, or this one shuts down. */
  signal: AbortSignal
  /** Whether this attempt still holds the task; asked in the transaction that writes its result. */
  isHeld(tx: Tx): Promise<boolean>
  /** Ends the task with the transaction that stores its result: one commit less. Its caller then does nothing more. */
  finishIn(tx: Tx): Promise<void>
  /** Marks the task as waiting for others: a death of the process meanwhile is not its fault. */
  pause(): Promise<void>
  /** It is at work again, once it may be, or when `signal` aborts. Never throws. */
  resume(signal: AbortSignal): Promise<void>
}

/** Does the work; it may run twice, and an error that it throws makes the queue try again. */
export type TaskHandler<K extends TaskKind> = (payload: PayloadOf<K>, context: TaskContext) => Promise<void>
export type TaskHandlers = { [K in TaskKind]: TaskHandler<K> }

export interface WorkerOptions extends AttemptOptions {
  clock: Clock
  /** Overrides of the catalog's numbers of tasks at once. */
  concurrency?: Partial<Record<TaskKind, number>>
  /** Whether tasks of this kind may begin now; one that may again waits for `look`. Default: always. */
  mayBegin?(kind: TaskKind): boolean
}

const shutdown = () => new Error('the server is shutting down')

type SharedSlots = ReturnType<typeof createFairClaims>

const KINDS = Object.keys(catalog) as TaskKind[]

/** Claims due tasks of every kind, runs each in a free slot of its kind, and keeps their leases. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #attempt: ReturnType<typeof createAttempt>
  /** Not by their tasks' ids: one that was lost may be taken again while its handler has not noticed. */
  readonly #running = new Set<{ task: ClaimedTask; abort: AbortController }>()
  /** Looks, claims and attempts under way. */
  readonly #unfinished = new Set<Promise<void>>()
  /** Kinds whose slots are shared among organizations. */
  readonly #shared = new Map<TaskKind, SharedSlots>()
  /** Kinds of which more may be due than there were slots for. */
  readonly #waiting = new Set<TaskKind>()
  readonly #claiming = new Set<TaskKind>()
  readonly #askedAgain = new Set<TaskKind>()
  #isStopped = false
  #sleep: NodeJS.Timeout | undefined
  #sleepsUntil = 0
  #heartbeat: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#attempt = createAttempt(options)
    for (const kind of KINDS) {
      if (!(catalog[kind] as SettingsOfKind).isShared) continue
      const claim = (limit: number, except?: string[]) => options.queue.claim(kind, limit, except)
      this.#shared.set(kind, createFairClaims({ slots: this.#slots(kind), claim }))
    }
  }

  start(): void {
    this.#unsubscribe = this.#options.queue.onEnqueued((kind, delayMs, organizationId) => {
      this.#shared.get(kind)?.heard(organizationId)
      if (delayMs > 0) this.#wakeIn(delayMs)
      else this.#follow(this.#fill(kind))
    })
    this.#heartbeat = setInterval(() => this.#follow(this.#keepLeases()), HEARTBEAT_MS)
    this.#heartbeat.unref()
    this.#follow(this.#look())
  }

  /** Begins what is due and may begin now. */
  look(): void {
    this.#wakeIn(0)
  }

  /** Takes no more tasks, aborts those that run, and resolves when all have returned, after 3 s at the latest. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe?.()
    clearTimeout(this.#sleep)
    clearInterval(this.#heartbeat)
    for (const { abort } of this.#running) abort.abort(shutdown())
    const isOver = delay(PATIENCE_MS, 'over', { ref: false })
    // A claim under way may still bring tasks, which end at once.
    while (this.#unfinished.size > 0) {
      if ((await Promise.race([Promise.all(this.#unfinished), isOver])) !== 'over') continue
      const tasks = [...this.#running].map(({ task }) => task.id)
      this.#options.logger.warn({ tasks }, 'tasks did not end in time; the next start takes them up')
      return
    }
  }

  /** Runs it in the background: `stop` waits for it. */
  #follow(work: Promise<void>): void {
    const followed = work
      .catch((error) => this.#options.logger.error({ err: error }, 'the work on tasks failed'))
      .finally(() => this.#unfinished.delete(followed))
    this.#unfinished.add(followed)
  }

  /** Claims what is due, and sleeps until the next task is: those that are enqueued wake it before that. */
  async #look(): Promise<void> {
    const { queue, logger } = this.#options
    let ms = queue.longestSleepMs
    try {
      // A kind without a free slot is asked again when one of its tasks ends.
      const open = KINDS.filter((kind) => this.#freeSlots(kind) > 0)
      for (const { kind, inMs } of open.length > 0 ? await queue.due(open) : []) {
        if (inMs <= 0) this.#follow(this.#fill(kind))
        ms = Math.min(ms, Math.max(inMs, SHORTEST_SLEEP_MS))
      }
    } catch (error) {
      logger.error({ err: error }, 'the queue could not be asked for tasks')
    }
    for (const [kind, slots] of this.#shared) {
      slots.forget()
      // With all slots taken nobody was asked above.
      if (this.#freeSlots(kind) <= 0) this.#follow(this.#fill(kind))
    }
    this.#wakeIn(ms)
  }

  #wakeIn(ms: number): void {
    const at = this.#options.clock().getTime() + ms
    if (this.#isStopped || (this.#sleep && this.#sleepsUntil <= at)) return
    clearTimeout(this.#sleep)
    this.#sleepsUntil = at
    this.#sleep = setTimeout(() => {
      this.#sleep = undefined
      this.#follow(this.#look())
    }, ms)
    this.#sleep.unref()
  }

  /** Fills the free slots of a kind. One claim a kind at a time: what comes meanwhile is claimed right after. */
  async #fill(kind: TaskKind): Promise<void> {
    if (this.#isStopped) return
    if (this.#claiming.has(kind)) {
      this.#askedAgain.add(kind)
      return
    }
    const mayExceed = this.#mayBegin(kind) && this.#shared.has(kind)
    if (this.#freeSlots(kind) <= 0 && !mayExceed) {
      this.#waiting.add(kind)
      return
    }
    this.#claiming.add(kind)
    this.#askedAgain.delete(kind)
    await this.#claim(kind).finally(() => this.#claiming.delete(kind))
    if (this.#askedAgain.has(kind)) return this.#fill(kind)
  }

  async #claim(kind: TaskKind): Promise<void> {
    try {
      const { tasks, isAll } = await (this.#shared.get(kind)?.claim(this.#runningByOrganization(kind)) ??
        this.#claimFree(kind))
      if (isAll) this.#waiting.delete(kind)
      else this.#waiting.add(kind)
      for (const task of tasks) this.#run(task)
    } catch (error) {
      this.#options.logger.error({ err: error, kind }, 'tasks could not be claimed')
    }
  }

  async #claimFree(kind: TaskKind): Promise<{ tasks: ClaimedTask[]; isAll: boolean }> {
    const limit = this.#freeSlots(kind)
    const tasks = await this.#options.queue.claim(kind, limit)
    return { tasks, isAll: tasks.length < limit }
  }

  #run(task: ClaimedTask): void {
    const { logger } = this.#options
    const { kind } = task
    const abort = new AbortController()
    if (this.#isStopped) abort.abort(shutdown())
    const entry = { task, abort }
    this.#running.add(entry)
    // Neither an attempt nor its end fails because the database is away for a while.
    const done = patiently({ signal: abort.signal }, () => this.#attempt(task, abort.signal))
      .then((delayMs) => {
        if (delayMs !== undefined) this.#wakeIn(delayMs)
      })
      .catch((error) => logger.error({ err: error, kind, task_id: task.id }, 'a task could not be put away'))
      .finally(() => {
        this.#running.delete(entry)
        if (this.#waiting.has(kind)) this.#follow(this.#refill(kind))
      })
    this.#follow(done)
  }

  async #refill(kind: TaskKind): Promise<void> {
    await this.#fill(kind)
    if (this.#waiting.has(kind)) this.#wakeIn(0)
  }

  async #keepLeases(): Promise<void> {
    const held = [...this.#running]
    if (held.length === 0) return
    try {
      const lost = new Set(await this.#options.queue.extend(held.map(({ task }) => task)))
      for (const { task, abort } of held)
        if (lost.has(task)) abort.abort(new Error('another worker has taken the task over'))
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'leases of tasks could not be extended')
    }
  }

  #slots(kind: TaskKind): number {
    return this.#options.concurrency?.[kind] ?? catalog[kind].concurrency
  }

  #mayBegin(kind: TaskKind): boolean {
    return this.#options.mayBegin?.(kind) ?? true
  }

  #freeSlots(kind: TaskKind): number {
    return this.#mayBegin(kind) ? this.#slots(kind) - this.#runningOf(kind).length : 0
  }

  #runningOf(kind: TaskKind): ClaimedTask[] {
    return [...this.#running].flatMap(({ task }) => (task.kind === kind ? [task] : []))
  }

  #runningByOrganization(kind: TaskKind): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { organizationId } of this.#runningOf(kind))
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    return counts
  }
}
