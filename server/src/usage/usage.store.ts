import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../db.ts'
import { prepared } from '../platform/database/statements/prepared.ts'
import type { UsageSumTable } from './usage.tables.ts'

export type UsageSum = Selectable<UsageSumTable>

/** Columns that are summed up. */
export const AMOUNTS = [
  'messages',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_micros',
  'unpriced_tokens',
  'audio_seconds',
  'unpriced_audio_seconds',
] as const

export type Amounts = Pick<UsageSum, (typeof AMOUNTS)[number]>

/** Amounts to be added to the sums. */
export interface Used extends Amounts {
  workspaceId: string
  agentId: string
  /** Empty: of none. */
  virtualUserId: string
  apiKeyId: string
  model: string
  day: string
  third: string
  month: string
}

type UsedOf = Used & { organizationId: string }

const upsert = (rowsOf: (used: UsedOf) => Pick<UsageSum, 'kind' | 'period' | Detail>[]) =>
  prepared<Tables, UsedOf, unknown>((db, used) =>
    db
      .insertInto('usage_sum')
      .values(
        rowsOf(used).map((row) => ({
          organization_id: used.organizationId,
          workspace_id: used.workspaceId,
          ...row,
          messages: used.messages,
          input_tokens: used.input_tokens,
          cached_input_tokens: used.cached_input_tokens,
          output_tokens: used.output_tokens,
          reasoning_tokens: used.reasoning_tokens,
          cost_micros: used.cost_micros,
          unpriced_tokens: used.unpriced_tokens,
          audio_seconds: used.audio_seconds,
          unpriced_audio_seconds: used.unpriced_audio_seconds,
        })),
      )
      .onConflict((conflict) => conflict.columns(SUM_KEY).doUpdateSet(addExcluded)),
  )

const SUM_KEY = ['workspace_id', 'kind', 'period', 'agent_id', 'virtual_user_id', 'api_key_id', 'model'] as const

const addExcluded = (both: ExpressionBuilder<Tables & { excluded: UsageSumTable }, 'usage_sum' | 'excluded'>) =>
  Object.fromEntries(
    AMOUNTS.map((amount) => [amount, both(`usage_sum.${amount}`, '+', both.ref(`excluded.${amount}`))]),
  )

type Detail = 'agent_id' | 'virtual_user_id' | 'api_key_id' | 'model'

const ofEverything = ({ day, agentId, apiKeyId, model }: UsedOf) => ({
  kind: 'day' as const,
  period: day,
  agent_id: agentId,
  virtual_user_id: '',
  api_key_id: apiKeyId,
  model,
})

const upsertOfNobody = upsert((used) => [ofEverything(used)])

const upsertOfPerson = upsert((used) => {
  const virtual_user_id = used.virtualUserId
  const nothingElse = { agent_id: '', virtual_user_id, api_key_id: '', model: '' }
  return [
    ofEverything(used),
    { ...ofEverything(used), kind: 'person_day', virtual_user_id },
    { kind: 'person_third', period: used.third, ...nothingElse },
    { kind: 'person_month', period: used.month, ...nothingElse },
  ]
})

/** Adds to the sums of everything and, if it is of one, of the virtual user. */
export async function addToSums(tx: Tx, organizationId: string, used: Used): Promise<void> {
  const add = used.virtualUserId === '' ? upsertOfNobody : upsertOfPerson
  await add(tx, { organizationId, ...used })
}

export type SumKey = 'period' | 'agent_id' | 'virtual_user_id' | 'api_key_id' | 'model'

export interface SumRange {
  workspaceId: string
  kind: UsageSum['kind']
  /** The first and the last period. */
  from: string
  to: string
  /** Restricts the sum to rows with these values. */
  of?: Partial<Pick<UsageSum, 'agent_id' | 'virtual_user_id' | 'api_key_id' | 'model'>>
}

export interface SumGroup extends Amounts {
  key: string
}

/** The sums of a range by one dimension, in no order. */
export async function sumBy(db: Db, organizationId: string, by: SumKey, range: SumRange): Promise<SumGroup[]> {
  const { workspaceId, kind, from, to, of = {} } = range
  let rows = db
    .selectFrom('usage_sum')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .where('period', '>=', from)
    .where('period', '<=', to)
  for (const [column, value] of Object.entries(of) as [keyof typeof of, string][]) rows = rows.where(column, '=', value)
  const groups = await rows
    .select(({ ref, fn }) => [
      ref(by).as('key'),
      ...AMOUNTS.map((amount) => fn.sum<number>(`usage_sum.${amount}`).as(amount)),
    ])
    .groupBy(by)
    .execute()
  return groups.map(toGroup)
}

/** Some databases give sums as text. */
const toGroup = (row: SumGroup): SumGroup => ({
  key: row.key,
  messages: Number(row.messages),
  input_tokens: Number(row.input_tokens),
  cached_input_tokens: Number(row.cached_input_tokens),
  output_tokens: Number(row.output_tokens),
  reasoning_tokens: Number(row.reasoning_tokens),
  cost_micros: Number(row.cost_micros),
  unpriced_tokens: Number(row.unpriced_tokens),
  audio_seconds: Number(row.audio_seconds),
  unpriced_audio_seconds: Number(row.unpriced_audio_seconds),
})

/** Adds the sums of a person to those of another one, and removes them. */
export async function moveSums(tx: Tx, organizationId: string, fromId: string, toId: string): Promise<void> {
  const details = ['organization_id', 'workspace_id', 'kind', 'period', 'agent_id', 'api_key_id', 'model'] as const
  await tx
    .insertInto('usage_sum')
    .columns([...details, ...AMOUNTS, 'virtual_user_id'])
    .expression((from) =>
      from
        .selectFrom('usage_sum')
        .select([...details, ...AMOUNTS, from.val(toId).as('virtual_user_id')])
        .where('organization_id', '=', organizationId)
        .where('virtual_user_id', '=', fromId)
        // In one order, so that no two transactions wait for each other.
        .orderBy('kind')
        .orderBy('period')
        .orderBy('agent_id'),
    )
    .onConflict((conflict) => conflict.columns(SUM_KEY).doUpdateSet(addExcluded))
    .execute()
  await deleteSumsOf(tx, organizationId, fromId)
}

/** Removes the sums of a person; the sums of everybody together stay. */
export async function deleteSumsOf(tx: Tx, organizationId: string, virtualUserId: string): Promise<void> {
  await tx
    .deleteFrom('usage_sum')
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .execute()
}
