import type { Db, Writes } from '../db.ts'
import type { Clock } from '../platform/clock.ts'
import type { PubSub } from '../platform/cluster/pubsub/pubsub.ts'
import { followOthers } from '../platform/database/sqlite/follow-others.ts'
import type { NewId } from '../platform/ids.ts'
import type { TaskKind } from './catalog.ts'
import {
  claimTasks,
  claimTasksBeside,
  countTasks,
  extendLease,
  finishTask,
  insertTask,
  isHeld,
  listDeadTasks,
  listLivePayloads,
  nextDue,
  releaseTask,
  returnTask,
  reviveDeadTasks,
} from './queue.store.ts'
import { LEASE_MS, type WorkedQueue } from './queue.ts'

export interface TableQueueOptions {
  db: Db
  writes: Writes
  newId: NewId
  clock: Clock
  pubsub: PubSub
}

const CHANNEL = 'queue'
/** A later time: a subscriber then looks at all kinds. */
const SOON_MS = 1

/** The queue in a table beside all others, for one server process. */
export function createTableQueue({ db, writes, newId, clock, pubsub }: TableQueueOptions): WorkedQueue {
  const isoIn = (ms: number) => new Date(clock().getTime() + ms).toISOString()
  const enqueue: WorkedQueue['enqueue'] = async (tx, organizationId, kind, payload, { delayMs = 0 } = {}) => {
    await insertTask(tx, organizationId, {
      id: newId(),
      kind,
      payload: JSON.stringify(payload),
      runAt: isoIn(delayMs),
      createdAt: isoIn(0),
    })
    await pubsub.publishIn(tx, CHANNEL, JSON.stringify([kind, delayMs, organizationId]))
  }
  return {
    longestSleepMs: 60_000,
    enqueue,
    async enqueueAll(tx, organizationId, kind, payloads) {
      for (const payload of payloads) await enqueue(tx, organizationId, kind, payload)
    },
    onEnqueued(listener) {
      const unsubscribe = pubsub.subscribe(CHANNEL, (message) =>
        listener(...(JSON.parse(message) as [TaskKind, number, string])),
      )
      const stop = followOthers(db, () => listener('retrieval.mend', SOON_MS))
      return () => {
        unsubscribe()
        stop()
      }
    },
    async claim(kind, limit, except) {
      const claimed = await writes.commit((tx) => {
        const claim = { kind, limit, now: isoIn(0), leaseUntil: isoIn(LEASE_MS) }
        return except ? claimTasksBeside(tx, { ...claim, except }) : claimTasks(tx, claim)
      })
      return claimed.map((task) => ({ ...task, kind, payload: JSON.parse(task.payload) }))
    },
    async extend(tasks) {
      // All at once, so that they share one disk flush.
      const areOurs = await Promise.all(
        tasks.map((task) =>
          writes.commit((tx) => extendLease(tx, task.organizationId, task, isoIn(LEASE_MS))).catch(() => true),
        ),
      )
      return tasks.filter((_, index) => !areOurs[index])
    },
    isHeld: (tx, task) => isHeld(tx, task.organizationId, task),
    finish: (task) => writes.commit((tx) => finishTask(tx, task.organizationId, task)),
    finishIn: (tx, task) => finishTask(tx, task.organizationId, task),
    retry: (task, error, delayMs) =>
      writes.commit((tx) => returnTask(tx, task.organizationId, task, { runAt: isoIn(delayMs), error })),
    bury: (task, error) =>
      writes.commit((tx) => returnTask(tx, task.organizationId, task, { runAt: undefined, error })),
    release: (task) => writes.commit((tx) => releaseTask(tx, task.organizationId, task)),
    async due(kinds) {
      const now = clock().getTime()
      return (await nextDue(db, kinds)).map(({ kind, at }) => ({ kind, inMs: Date.parse(at) - now }))
    },
    async count() {
      const now = clock().getTime()
      return (await countTasks(db)).map(({ firstRunAt, ...row }) => ({
        ...row,
        dueForMs: now - Date.parse(firstRunAt),
      }))
    },
    listLive: async (kind) => (await listLivePayloads(db, kind)).map((payload) => JSON.parse(payload)),
    listDead: (organizationId) => listDeadTasks(db, organizationId),
    reviveDead: (organizationId) => writes.commit((tx) => reviveDeadTasks(tx, organizationId, isoIn(0))),
    async close() {},
  }
}
