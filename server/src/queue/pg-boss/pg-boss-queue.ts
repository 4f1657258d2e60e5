import type pg from 'pg'
import type { PgBoss, Db as Sql } from 'pg-boss'
import type { Tx, Writes } from '../../db.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import { createBatches, type InBatches } from '../../platform/concurrency/batches.ts'
import { isDatabaseAway } from '../../platform/database/away-errors.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { PayloadOf, TaskKind } from '../catalog.ts'
import type { ClaimedTask, DeadTask, TaskCount, WorkedQueue } from '../queue.ts'
import * as own from './own-sql.ts'
import { changedBy, DEAD, type DeadData, sqlIn } from './own-sql.ts'
import { startBoss } from './start-boss.ts'

export interface PgBossQueueOptions {
  pool: pg.Pool
  writes: Writes
  pubsub: PubSub
  logger: Logger
}

interface JobData {
  organizationId: string
  payload: unknown
}

const CHANNEL = 'queue'
const MOST_FINISHED_AT_ONCE = 200
const TIDY_EVERY_MS = 600_000
/** The lease of a process that is gone ends after 12 s: its tasks continue within 15. */
const LONGEST_SLEEP_MS = 3_000
/** Grace for a lease: two heartbeats may have been missed while the database was away. */
const GRACE_MS = 6_000

/**
 * The queue in the PostgreSQL database, for any number of processes. Its time is the database's.
 * @throws DatabaseUnusableError when the role may not make pg-boss's schema
 */
export async function createPgBossQueue({ pool, logger, ...options }: PgBossQueueOptions): Promise<WorkedQueue> {
  return new PgBossQueue(await startBoss(pool, logger), { logger, ...options })
}

class PgBossQueue implements WorkedQueue {
  longestSleepMs = LONGEST_SLEEP_MS
  readonly #boss: PgBoss
  readonly #sql: Sql
  readonly #options: Omit<PgBossQueueOptions, 'pool'>
  /** Messages that a transaction has published already. */
  readonly #published = new WeakMap<Tx, Set<string>>()
  readonly #finishers = new Map<TaskKind, InBatches<ClaimedTask, unknown>>()
  #tidiedAt = 0
  #awayAt = Number.NEGATIVE_INFINITY

  constructor(boss: PgBoss, options: Omit<PgBossQueueOptions, 'pool'>) {
    this.#boss = boss
    this.#sql = boss.getDb()
    this.#options = options
  }

  async enqueue<K extends TaskKind>(
    tx: Tx,
    organizationId: string,
    kind: K,
    payload: PayloadOf<K>,
    { delayMs = 0 }: { delayMs?: number } = {},
  ): Promise<void> {
    const data: JobData = { organizationId, payload }
    await this.#boss.send(kind, data, { ...after(delayMs), group: { id: organizationId }, db: sqlIn(tx) })
    await this.#publish(tx, organizationId, kind, delayMs)
  }

  async enqueueAll<K extends TaskKind>(
    tx: Tx,
    organizationId: string,
    kind: K,
    payloads: PayloadOf<K>[],
  ): Promise<void> {
    if (payloads.length > 0) await this.#insert(tx, organizationId, kind, payloads)
  }

