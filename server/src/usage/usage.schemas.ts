import { z } from 'zod'
import { described, IntegerQuery, ObjectId, TextQuery } from '../platform/http/validation/schemas.ts'
import { AttributionEmail, WorkspaceParams } from '../users/users.ts'
import { dayOf } from './days.ts'
import type { ModelPrice } from './prices/price-table.ts'
import type { Amounts } from './usage.store.ts'

export { WorkspaceParams }
export const QuotaParams = WorkspaceParams.extend({ quota_id: z.string() })

export const GROUPS = ['day', 'agent', 'virtual_user', 'api_key', 'model'] as const
export type GroupBy = (typeof GROUPS)[number]

/** Every day of the longest range fits on one page. */
const PAGE_SIZE = 400

const Day = z
  .string()
  .regex(/^2\d{3}-\d\d-\d\d$/, { message: 'must be a date like 2026-01-31', abort: true })
  .refine(isDate, 'must be a date of the calendar')
  .meta(described({ type: 'string', format: 'date', examples: ['2026-01-31'] }))

function isDate(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(at) && dayOf(new Date(at).toISOString()) === text
}

export const UsageQuery = z.object({
  from: Day.optional().meta({ description: 'First day, UTC. Default: 30 days up to `to`' }),
  to: Day.optional().meta({ description: 'Last day, counted as well. Default: today. At most 366 days' }),
  group_by: z.enum(GROUPS).default('day'),
  agent_id: z.string().optional().meta({ description: 'Only of this agent' }),
  virtual_user_email: AttributionEmail.optional().meta({ description: 'Only of this virtual user' }),
  api_key_id: z.string().optional().meta({ description: 'Only of this key' }),
  model: TextQuery(512).optional().meta({ description: 'Only of this model: `provider/model`' }),
  format: z.enum(['json', 'csv']).default('json').meta({ description: '`csv`: all groups as a file, not a page' }),
  page: IntegerQuery({ min: 1, max: 1_000_000_000, byDefault: 1 }),
  page_size: IntegerQuery({ min: 1, max: 500, byDefault: PAGE_SIZE }),
})
export type UsageQuery = z.infer<typeof UsageQuery>

const tokens = z.number().int()

const Used = {
  messages: z.number().int().meta({ description: 'Answered, failed and cancelled, each for the agent that was asked' }),
  input_tokens: tokens.meta({ description: 'Cached ones included' }),
  cached_input_tokens: tokens,
  output_tokens: tokens.meta({ description: 'Reasoning included' }),
  reasoning_tokens: tokens,
  cost_usd: z.number().nullable().meta({ description: 'Cost of models with a price; null where none has one' }),
  unpriced_tokens: tokens.meta({ description: 'Tokens of models without a price: not in the cost' }),
  audio_seconds: z.number().int().meta({ description: 'Sound that was transcribed: dictation and recordings' }),
  unpriced_audio_seconds: z.number().int().meta({ description: 'Sound whose cost is not known: not in the cost' }),
}

export const UsageTotal = z.object(Used).meta({ id: 'UsageTotal' })

export const UsageGroup = z
  .object({
    day: z.iso.date().optional().meta({ description: 'By day' }),
    agent_id: ObjectId.nullable().optional().meta({
      description: 'By agent; sub-agents have the tokens that they used. null: sound that was transcribed',
    }),
    virtual_user_id: ObjectId.nullable().optional().meta({ description: 'By virtual user; null: of none' }),
    email: z.string().nullable().optional().meta({ description: 'By virtual user' }),
    api_key_id: ObjectId.nullable().optional().meta({ description: 'By API key; null: before keys were noted' }),
    model: z.string().optional().meta({ description: 'By model' }),
    name: z.string().nullable().optional().meta({ description: 'Name of the agent, the virtual user or the API key' }),
    ...Used,
  })
  .meta({ id: 'UsageGroup', description: 'Usage of a day, an agent, a virtual user, a key or a model' })
export type UsageGroup = z.infer<typeof UsageGroup>

export const UsageReport = z.object({
  data: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    group_by: z.enum(GROUPS),
    usage: z.array(UsageGroup),
    total: UsageTotal.meta({ description: 'Of all groups, on this page and on others' }),
    count: z.number().int().meta({ description: 'Groups on all pages' }),
    page: z.number().int(),
    page_size: z.number().int(),
    has_more: z.boolean(),
  }),
})

export const PriceList = z.object({
  data: z.object({
    prices: z.array(
      z
        .object({
          model: z.string().meta({ description: '`provider/model`; * stands for anything' }),
          input: z.number(),
          cached_input: z.number(),
          output: z.number(),
          reasoning: z.number(),
          audio_minute: z.number().nullable().meta({
            description: 'US dollars for a minute of sound that is transcribed; null: by its tokens, if at all',
          }),
        })
        .meta({ id: 'ModelPrice', description: 'US dollars for a million tokens' }),
    ),
  }),
})

/** @param costMicros null where no price is known */
export const dollarsOf = (costMicros: number | null): number | null =>
  costMicros === null ? null : Number(costMicros) / 1_000_000

const isUnpriced = ({ cost_micros, unpriced_tokens, unpriced_audio_seconds }: Amounts) =>
  cost_micros === 0 && unpriced_tokens + unpriced_audio_seconds > 0

export const toUsed = (amounts: Amounts): z.infer<typeof UsageTotal> => ({
  messages: amounts.messages,
  input_tokens: amounts.input_tokens,
  cached_input_tokens: amounts.cached_input_tokens,
  output_tokens: amounts.output_tokens,
  reasoning_tokens: amounts.reasoning_tokens,
  cost_usd: isUnpriced(amounts) ? null : dollarsOf(amounts.cost_micros),
  unpriced_tokens: amounts.unpriced_tokens,
  audio_seconds: amounts.audio_seconds,
  unpriced_audio_seconds: amounts.unpriced_audio_seconds,
})

export const toPrice = ({ pattern, input, cachedInput, output, reasoning, audioMinute }: ModelPrice) => ({
  model: pattern,
  input,
  cached_input: cachedInput,
  output,
  reasoning,
  audio_minute: audioMinute,
})
