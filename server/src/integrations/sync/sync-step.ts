import type { Tx, Writes } from '../../db.ts'

/** A later sync was asked for, or the integration is gone: this one must write nothing more. */
export class SupersededError extends Error {
  override name = 'SupersededError'
}

/** Commits one write of a sync. @throws SupersededError when the sync no longer counts; nothing is written then. */
export type SyncStep = <R>(write: (tx: Tx) => Promise<R>) => Promise<R>

/** @param isCurrent asked in the transaction of each write */
export const createSyncStep =
  (writes: Writes, isCurrent: (tx: Tx) => Promise<boolean>): SyncStep =>
  async (write) => {
    const outcome = await writes.commit(async (tx) => ((await isCurrent(tx)) ? { value: await write(tx) } : undefined))
    if (!outcome) throw new SupersededError()
    return outcome.value
  }
