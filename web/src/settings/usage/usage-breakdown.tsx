import type { UsageGroup } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { formatDollars, formatNumber, formatShortNumber } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ShareBar } from '../../ui/data/share-bar.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Download } from '../../ui/icons.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import { SettingSection } from '../setting-section.tsx'
import type { Measure } from './measures.ts'
import { BREAKDOWNS, type Breakdown, saveUsage, TITLES, useUsageBy } from './usage.queries.ts'

/** Top users of one kind: agents, people, keys or models. */
export function UsageBreakdown({ days, measure }: { days: number; measure: Measure }) {
  const [by, setBy] = useState<Breakdown>('agent')
  const { data, isPlaceholderData } = useUsageBy(by, days)
  const workspaceId = useWorkspaceId()
  const rows = data?.usage ?? []
  const most = Math.max(1e-9, ...rows.map(measure.of))
  const isComplete = !data || data.count <= rows.length
  return (
    <SettingSection
      title={TITLES[by]}
      about={
        isComplete
          ? t`Largest use first.`
          : t`The ${rows.length} of ${data.count} who used the most; the CSV has all of them.`
      }
      actions={
        <>
          <Select aria-label={t`Broken down by`} value={by} onChange={({ target }) => setBy(target.value as Breakdown)}>
            {Object.entries(BREAKDOWNS).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
          <Button
            icon={Download}
            onClick={() => saveUsage(workspaceId, by, days).catch((error) => toast(explain(error), { isError: true }))}
          >
            <Trans>CSV</Trans>
          </Button>
        </>
      }
    >
      <Table
        label={TITLES[by]}
        columns={columns(by, measure, most)}
        rows={rows}
        rowKey={(group) => groupName(by, group) + (group.agent_id ?? group.virtual_user_id ?? group.api_key_id ?? '')}
        isStale={isPlaceholderData}
      />
    </SettingSection>
  )
}

const columns = (by: Breakdown, measure: Measure, most: number): Column<UsageGroup>[] => [
  {
    key: 'name',
    header: BREAKDOWNS[by],
    className: 'w-2/5 min-w-48',
    cell: (group) => (
      <>
        <bdi className="font-medium wrap-anywhere">{groupName(by, group)}</bdi>
        <ShareBar share={measure.of(group) / most} />
      </>
    ),
  },
  { key: 'messages', header: t`Messages`, isNumber: true, cell: (group) => formatNumber(group.messages) },
  { key: 'read', header: t`Tokens read`, isNumber: true, cell: (group) => formatShortNumber(group.input_tokens) },
  {
    key: 'written',
    header: t`Tokens written`,
    isNumber: true,
    cell: (group) => formatShortNumber(group.output_tokens),
  },
  {
    key: 'cost',
    header: t`Cost`,
    isNumber: true,
    cell: ({ cost_usd }) =>
      cost_usd === null ? (
        <span className="text-muted">
          <Trans>No price</Trans>
        </span>
      ) : (
        formatDollars(cost_usd)
      ),
  },
]

function groupName(by: Breakdown, { name, email, model, agent_id }: UsageGroup): string {
  if (by === 'model') return model!
  if (by === 'virtual_user') return name ?? email ?? t`Nobody in particular`
  if (by === 'agent' && agent_id === null) return t`Dictation and recordings`
  return name ?? (by === 'api_key' ? t`No key` : t`Deleted agent`)
}
