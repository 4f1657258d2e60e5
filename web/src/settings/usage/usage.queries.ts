import type { UsageGroup } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWorkspaceId, wholeDocent } from '../../access/access.ts'
import { saveFile } from '../../platform/files/save-file.ts'

export const BREAKDOWNS = {
  agent: t`Agent`,
  virtual_user: t`Person`,
  api_key: t`API key`,
  model: t`Model`,
} as const

/** Titles of the breakdowns. */
export const TITLES: Record<Breakdown, string> = {
  agent: t`By agent`,
  virtual_user: t`By person`,
  api_key: t`By API key`,
  model: t`By model`,
}

export type Breakdown = keyof typeof BREAKDOWNS

const DAY_MS = 86_400_000
const MOST_GROUPS = 20

/** First and last of the given number of days up to today, in UTC as the API counts them. */
function lastDays(days: number): { from: string; to: string } {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
  return { from: day(days - 1), to: day(0) }
}

/** Usage of each of the last days, including days without any, and the sum. */
export function useUsageByDay(days: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['usage', workspaceId, 'day', days],
    queryFn: async () => {
      const { usage, total, from } = await wholeDocent().usage.get(workspaceId, { ...lastDays(days), group_by: 'day' })
      const byDay = new Map(usage.map((group) => [group.day, group]))
      const start = Date.parse(from)
      const all = Array.from({ length: days }, (_, index) => {
        const day = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
        return byDay.get(day) ?? { ...NOTHING, day }
      })
      return { days: all, total }
    },
    placeholderData: keepPreviousData,
  })
}

const NOTHING: UsageGroup = {
  messages: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: 0,
  unpriced_tokens: 0,
  audio_seconds: 0,
  unpriced_audio_seconds: 0,
}

/** Groups with the largest use, and the number of groups. */
export function useUsageBy(by: Breakdown, days: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['usage', workspaceId, by, days],
    queryFn: () => wholeDocent().usage.get(workspaceId, { ...lastDays(days), group_by: by, page_size: MOST_GROUPS }),
    placeholderData: keepPreviousData,
  })
}

export async function saveUsage(workspaceId: string, by: 'day' | Breakdown, days: number): Promise<void> {
  const { from, to } = lastDays(days)
  const csv = await wholeDocent().usage.csv(workspaceId, { from, to, group_by: by })
  saveFile(`usage-by-${by}-${from}-${to}.csv`, new Blob([csv], { type: 'text/csv' }))
}
