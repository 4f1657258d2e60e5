import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { VisitorUseTable } from '../access.tables.ts'

type UseRow = Selectable<VisitorUseTable>
export type Use = Pick<UseRow, 'files' | 'bytes' | 'chats'>
/** Key of the row in which something is counted. */
export type UseKey = Pick<UseRow, 'link_id' | 'subject' | 'day'>

export async function findUse(db: Db, organizationId: string, { link_id, subject, day }: UseKey): Promise<Use> {
  const row = await db
    .selectFrom('visitor_use')
    .select(['files', 'bytes', 'chats'])
    .where('organization_id', '=', organizationId)
    .where('link_id', '=', link_id)
    .where('subject', '=', subject)
    .where('day', '=', day)
    .executeTakeFirst()
  return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0), chats: Number(row?.chats ?? 0) }
}

/** Adds to what was used; less than nothing gives back. */
export async function addUse(tx: Tx, organizationId: string, place: UseKey, use: Use): Promise<void> {
  await tx
    .insertInto('visitor_use')
    .values({ organization_id: organizationId, ...place, ...use })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'link_id', 'subject', 'day']).doUpdateSet(({ eb, ref }) => ({
        files: eb(ref('visitor_use.files'), '+', use.files),
        bytes: eb(ref('visitor_use.bytes'), '+', use.bytes),
        chats: eb(ref('visitor_use.chats'), '+', use.chats),
      })),
    )
    .execute()
}

/** Finds rows from before a day, in all organizations. */
export const listOldUse = (db: Db, day: string, limit: number): Promise<(UseKey & { organization_id: string })[]> =>
  acrossOrganizations(db)
    .selectFrom('visitor_use')
    .select(['organization_id', 'link_id', 'subject', 'day'])
    .where('day', '<', day)
    .limit(limit)
    .execute()

export async function deleteUse(tx: Tx, organizationId: string, { link_id, subject, day }: UseKey): Promise<void> {
  await tx
    .deleteFrom('visitor_use')
    .where('organization_id', '=', organizationId)
    .where('link_id', '=', link_id)
    .where('subject', '=', subject)
    .where('day', '=', day)
    .execute()
}
