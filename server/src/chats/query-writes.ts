import type { Db } from '../db.ts'
import { createBatches, type InBatches } from '../platform/batches.ts'
import { completeTogether, type PlainEnd } from './message-life.batches.store.ts'

const LARGEST_BATCH = 100

/**
 * Writes of an organization's queries at the same time, in one transaction: on PostgreSQL, where each would otherwise
 * pay for a transaction of its own, and all wait for each other at the sums that they add to. Two organizations never
 * share one. Nothing is tried again here: what a batch did not store is for the caller to store alone.
 */
export interface QueryWrites {
  /** @returns false for an end that is not stored, or that a batch stored whose commit nobody answered */
  end(organizationId: string, end: PlainEnd): Promise<boolean>
}

export function createQueryWrites(db: Db): QueryWrites {
  const ends = byOrganization((organizationId, batch: PlainEnd[]) => completeTogether(db, organizationId, batch))
  return {
    end: (organizationId, end) => ends(organizationId)(end).catch(() => false),
  }
}

function byOrganization<T, R>(run: (organizationId: string, items: T[]) => Promise<R[]>) {
  const all = new Map<string, InBatches<T, R>>()
  return (organizationId: string): InBatches<T, R> => {
    let batches = all.get(organizationId)
    if (!batches)
      all.set(organizationId, (batches = createBatches((items) => run(organizationId, items), LARGEST_BATCH)))
    return batches
  }
}
