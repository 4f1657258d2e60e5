import { z } from 'zod'
import { listOf, ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import { AttributionEmail } from '../../users/users.ts'
import { periodOf } from '../days.ts'
import type { QuotaUse } from './quota-use.store.ts'
import type { QuotaRecord } from './quotas.store.ts'

const MICROS = 1_000_000

const limit = (schema: z.ZodNumber, description: string) => schema.nullable().default(null).meta({ description })
const count = z.number().int('must be a whole number').min(0, 'must not be negative').max(1_000_000_000_000)
const dollars = z.number().min(0, 'must not be negative').max(1_000_000_000)

const Subject = z
  .strictObject({
    type: z.enum(['workspace', 'api_key', 'virtual_user', 'any_virtual_user']),
    id: z.string().optional().meta({ description: 'Id of the API key or the virtual user' }),
    email: AttributionEmail.optional().meta({ description: 'E-mail of the virtual user, instead of its id' }),
  })
  .superRefine(({ type, id, email }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (type === 'api_key' && id === undefined) refuse('id', 'must be the id of an API key')
    if (type === 'virtual_user' && (id === undefined) === (email === undefined))
      refuse('id', 'must be the id of a virtual user, or email its e-mail: one of the two')
    if (type !== 'virtual_user' && email !== undefined) refuse('email', 'is for a virtual_user only')
    if ((type === 'workspace' || type === 'any_virtual_user') && id !== undefined) refuse('id', `is not for ${type}`)
  })

const Period = z.enum(['day', 'month']).meta({ description: 'Calendar day or month, UTC' })

export const SetQuota = z
  .strictObject({
    subject: Subject,
    period: Period,
    max_messages: limit(count, 'Queries that are accepted'),
    max_tokens: limit(count, 'Input and output, cached and reasoning included'),
    max_cost_usd: limit(dollars, 'Cost of models that have a price; to the millionth'),
  })
  .refine(
    ({ max_messages, max_tokens, max_cost_usd }) =>
      max_messages !== null || max_tokens !== null || max_cost_usd !== null,
    { path: ['max_messages'], message: 'must be given, or max_tokens, or max_cost_usd' },
  )
  .meta({
    id: 'SetQuota',
    examples: [{ subject: { type: 'any_virtual_user' }, period: 'day', max_messages: 100 }],
  })
export type SetQuota = z.infer<typeof SetQuota>

export const Quota = z
  .object({
    id: ObjectId,
    subject: z.object({
      type: z.enum(['workspace', 'api_key', 'virtual_user', 'any_virtual_user']),
      id: ObjectId.nullable(),
    }),
    period: Period,
    max_messages: z.number().int().nullable(),
    max_tokens: z.number().int().nullable(),
    max_cost_usd: z.number().nullable(),
    used: z
      .object({ messages: z.number().int(), tokens: z.number().int(), cost_usd: z.number() })
      .nullable()
      .meta({ description: 'In the present period; null for any_virtual_user, of which everybody has their own' }),
    resets_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Quota', description: 'How much somebody may use in a day or a month' })

export const QuotaReply = z.object({ data: Quota })
export const QuotaList = listOf('quotas', Quota)

export const toMicros = (dollars: number): number => Math.round(dollars * MICROS)

export const toQuota = (quota: QuotaRecord, use: QuotaUse | null, now: string): z.input<typeof Quota> => ({
  id: quota.id,
  subject: { type: quota.subjectType, id: quota.subjectId || null },
  period: quota.period,
  max_messages: quota.maxMessages,
  max_tokens: quota.maxTokens,
  max_cost_usd: quota.maxCostMicros === null ? null : quota.maxCostMicros / MICROS,
  used: use && { messages: use.messages, tokens: use.tokens, cost_usd: use.cost_micros / MICROS },
  resets_at: periodOf(quota.period, now).endsAt,
  created_at: quota.createdAt,
  updated_at: quota.updatedAt,
})
