import type { z } from 'zod'
import type { Tx } from '../db.ts'
import type { Clock } from '../platform/clock.ts'
import type { NewId } from '../platform/ids.ts'
import type { PayloadOf, TaskKind } from './catalog.ts'
import { insertTask } from './queue.store.ts'

export interface SettingsOfKind {
  payload: z.ZodType
  maxAttempts: number
  /** At once, in one process. */
  concurrency: number
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
  /** Calls back soon after tasks of this process may have become due. @returns a function that ends it. */
  onEnqueued(listener: (kind: TaskKind) => void): () => void
}

export function createQueue({ newId, clock }: { newId: NewId; clock: Clock }): Queue {
  const listeners = new Set<(kind: TaskKind) => void>()
  return {
    async enqueue(tx, organizationId, kind, payload, { delayMs = 0 } = {}) {
      const now = clock()
      await insertTask(tx, organizationId, {
        id: newId(),
        kind,
        payload: JSON.stringify(payload),
        runAt: new Date(now.getTime() + delayMs).toISOString(),
        createdAt: now.toISOString(),
      })
      // The worker's claim waits for the connection, hence for the end of this transaction.
      setImmediate(() => {
        for (const listener of listeners) listener(kind)
      })
    },
    onEnqueued(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
