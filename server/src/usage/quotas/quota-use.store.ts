import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { QuotaUseTable } from '../usage.tables.ts'
import { useByKey } from './quotas.store.ts'

export type QuotaUse = Pick<QuotaUseTable, 'messages' | 'tokens' | 'cost_micros'>

/** Key of a quota's counter in a period: a virtual user where it holds for each, else its subject. */
export interface UseKey {
  organizationId: string
  quotaId: string
  /** Empty where the quota is not of any virtual user. */
  virtualUserId: string
  period: string
}

export async function findUse(
  db: Db,
  organizationId: string,
  key: Omit<UseKey, 'organizationId'>,
): Promise<QuotaUse | undefined> {
  const use = (await useByKey(db, { ...key, organizationId })).rows[0]
  return use && { messages: Number(use.messages), tokens: Number(use.tokens), cost_micros: Number(use.cost_micros) }
}

/** Begins to count in a period; what was counted in earlier ones is forgotten. */
export async function insertUse(
  tx: Tx,
  organizationId: string,
  key: Omit<UseKey, 'organizationId'>,
  use: QuotaUse,
): Promise<void> {
  const { quotaId, virtualUserId, period } = key
  await tx
    .deleteFrom('quota_use')
    .where('organization_id', '=', organizationId)
    .where('quota_id', '=', quotaId)
    .where('virtual_user_id', '=', virtualUserId)
    .where('period', '<', period)
    .execute()
  await tx
    .insertInto('quota_use')
    .values({ organization_id: organizationId, quota_id: quotaId, virtual_user_id: virtualUserId, period, ...use })
    .execute()
}

/** Adds to what was used. Where nothing is counted yet it changes nothing. */
export const addToUse = prepared<Tables, UseKey & QuotaUse, unknown>((db, use) =>
  db
    .updateTable('quota_use')
    .set((row) => ({
      messages: row('messages', '+', use.messages),
      tokens: row('tokens', '+', use.tokens),
      cost_micros: row('cost_micros', '+', use.cost_micros),
    }))
    .where('organization_id', '=', use.organizationId)
    .where('quota_id', '=', use.quotaId)
    .where('virtual_user_id', '=', use.virtualUserId)
    .where('period', '=', use.period),
)

/** Adds what a person used of quotas that hold for everybody to the counters of another one, where these count already. */
export async function moveUse(tx: Tx, organizationId: string, fromId: string, toId: string): Promise<void> {
  const used = await tx
    .selectFrom('quota_use')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', fromId)
    .orderBy('quota_id')
    .execute()
  for (const { quota_id: quotaId, period, ...use } of used) {
    const amounts = { messages: Number(use.messages), tokens: Number(use.tokens), cost_micros: Number(use.cost_micros) }
    await addToUse(tx, { organizationId, quotaId, virtualUserId: toId, period, ...amounts })
  }
}
