import type { z } from 'zod'
import type { Tx } from '../db.ts'
import type { PayloadOf, TaskKind } from './catalog.ts'

export interface SettingsOfKind {
  payload: z.ZodType
  maxAttempts: number
  /** Number of tasks at once, in one process. */
  concurrency: number
  /**
   * Whether organizations share the slots: while others wait, none takes more than half of them, and those that wait get
   * slots beyond if one holds more.
   */
  isShared?: boolean
}

/** Hands work to the background, durably: a task exists if and only if the transaction that enqueued it committed. */
export interface Queue {
  enqueue<K extends TaskKind>(
    tx: Tx,
    organizationId: string,
    kind: K,
    payload: PayloadOf<K>,
    options?: { delayMs?: number },
  ): Promise<void>
  /** Enqueues many, which are due at once. */
  enqueueAll<K extends TaskKind>(tx: Tx, organizationId: string, kind: K, payloads: PayloadOf<K>[]): Promise<void>
}

/** Time for which a claim holds unless it is extended. */
export const LEASE_MS = 12_000

/** One attempt at a task, which holds it for `LEASE_MS` after it was claimed or extended. */
export interface ClaimedTask {
  id: string
  kind: TaskKind
  organizationId: string
  payload: unknown
  /** Raised at each claim, from 1: who holds an older number must write nothing more. */
  attempt: number
}

export interface DeadTask {
  id: string
  kind: string
  /** JSON */
  payload: string
  /** How often it was tried. */
  attempt: number
  last_error: string | null
  /** ISO time */
  created_at: string
}

export interface TaskCount {
  kind: string
  state: 'waiting' | 'running' | 'dead'
  count: number
  /** Time for which the longest-waiting task has been due; negative while none is. */
  dueForMs: number
}

/**
 * A queue with what its workers and its operators need. Each call is a transaction of its own, but for those that are
 * given one.
 */
export interface WorkedQueue extends Queue {
  /**
   * Calls back soon after tasks were committed that are due in `delayMs`, by any process. It may miss some: workers ask
   * `due` now and then.
   * @returns a function that ends it.
   */
  onEnqueued(listener: (kind: TaskKind, delayMs: number, organizationId?: string) => void): () => void
  /** How long a worker may sleep without having asked `due`. */
  longestSleepMs: number
  /**
   * Takes up to `limit` tasks that are due, or whose holder let the lease run out, of all organizations; of
   * kinds that are shared, of all organizations but these. Then those of holders that are gone may be left to later.
   */
  claim(kind: TaskKind, limit: number, except?: string[]): Promise<ClaimedTask[]>
  /** Keeps them for another `LEASE_MS`. @returns those that another attempt has taken over. */
  extend(tasks: ClaimedTask[]): Promise<ClaimedTask[]>
  /** Whether this attempt still holds the task, and does until the end of this transaction. */
  isHeld(tx: Tx, task: ClaimedTask): Promise<boolean>
  /** The task is done and gone. Like what follows, it does nothing when another attempt has taken over. */
  finish(task: ClaimedTask): Promise<void>
  /** Finishes the task in the transaction that stores its result. */
  finishIn(tx: Tx, task: ClaimedTask): Promise<void>
  /** Puts a failed task back until `delayMs` from now. */
  retry(task: ClaimedTask, error: string, delayMs: number): Promise<void>
  /** Puts a failed task among the dead, which nobody tries again before an operator revives them. */
  bury(task: ClaimedTask, error: string): Promise<void>
  /** Puts a task back that its holder let go of without having failed: the attempt does not count. */
  release(task: ClaimedTask): Promise<void>
  /** Time in ms until the first task of each of these kinds is due, or its lease ends: 0 or less for now. */
  due(kinds: TaskKind[]): Promise<{ kind: TaskKind; inMs: number }[]>
  /** All tasks, by kind and state. */
  count(): Promise<TaskCount[]>
  /** Payloads of a kind's waiting and running tasks, of all organizations. */
  listLive<K extends TaskKind>(kind: K): Promise<PayloadOf<K>[]>
  /** Tasks that have failed and are not tried again, newest first. */
  listDead(organizationId: string): Promise<DeadTask[]>
  /** Gives dead tasks all their attempts again. @returns how many. */
  reviveDead(organizationId: string): Promise<number>
  /** Lets go of what the queue holds; the database stays open. */
  close(): Promise<void>
}
