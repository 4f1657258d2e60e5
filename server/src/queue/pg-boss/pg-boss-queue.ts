import type pg from 'pg'
import type { Tx, Writes } from '../../db.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import { createBatches, type InBatches } from '../../platform/concurrency/batches.ts'
import { isDatabaseAway } from '../../platform/database/errors.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { TaskKind } from '../catalog.ts'
import type { ClaimedTask, WorkedQueue } from '../queue.ts'
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
/** While the database was away nobody could show signs of life: two of them may pass before a lease counts as ended. */
const GRACE_MS = 6_000

/**
 * The queue in the PostgreSQL database, for any number of processes. Its time is the database's.
 * @throws DatabaseUnusableError when the role may not make pg-boss's schema
 */
export async function createPgBossQueue({ pool, writes, pubsub, logger }: PgBossQueueOptions): Promise<WorkedQueue> {
  const boss = await startBoss(pool, logger)
  const sql = boss.getDb()
  const told = new WeakMap<Tx, Set<string>>()
  let tidiedAt = 0
  let awayAt = Number.NEGATIVE_INFINITY

  /** Once a transaction for all tasks of a kind: workers claim as many as there are. */
  async function tell(tx: Tx, organizationId: string, kind: TaskKind, delayMs: number): Promise<void> {
    const message = JSON.stringify([kind, delayMs, organizationId])
    const messages = told.get(tx) ?? new Set()
    told.set(tx, messages)
    if (messages.has(message)) return
    messages.add(message)
    await pubsub.publishIn(tx, CHANNEL, message)
  }

  /** Gives back what the processes that held it no longer extend, and keeps pg-boss's tables in order. */
  async function supervise(): Promise<void> {
    tidiedAt = performance.now()
    await boss.supervise().catch((error) => logger.warn({ err: error }, 'pg-boss could not tidy up'))
  }

  const nextDue = (kinds: TaskKind[]) =>
    own.nextDue(sql, kinds).catch((error) => {
      if (isDatabaseAway(error)) awayAt = performance.now()
      throw error
    })

  const finishers = new Map<TaskKind, InBatches<ClaimedTask, unknown>>()

  /** One deletion, and one commit, for all tasks of a kind that end while another such is under way. */
  function finisherOf(kind: TaskKind): InBatches<ClaimedTask, unknown> {
    let finisher = finishers.get(kind)
    if (!finisher) {
      const finishAll = async (tasks: ClaimedTask[]) => {
        await boss.deleteJob(kind, tasks.map(attemptOf))
        return tasks
      }
      finishers.set(kind, (finisher = createBatches(finishAll, { largest: MOST_FINISHED_AT_ONCE })))
    }
    return finisher
  }

  return {
    longestSleepMs: LONGEST_SLEEP_MS,

    async enqueue(tx, organizationId, kind, payload, { delayMs = 0 } = {}) {
      const data: JobData = { organizationId, payload }
      await boss.send(kind, data, { ...after(delayMs), group: { id: organizationId }, db: sqlIn(tx) })
      await tell(tx, organizationId, kind, delayMs)
    },

    async enqueueAll(tx, organizationId, kind, payloads) {
      if (payloads.length === 0) return
      const group = { id: organizationId }
      const jobs = payloads.map((payload) => ({ data: { organizationId, payload } satisfies JobData, group }))
      await boss.insert(kind, jobs, { db: sqlIn(tx) })
      await tell(tx, organizationId, kind, 0)
    },

    onEnqueued: (listener) =>
      pubsub.subscribe(CHANNEL, (message) =>
        listener(...(JSON.parse(message) as [TaskKind, number, string | undefined])),
      ),

    async claim(kind, limit, except) {
      const jobs = await boss.fetch<JobData>(kind, { batchSize: limit, ...(except && { ignoreGroups: except }) })
      return jobs.map(({ id, data, retryCount }) => ({ id, kind, ...data, attempt: retryCount + 1 }))
    },

    async extend(tasks) {
      const kinds = Map.groupBy(tasks, ({ kind }) => kind)
      const ofKinds = await Promise.all(
        [...kinds].map(async ([kind, held]) => {
          const { settled } = changedBy(await boss.touch(kind, held.map(attemptOf)))
          const ours = new Set(settled)
          // A worker may have lost a task and taken it again: only the later attempt can be meant.
          const latest = new Map(held.toSorted((a, b) => a.attempt - b.attempt).map((task) => [task.id, task]))
          return held.filter((task) => !ours.has(task.id) || latest.get(task.id) !== task)
        }),
      )
      return ofKinds.flat()
    },

    isHeld: (tx, task) => own.isHeld(sqlIn(tx), task),

    // Again alone, with the patience of its own worker: the batch had that of whoever came first.
    async finish(task) {
      await finisherOf(task.kind)(task).catch(() => boss.deleteJob(task.kind, attemptOf(task)))
    },

    async finishIn(tx, task) {
      await boss.deleteJob(task.kind, attemptOf(task), { db: sqlIn(tx) })
    },

    retry: (task, error, delayMs) =>
      writes.commit(async (tx) => {
        const db = sqlIn(tx)
        const failed = await boss.fail(task.kind, attemptOf(task), { message: storable(error) }, { db })
        if (changedBy(failed).affected > 0)
          await boss.update(task.kind, undefined, { id: task.id, ...after(delayMs), db })
      }),

    bury: (task, error) =>
      writes.commit(async (tx) => {
        const db = sqlIn(tx)
        const job = await boss.getJobById(task.kind, task.id, { db })
        const deleted = await boss.deleteJob(task.kind, attemptOf(task), { db })
        if (!job || changedBy(deleted).affected === 0) return
        const { kind, organizationId, payload, attempt } = task
        const createdAt = job.createdOn.toISOString()
        const data: DeadData = { kind, organizationId, payload, attempt, error: storable(error), createdAt }
        await boss.send(DEAD, data, { group: { id: organizationId }, db })
      }),

    release: (task) => own.release(sql, task),

    async due(kinds) {
      if (performance.now() - tidiedAt > TIDY_EVERY_MS) await supervise()
      let rows = await nextDue(kinds)
      if (rows.some(({ leaseMs }) => leaseMs !== null && leaseMs < 0) && performance.now() - awayAt > GRACE_MS) {
        await supervise()
        rows = await nextDue(kinds)
      }
      return rows.flatMap(({ kind, waitingMs, leaseMs }) => [
        ...(waitingMs === null ? [] : [{ kind, inMs: waitingMs }]),
        // A lease that has ended is being given back by another process.
        ...(leaseMs === null ? [] : [{ kind, inMs: leaseMs < 0 ? 1_000 : leaseMs + 1 }]),
      ])
    },

    count: () => own.count(sql),

    listLive: (kind) => own.listLive(sql, kind),

    listDead: (organizationId) => own.listDead(sql, organizationId),

    reviveDead: (organizationId) =>
      writes.commit(async (tx) => {
        const db = sqlIn(tx)
        const dead = await own.takeDead(db, organizationId)
        if (dead.length === 0) return 0
        for (const [kind, ofKind] of Map.groupBy(dead, ({ data }) => data.kind)) {
          const group = { id: organizationId }
          await boss.insert(
            kind,
            ofKind.map(({ data: { payload } }) => ({ data: { organizationId, payload }, group })),
            { db },
          )
          await tell(tx, organizationId, kind, 0)
        }
        await boss.deleteJob(
          DEAD,
          dead.map(({ id }) => id),
          { db },
        )
        return dead.length
      }),

    close: () => boss.stop({ graceful: false }),
  }
}

/** Fences the call to the attempt that holds the task. */
const attemptOf = ({ id, attempt }: ClaimedTask) => ({ id, retryCount: attempt - 1 })

/** In seconds from the database's now. */
const after = (delayMs: number) => (delayMs > 0 ? { startAfter: delayMs / 1000 } : {})

/** JSON of PostgreSQL can hold neither the character 0 nor half a character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
