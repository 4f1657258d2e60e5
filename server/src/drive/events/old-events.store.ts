import type { Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'

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
