import type { Db, Writes } from '../../db.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { A_STEP, NUMBERS_A_MS } from './file-events.store.ts'

/**
 * Gives committed events their numbers. Done by those who read, under a lock: an event whose transaction ends late gets
 * a higher number than all that were read before, so nobody who goes by the numbers misses one.
 */
export async function numberEvents(db: Db, organizationId: string, writes: Writes, nowMs: number): Promise<void> {
  const unnumbered = (at: Db) =>
    at
      .selectFrom('file_event')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('number', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .limit(A_STEP)
      .execute()
  for (;;) {
    if ((await unnumbered(db)).length === 0) return
    await writes.commit(async (tx) => {
      await takeAdvisoryLock(tx, 'file events', organizationId)
      const events = await unnumbered(tx)
      const newest = (await newestNumber(tx, organizationId)) ?? 0
      const first = Math.max(newest + 1, nowMs * NUMBERS_A_MS)
      for (const [at, { id }] of events.entries())
        await tx
          .updateTable('file_event')
          .set({ number: first + at })
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .execute()
    })
  }
}

export async function newestNumber(db: Db, organizationId: string): Promise<number | null> {
  const row = await db
    .selectFrom('file_event')
    .select('number')
    .where('organization_id', '=', organizationId)
    .where('number', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.number ?? null
}

/** Number after which nothing is missing now: of the newest event, or of this moment. */
export const currentNumber = async (db: Db, organizationId: string, nowMs: number): Promise<number> =>
  (await newestNumber(db, organizationId)) ?? nowMs * NUMBERS_A_MS
