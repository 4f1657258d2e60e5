import type { UsageGroup } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatDollars, formatNumber, formatShortNumber } from '../../platform/format.ts'

export interface Measure {
  name: string
  of: (group: UsageGroup) => number
  format: (value: number) => string
}

export const MEASURES = {
  messages: { name: t`Messages`, of: (group) => group.messages, format: formatNumber },
  tokens: { name: t`Tokens`, of: (group) => group.input_tokens + group.output_tokens, format: formatShortNumber },
  cost: { name: t`Cost`, of: (group) => group.cost_usd ?? 0, format: formatDollars },
} satisfies Record<string, Measure>
