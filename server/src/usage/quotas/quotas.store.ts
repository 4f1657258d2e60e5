import type { Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { QuotaTable } from '../usage.tables.ts'
import type { QuotaUse, UseKey } from './quota-use.store.ts'

export interface QuotaRecord {
  id: string
  organizationId: string
  workspaceId: string
  subjectType: QuotaTable['subject_type']
  /** Empty for a workspace and for any virtual user. */
  subjectId: string
  period: QuotaTable['period']
  maxMessages: number | null
  maxTokens: number | null
  maxCostMicros: number | null
  createdAt: string
  updatedAt: string
}

/** PostgreSQL gives large numbers as text. */
const numberOf = (value: number | null): number | null => (value === null ? null : Number(value))

const toRecord = (row: Selectable<QuotaTable>): QuotaRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  subjectType: row.subject_type,
  subjectId: row.subject_id,
  period: row.period,
  maxMessages: numberOf(row.max_messages),
  maxTokens: numberOf(row.max_tokens),
  maxCostMicros: numberOf(row.max_cost_micros),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Sets the quota of its subject and period, whether there was one before or not. */
export async function upsertQuota(
  tx: Tx,
  organizationId: string,
  quota: Omit<QuotaRecord, 'organizationId'>,
): Promise<QuotaRecord> {
  const limits = {
    max_messages: quota.maxMessages,
    max_tokens: quota.maxTokens,
    max_cost_micros: quota.maxCostMicros,
    updated_at: quota.updatedAt,
  }
  const stored = await tx
    .insertInto('quota')
    .values({
      id: quota.id,
      organization_id: organizationId,
      workspace_id: quota.workspaceId,
      subject_type: quota.subjectType,
      subject_id: quota.subjectId,
      period: quota.period,
      created_at: quota.createdAt,
      ...limits,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'workspace_id', 'subject_type', 'subject_id', 'period']).doUpdateSet(limits),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRecord(stored)
}

const ofWorkspace = (db: Db, organizationId: string, workspaceId: string) =>
  db.selectFrom('quota').where('organization_id', '=', organizationId).where('workspace_id', '=', workspaceId)

/** All of a workspace, oldest first. */
export async function listAllQuotas(db: Db, organizationId: string, workspaceId: string): Promise<QuotaRecord[]> {
  const rows = await ofWorkspace(db, organizationId, workspaceId).selectAll().orderBy('id').execute()
  return rows.map(toRecord)
}

/** One page, newest first, and how many there are in all. */
export async function listQuotas(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ quotas: QuotaRecord[]; total: number }> {
  const all = ofWorkspace(db, organizationId, workspaceId)
  const quotas = await all.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { quotas: quotas.map(toRecord), total: Number(total) }
}

/** Deletes a quota with its counts. @returns what it was, undefined when the workspace has none by this id. */
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
  return toRecord(deleted)
}

export const useByKey = prepared<Tables, UseKey, QuotaUse>((db, { organizationId, quotaId, virtualUserId, period }) =>
  db
    .selectFrom('quota_use')
    .select(['messages', 'tokens', 'cost_micros'])
    .where('organization_id', '=', organizationId)
    .where('quota_id', '=', quotaId)
    .where('virtual_user_id', '=', virtualUserId)
    .where('period', '=', period),
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
