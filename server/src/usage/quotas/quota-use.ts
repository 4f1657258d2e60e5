import type { Db, Tx } from '../../db.ts'
import { periodOf } from '../days.ts'
import { sumBy } from '../usage.store.ts'
import { addToUse, findUse, insertUse, type QuotaUse } from './quota-use.store.ts'
import type { QuotaRecord } from './quotas.store.ts'

/** The key that asks, and the person on whose behalf. */
export interface Asker {
  organizationId: string
  workspaceId: string
  keyId: string | null
  /** Empty for somebody who was never seen before. */
  virtualUserId: string | null
}

/** A quota that holds for somebody, and the person whose use of it counts, where it is of any virtual user. */
interface Holding {
  quota: QuotaRecord
  virtualUserId: string
}

/** Quotas of a workspace that hold for a query. A virtual user's own quota stands in for that of all. */
export function holdingFor(quotas: QuotaRecord[], { keyId, virtualUserId }: Asker): Holding[] {
  const isOwn = ({ subjectType, subjectId }: QuotaRecord) =>
    subjectType === 'virtual_user' && subjectId === virtualUserId
  return quotas
    .filter((quota) => {
      if (quota.subjectType === 'workspace') return true
      if (quota.subjectType === 'api_key') return quota.subjectId === keyId
      if (quota.subjectType === 'virtual_user') return isOwn(quota)
      return virtualUserId !== null && !quotas.some((other) => isOwn(other) && other.period === quota.period)
    })
    .map((quota) => ({ quota, virtualUserId: quota.subjectType === 'any_virtual_user' ? virtualUserId! : '' }))
}

const keyOf = ({ quota, virtualUserId }: Holding, period: string) => ({
  organizationId: quota.organizationId,
  quotaId: quota.id,
  virtualUserId,
  period,
})

/** Usage of the quota in the period of this time. */
export async function findOrSumUse(db: Db, holding: Holding, at: string): Promise<QuotaUse> {
  const { period } = periodOf(holding.quota.period, at)
  return (await findUse(db, holding.quota.organizationId, keyOf(holding, period))) ?? useBefore(db, holding, at)
}

/** Usage in the period before anybody counted for this quota. */
async function useBefore(db: Db, { quota, virtualUserId }: Holding, at: string): Promise<QuotaUse> {
  const { organizationId, workspaceId, subjectType, subjectId } = quota
  const { from, to } = periodOf(quota.period, at)
  const person = subjectType === 'virtual_user' ? subjectId : virtualUserId
  const range =
    subjectType === 'virtual_user' || subjectType === 'any_virtual_user'
      ? ({ kind: 'person_day', of: { virtual_user_id: person } } as const)
      : ({ kind: 'day', of: subjectType === 'api_key' ? { api_key_id: subjectId } : {} } as const)
  const sums = await sumBy(db, organizationId, 'period', { workspaceId, from, to, ...range })
  const use: QuotaUse = { messages: 0, tokens: 0, cost_micros: 0 }
  for (const sum of sums) {
    use.messages += sum.messages
    use.tokens += sum.input_tokens + sum.output_tokens
    use.cost_micros += sum.cost_micros
  }
  // A quota that was there when the period began counted every message when it was accepted, maybe the day before.
  return quota.createdAt < from ? { ...use, messages: 0 } : use
}

/** Counts a message that is accepted. */
export async function countMessageInQuota(tx: Tx, holding: Holding, at: string): Promise<void> {
  const key = keyOf(holding, periodOf(holding.quota.period, at).period)
  const { numAffectedRows } = await addToUse(tx, { ...key, messages: 1, tokens: 0, cost_micros: 0 })
  if (numAffectedRows) return
  const before = await useBefore(tx, holding, at)
  await insertUse(tx, key.organizationId, key, { ...before, messages: before.messages + 1 })
}

/** Counts what a message used, once that is in the sums; where nothing is counted yet the sums tell it later. */
export async function countUse(tx: Tx, holding: Holding, at: string, use: Omit<QuotaUse, 'messages'>): Promise<void> {
  const key = keyOf(holding, periodOf(holding.quota.period, at).period)
  await addToUse(tx, { ...key, messages: 0, ...use })
}
