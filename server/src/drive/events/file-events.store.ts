import type { Db } from '../../db.ts'
import type { StoredEventType } from '../drive.tables.ts'

export interface NumberedEvent {
  number: number
  type: StoredEventType
  dataSourceId: string
  otherFolderId: string | null
  createdAt: string
}

/** Numbers begin with the time, so that they rise even after all events were removed. */
export const NUMBERS_A_MS = 1_000
export const A_STEP = 500

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