  onEnqueued(listener: (kind: TaskKind, delayMs: number, organizationId?: string) => void): () => void {
    return this.#options.pubsub.subscribe(CHANNEL, (message) =>
      listener(...(JSON.parse(message) as [TaskKind, number, string | undefined])),
    )
  }

  async claim(kind: TaskKind, limit: number, except?: string[]): Promise<ClaimedTask[]> {
    const jobs = await this.#boss.fetch<JobData>(kind, { batchSize: limit, ...(except && { ignoreGroups: except }) })
    return jobs.map(({ id, data, retryCount }) => ({ id, kind, ...data, attempt: retryCount + 1 }))
  }

  async extend(tasks: ClaimedTask[]): Promise<ClaimedTask[]> {
    const kinds = Map.groupBy(tasks, ({ kind }) => kind)
    const ofKinds = await Promise.all(
      [...kinds].map(async ([kind, held]) => {
        const { settled } = changedBy(await this.#boss.touch(kind, held.map(attemptOf)))
        const ours = new Set(settled)
        // A worker may have lost a task and taken it again: only the later attempt can be meant.
        const latest = new Map(held.toSorted((a, b) => a.attempt - b.attempt).map((task) => [task.id, task]))
        return held.filter((task) => !ours.has(task.id) || latest.get(task.id) !== task)
      }),
    )
    return ofKinds.flat()
  }

  isHeld(tx: Tx, task: ClaimedTask): Promise<boolean> {
    return own.isHeld(sqlIn(tx), task)
  }

  // Again alone, with the patience of its own worker: the batch had that of its first task.
  async finish(task: ClaimedTask): Promise<void> {
    await this.#finisherOf(task.kind)(task).catch(() => this.#boss.deleteJob(task.kind, attemptOf(task)))
  }

  async finishIn(tx: Tx, task: ClaimedTask): Promise<void> {
    await this.#boss.deleteJob(task.kind, attemptOf(task), { db: sqlIn(tx) })
  }

  retry(task: ClaimedTask, error: string, delayMs: number): Promise<void> {
    return this.#options.writes.commit(async (tx) => {
      const db = sqlIn(tx)
      const failed = await this.#boss.fail(task.kind, attemptOf(task), { message: storable(error) }, { db })
      if (changedBy(failed).affected > 0)
        await this.#boss.update(task.kind, undefined, { id: task.id, ...after(delayMs), db })
    })
  }

  bury(task: ClaimedTask, error: string): Promise<void> {
    return this.#options.writes.commit(async (tx) => {
      const db = sqlIn(tx)
      const job = await this.#boss.getJobById(task.kind, task.id, { db })
      const deleted = await this.#boss.deleteJob(task.kind, attemptOf(task), { db })
      if (!job || changedBy(deleted).affected === 0) return
      const { kind, organizationId, payload, attempt } = task
      const createdAt = job.createdOn.toISOString()
      const data: DeadData = { kind, organizationId, payload, attempt, error: storable(error), createdAt }
      await this.#boss.send(DEAD, data, { group: { id: organizationId }, db })
    })
  }

  release(task: ClaimedTask): Promise<void> {
    return own.release(this.#sql, task)
  }

  async due(kinds: TaskKind[]): Promise<{ kind: TaskKind; inMs: number }[]> {
    if (performance.now() - this.#tidiedAt > TIDY_EVERY_MS) await this.#supervise()
    let rows = await this.#nextDue(kinds)
    if (rows.some(({ leaseMs }) => leaseMs !== null && leaseMs < 0) && performance.now() - this.#awayAt > GRACE_MS) {
      await this.#supervise()
      rows = await this.#nextDue(kinds)
    }
    return rows.flatMap(({ kind, waitingMs, leaseMs }) => [
      ...(waitingMs === null ? [] : [{ kind, inMs: waitingMs }]),
      // A lease that has ended is being given back by another process.
      ...(leaseMs === null ? [] : [{ kind, inMs: leaseMs < 0 ? 1_000 : leaseMs + 1 }]),
    ])
  }

  count(): Promise<TaskCount[]> {
    return own.count(this.#sql)
  }

  listLive<K extends TaskKind>(kind: K): Promise<PayloadOf<K>[]> {
    return own.listLive(this.#sql, kind)
  }

  listDead(organizationId: string): Promise<DeadTask[]> {
    return own.listDead(this.#sql, organizationId)
  }

  reviveDead(organizationId: string): Promise<number> {
    return this.#options.writes.commit(async (tx) => {
      const db = sqlIn(tx)
      const dead = await own.takeDead(db, organizationId)
      if (dead.length === 0) return 0
      for (const [kind, ofKind] of Map.groupBy(dead, ({ data }) => data.kind)) {
        const payloads = ofKind.map(({ data }) => data.payload)
        await this.#insert(tx, organizationId, kind, payloads)
      }
      const ids = dead.map(({ id }) => id)
      await this.#boss.deleteJob(DEAD, ids, { db })
      return dead.length
    })
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: false })
  }

  async #insert(tx: Tx, organizationId: string, kind: TaskKind, payloads: unknown[]): Promise<void> {
    const group = { id: organizationId }
    const jobs = payloads.map((payload) => ({ data: { organizationId, payload } satisfies JobData, group }))
    await this.#boss.insert(kind, jobs, { db: sqlIn(tx) })
    await this.#publish(tx, organizationId, kind, 0)
  }

  /** Wakes workers, once a transaction for all tasks of a kind: they claim as many as there are. */
  async #publish(tx: Tx, organizationId: string, kind: TaskKind, delayMs: number): Promise<void> {
    const message = JSON.stringify([kind, delayMs, organizationId])
    const messages = this.#published.get(tx) ?? new Set()
    this.#published.set(tx, messages)
    if (messages.has(message)) return
    messages.add(message)
    await this.#options.pubsub.publishIn(tx, CHANNEL, message)
  }

  /** Gives back what the processes that held it no longer extend, and keeps pg-boss's tables in order. */
  async #supervise(): Promise<void> {
    this.#tidiedAt = performance.now()
    await this.#boss
      .supervise()
      .catch((error) => this.#options.logger.warn({ err: error }, 'pg-boss could not tidy up'))
  }

  #nextDue(kinds: TaskKind[]) {
    return own.nextDue(this.#sql, kinds).catch((error) => {
      if (isDatabaseAway(error)) this.#awayAt = performance.now()
      throw error
    })
  }

  /** One deletion, and one commit, for all tasks of a kind that end while another such is under way. */
  #finisherOf(kind: TaskKind): InBatches<ClaimedTask, unknown> {
    let finisher = this.#finishers.get(kind)
    if (!finisher) {
      const finishAll = async (tasks: ClaimedTask[]) => {
        await this.#boss.deleteJob(kind, tasks.map(attemptOf))
        return tasks
      }
      this.#finishers.set(kind, (finisher = createBatches(finishAll, { largest: MOST_FINISHED_AT_ONCE })))
    }
    return finisher
  }
}

/** Fences the call to the attempt that holds the task. */
const attemptOf = ({ id, attempt }: ClaimedTask) => ({ id, retryCount: attempt - 1 })

/** Delay in seconds from the database's clock. */
const after = (delayMs: number) => (delayMs > 0 ? { startAfter: delayMs / 1000 } : {})

/** JSON of PostgreSQL can hold neither the character 0 nor half a character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
