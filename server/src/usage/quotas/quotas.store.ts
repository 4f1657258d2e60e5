import type { Insertable, Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/prepared.ts'
import type { QuotaTable, QuotaUseTable } from '../usage.tables.ts'

export type QuotaRow = Selectable<QuotaTable>
export type QuotaUse = Pick<QuotaUseTable, 'messages' | 'tokens' | 'cost_micros'>

/** Sets the quota of its subject and period, whether there was one before or not. */
export async function upsertQuota(tx: Tx, organizationId: string, quota: Insertable<QuotaTable>): Promise<QuotaRow> {
  return tx
    .insertInto('quota')
    .values({ ...quota, organization_id: organizationId })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'workspace_id', 'subject_type', 'subject_id', 'period']).doUpdateSet({
        max_messages: quota.max_messages,
        max_tokens: quota.max_tokens,
        max_cost_micros: quota.max_cost_micros,
        updated_at: quota.updated_at,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

const ofWorkspace = (db: Db, organizationId: string, workspaceId: string) =>
  db.selectFrom('quota').where('organization_id', '=', organizationId).where('workspace_id', '=', workspaceId)

/** All of a workspace, oldest first. */
export const allQuotas = (db: Db, organizationId: string, workspaceId: string): Promise<QuotaRow[]> =>
  ofWorkspace(db, organizationId, workspaceId).selectAll().orderBy('id').execute()

/** One page, newest first, and how many there are in all. */
export async function listQuotas(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ quotas: QuotaRow[]; total: number }> {
  const all = ofWorkspace(db, organizationId, workspaceId)
  const quotas = await all.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { quotas, total: Number(total) }
}

/** With what was counted of it. @returns what it was, undefined when the workspace has none by this id. */
export async function deleteQuota(tx: Tx, organizationId: string, workspaceId: string, id: string) {
  const deleted = await tx
    .deleteFrom('quota')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!deleted) return undefined
  await tx.deleteFrom('quota_use').where('organization_id', '=', organizationId).where('quota_id', '=', id).execute()
  return deleted
}

/** Key of a quota's counter in a period: a virtual user where it holds for each, else its subject. */
export interface UseKey {
  organizationId: string
  quotaId: string
  /** Empty where the quota is not of any virtual user. */
  virtualUserId: string
  period: string
}

const useByKey = prepared<Tables, UseKey, QuotaUse>((db, { organizationId, quotaId, virtualUserId, period }) =>
  db
    .selectFrom('quota_use')
    .select(['messages', 'tokens', 'cost_micros'])
    .where('organization_id', '=', organizationId)
    .where('quota_id', '=', quotaId)
    .where('virtual_user_id', '=', virtualUserId)
    .where('period', '=', period),
)

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

/** The person's own quotas, and what they used of those that hold for everybody. */
export async function deleteQuotasOf(tx: Tx, organizationId: string, virtualUserId: string): Promise<void> {
  await tx
    .deleteFrom('quota')
    .where('organization_id', '=', organizationId)
    .where('subject_type', '=', 'virtual_user')
    .where('subject_id', '=', virtualUserId)
    .execute()
  await tx
    .deleteFrom('quota_use')
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .execute()
}
