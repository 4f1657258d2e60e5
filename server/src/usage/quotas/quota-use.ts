import type { Db, Tx } from '../../db.ts'
import { periodOf } from '../days.ts'
import { sumBy } from '../usage.store.ts'
import { QuotaExceededError } from './quotas.errors.ts'
import { addToUse, findUse, insertUse, type QuotaRow, type QuotaUse } from './quotas.store.ts'

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
  quota: QuotaRow
  virtualUserId: string
}

/** Quotas of a workspace that hold for a query. A virtual user's own quota stands in for that of all. */
export function holdingFor(quotas: QuotaRow[], { keyId, virtualUserId }: Asker): Holding[] {
  const isOwn = ({ subject_type, subject_id }: QuotaRow) =>
    subject_type === 'virtual_user' && subject_id === virtualUserId
  return quotas
    .filter((quota) => {
      if (quota.subject_type === 'workspace') return true
      if (quota.subject_type === 'api_key') return quota.subject_id === keyId
      if (quota.subject_type === 'virtual_user') return isOwn(quota)
      return virtualUserId !== null && !quotas.some((other) => isOwn(other) && other.period === quota.period)
    })
    .map((quota) => ({ quota, virtualUserId: quota.subject_type === 'any_virtual_user' ? virtualUserId! : '' }))
}

const keyOf = ({ quota, virtualUserId }: Holding, period: string) => ({
  organizationId: quota.organization_id,
  quotaId: quota.id,
  virtualUserId,
  period,
})

/** Usage of the quota in the period of this time. */
export async function useOf(db: Db, holding: Holding, at: string): Promise<QuotaUse> {
  const { period } = periodOf(holding.quota.period, at)
  return (await findUse(db, holding.quota.organization_id, keyOf(holding, period))) ?? useBefore(db, holding, at)
}

/** Usage in the period before anybody counted for this quota. */
async function useBefore(db: Db, { quota, virtualUserId }: Holding, at: string): Promise<QuotaUse> {
  const { organization_id, workspace_id: workspaceId, subject_type, subject_id } = quota
  const { from, to } = periodOf(quota.period, at)
  const person = subject_type === 'virtual_user' ? subject_id : virtualUserId
  const range =
    subject_type === 'virtual_user' || subject_type === 'any_virtual_user'
      ? ({ kind: 'person_day', of: { virtual_user_id: person } } as const)
      : ({ kind: 'day', of: subject_type === 'api_key' ? { api_key_id: subject_id } : {} } as const)
  const sums = await sumBy(db, organization_id, 'period', { workspaceId, from, to, ...range })
  const use: QuotaUse = { messages: 0, tokens: 0, cost_micros: 0 }
  for (const sum of sums) {
    use.messages += sum.messages
    use.tokens += sum.input_tokens + sum.output_tokens
    use.cost_micros += sum.cost_micros
  }
  // A quota that was there when the period began counted every message when it was accepted, maybe the day before.
  return quota.created_at < from ? { ...use, messages: 0 } : use
}

/** Counts a message that is accepted. */
export async function countMessage(tx: Tx, holding: Holding, at: string): Promise<void> {
  const key = keyOf(holding, periodOf(holding.quota.period, at).period)
  const { numAffectedRows } = await addToUse(tx, { ...key, messages: 1, tokens: 0, cost_micros: 0 })
  if (numAffectedRows) return
  const before = await useBefore(tx, holding, at)
  await insertUse(tx, key.organizationId, key, { ...before, messages: before.messages + 1 })
}

/** Counts what a message used, once that stands in the sums; where nothing is counted yet the sums tell it later. */
export async function countUse(tx: Tx, holding: Holding, at: string, use: Omit<QuotaUse, 'messages'>): Promise<void> {
  const key = keyOf(holding, periodOf(holding.quota.period, at).period)
  await addToUse(tx, { ...key, messages: 0, ...use })
}

const SUBJECTS = {
  workspace: 'this workspace',
  api_key: 'this API key',
  virtual_user: 'this virtual user',
  any_virtual_user: 'this virtual user',
}

/** @throws QuotaExceededError when nothing of it is left. */
export function requireRoom(quota: QuotaRow, use: QuotaUse, at: string): void {
  const problem = usedUp(quota, use)
  if (!problem) return
  const { endsAt } = periodOf(quota.period, at)
  const whose = `The ${quota.period === 'day' ? 'daily' : 'monthly'} quota of ${SUBJECTS[quota.subject_type]}`
  throw new QuotaExceededError(
    `${whose} is used up: ${problem}. It begins anew at ${endsAt}`,
    (Date.parse(endsAt) - Date.parse(at)) / 1000,
  )
}

function usedUp(quota: QuotaRow, use: QuotaUse): string | undefined {
  const { max_messages, max_tokens, max_cost_micros } = quota
  const of = (used: number, most: number, what: string) => `${used} of ${most} ${what}`
  if (max_messages !== null && use.messages >= max_messages) return of(use.messages, max_messages, 'messages')
  if (max_tokens !== null && use.tokens >= max_tokens) return of(use.tokens, max_tokens, 'tokens')
  if (max_cost_micros !== null && use.cost_micros >= max_cost_micros)
    return of(use.cost_micros / 1_000_000, max_cost_micros / 1_000_000, 'US dollars')
  return undefined
}
