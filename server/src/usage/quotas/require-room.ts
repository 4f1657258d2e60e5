import { periodOf } from '../days.ts'
import type { QuotaUse } from './quota-use.store.ts'
import { QuotaExceededError } from './quotas.errors.ts'
import type { QuotaRecord } from './quotas.store.ts'

const SUBJECTS = {
  workspace: 'this workspace',
  api_key: 'this API key',
  virtual_user: 'this virtual user',
  any_virtual_user: 'this virtual user',
}

/** @throws QuotaExceededError when nothing of it is left. */
export function requireRoom(quota: QuotaRecord, use: QuotaUse, at: string): void {
  const problem = usedUp(quota, use)
  if (!problem) return
  const { endsAt } = periodOf(quota.period, at)
  const whose = `The ${quota.period === 'day' ? 'daily' : 'monthly'} quota of ${SUBJECTS[quota.subjectType]}`
  throw new QuotaExceededError(
    `${whose} is used up: ${problem}. It begins anew at ${endsAt}`,
    (Date.parse(endsAt) - Date.parse(at)) / 1000,
  )
}

function usedUp(quota: QuotaRecord, use: QuotaUse): string | undefined {
  const { maxMessages, maxTokens, maxCostMicros } = quota
  const of = (used: number, most: number, what: string) => `${used} of ${most} ${what}`
  if (maxMessages !== null && use.messages >= maxMessages) return of(use.messages, maxMessages, 'messages')
  if (maxTokens !== null && use.tokens >= maxTokens) return of(use.tokens, maxTokens, 'tokens')
  if (maxCostMicros !== null && use.cost_micros >= maxCostMicros)
    return of(use.cost_micros / 1_000_000, maxCostMicros / 1_000_000, 'US dollars')
  return undefined
}
