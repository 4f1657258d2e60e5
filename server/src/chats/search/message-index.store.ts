import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import { insertIndexed } from '../../platform/database/text-index.ts'

/** Some messages, of all organizations, that ended and are not in the index. */
export const listUnindexed = (db: Db, limit: number) =>
  acrossOrganizations(db)
    .selectFrom('message_unindexed')
    .select(['organization_id as organizationId', 'message_id as id'])
    .limit(limit)
    .execute()

/** Puts messages into the index; those that have not ended leave the line, and come again with their end. */
export async function indexMessages(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  // Locked, those in progress, too: one that ended meanwhile would leave the line without being indexed.
  const messages = await tx
    .selectFrom('message')
    .select(['id', 'chat_id', 'status', 'query', 'response'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .forShare()
    .execute()
  for (const { id, chat_id, status, query, response } of messages) {
    if (status !== 'completed') continue
    const row = { organization_id: organizationId, message_id: id, chat_id }
    await insertIndexed(tx, 'message_search', row, { text: `${query}\n${response}`, group: organizationId })
  }
  await tx
    .deleteFrom('message_unindexed')
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', ids)
    .execute()
}

/** Rows of the index that one statement goes through on the embedded database, which lets nothing else in meanwhile. */
export const IN_THREAD = 5_000
