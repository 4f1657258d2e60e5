import type { Db, Tx, Writes } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import type { StoredEventType } from '../drive.tables.ts'

export interface NumberedEvent {
  number: number
  type: StoredEventType
  dataSourceId: string
  otherFolderId: string | null
  createdAt: string
}

/** Numbers begin with the time, so that they rise even after all events were removed. */
const NUMBERS_A_MS = 1_000
const A_STEP = 500

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

/** Whether no event after this number was removed, as far as that can be told. */
export async function isUnbroken(db: Db, organizationId: string, after: number): Promise<boolean> {
  const oldest = await db
    .selectFrom('file_event')
    .select('number')
    .where('organization_id', '=', organizationId)
    .where('number', 'is not', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return oldest !== undefined && oldest.number! <= after
}

/** Events of a folder after a number, in their order. */
export async function listEvents(
  db: Db,
  organizationId: string,
  folderId: string,
  { after, limit }: { after: number; limit: number },
): Promise<NumberedEvent[]> {
  const rows = await db
    .selectFrom('file_event')
    .select(['number', 'type', 'data_source_id', 'other_folder_id', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    number: row.number!,
    type: row.type,
    dataSourceId: row.data_source_id,
    otherFolderId: row.other_folder_id,
    createdAt: row.created_at,
  }))
}

/** Removes events from before a time, or beyond the newest `most` of an organization. @returns how many */
export async function removeOldEvents(
  tx: Tx,
  { before, most, limit }: { before: string; most: number; limit: number },
): Promise<number> {
  const all = acrossOrganizations(tx)
  const old = await all
    .selectFrom('file_event')
    .select(['id', 'organization_id as organizationId'])
    .where('created_at', '<', before)
    .limit(limit)
    .execute()
  if (old.length === 0) {
    const many = await all
      .selectFrom('file_event')
      .select((eb) => ['organization_id as organizationId', eb.fn.countAll<number>().as('count')])
      .groupBy('organization_id')
      .having((eb) => eb.fn.countAll(), '>', most)
      .execute()
    for (const { organizationId, count } of many) {
      const room = limit - old.length
      if (room <= 0) break
      const oldest = await tx
        .selectFrom('file_event')
        .select(['id', 'organization_id as organizationId'])
        .where('organization_id', '=', organizationId)
        .orderBy('created_at')
        .orderBy('id')
        .limit(Math.min(room, Number(count) - most))
        .execute()
      old.push(...oldest)
    }
  }
  for (const [organizationId, events] of Map.groupBy(old, (event) => event.organizationId)) {
    const ids = events.map(({ id }) => id)
    await tx.deleteFrom('file_event').where('organization_id', '=', organizationId).where('id', 'in', ids).execute()
  }
  return old.length
}
