import type { Generated } from 'kysely'

/** Sums of what was used, kept up to date in the transaction that completes a message. */
export interface UsageSumTable {
  organization_id: string
  workspace_id: string
  /**
   * `day`: everything, by day, agent, key and model. `person_day` the same of messages with a virtual user, for each of
   * them; `person_third` and `person_month` by nothing but the person and the month, or a third of it.
   */
  kind: 'day' | 'person_day' | 'person_third' | 'person_month'
  /** `2026-01-31`, the month `2026-01`, or its thirds `2026-01/1`, `/2` from the 11th on and `/3` from the 21st; UTC. */
  period: string
  agent_id: string
  /** Empty where a row is not of one, as `agent_id` and the next two. */
  virtual_user_id: string
  api_key_id: string
  /** `provider/model` */
  model: string
  messages: number
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  reasoning_tokens: number
  /** Millionths of a US dollar. */
  cost_micros: number
  /** Input and output of models without a price, which are not in the cost. */
  unpriced_tokens: number
  /** Sound that was transcribed. */
  audio_seconds: Generated<number>
  /** Sound that models without a price wrote down, which is not in the cost. */
  unpriced_audio_seconds: Generated<number>
}

export type QuotaSubjectType = 'workspace' | 'api_key' | 'virtual_user' | 'any_virtual_user'
export type QuotaPeriod = 'day' | 'month'

export interface QuotaTable {
  id: string
  organization_id: string
  workspace_id: string
  subject_type: QuotaSubjectType
  /** Id of a key or a virtual user; else empty. */
  subject_id: string
  period: QuotaPeriod
  max_messages: number | null
  /** Input and output. */
  max_tokens: number | null
  max_cost_micros: number | null
  created_at: string
  updated_at: string
}

/** Usage counted for a quota in one period; for `any_virtual_user`, by each of them. */
export interface QuotaUseTable {
  organization_id: string
  quota_id: string
  /** The virtual user, for `any_virtual_user`; else empty. */
  virtual_user_id: string
  /** `2026-01-31` or `2026-01`; UTC. */
  period: string
  /** Accepted, whether they are answered yet or not. */
  messages: number
  tokens: number
  cost_micros: number
}
