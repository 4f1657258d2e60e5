import type { Db } from '../../db.ts'

/** Names by ids; agents that were deleted have theirs, too. */
export async function findAgentNames(db: Db, organizationId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('agent')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
