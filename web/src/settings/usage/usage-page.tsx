import type { UsageTotal } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { NoAccess, useIsAdmin, useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { formatDollars, formatNumber, formatShortDay, formatShortNumber } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Figures } from '../../ui/data/facts.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { ChartColumn, Download } from '../../ui/icons.ts'
import { later } from '../../ui/later.tsx'
import { Waiting } from '../../ui/layout/waiting.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { SettingSection } from '../setting-section.tsx'
import { MEASURES, type Measure } from './measures.ts'
import { saveUsage, useUsageByDay } from './usage.queries.ts'
import { UsageBreakdown } from './usage-breakdown.tsx'

const BarChart = later(async () => (await import('../../ui/data/bar-chart.tsx')).BarChart, Waiting)

const PERIODS = [
  { days: 7, name: t`Last 7 days` },
  { days: 30, name: t`Last 30 days` },
  { days: 90, name: t`Last 90 days` },
  { days: 365, name: t`Last year` },
]

/** Usage of the workspace by day, and by agent, person, key or model. */
export function UsagePage() {
  if (!useIsAdmin())
    return (
      <NoAccess>
        <Trans>Usage is for keys of admins and owners of this workspace.</Trans>
      </NoAccess>
    )
  return <Usage />
}

const isUnused = ({ messages, audio_seconds }: UsageTotal) => messages + audio_seconds === 0

const speechOf = ({ audio_seconds }: UsageTotal): [string, string] => [
  t`Minutes of speech`,
  formatNumber(Math.ceil(audio_seconds / 60)),
]

function Usage() {
  const [days, setDays] = useState(30)
  const [measureName, setMeasureName] = useState<keyof typeof MEASURES>('messages')
  const { data, error, refetch } = useUsageByDay(days)
  const workspaceId = useWorkspaceId()
  const measure: Measure = MEASURES[measureName]
  const total = data?.total
  return (
    <>
      <SettingSection
        title={t`Usage`}
        about={t`Usage of the agents. Days are in UTC; costs are counted for models with a known price.`}
        actions={
          <>
            <Select aria-label={t`Period`} value={days} onChange={({ target }) => setDays(Number(target.value))}>
              {PERIODS.map((one) => (
                <option key={one.days} value={one.days}>
                  {one.name}
                </option>
              ))}
            </Select>
            <Button
              icon={Download}
              onClick={() =>
                saveUsage(workspaceId, 'day', days).catch((reason) => toast(explain(reason), { isError: true }))
              }
            >
              <Trans>CSV</Trans>
            </Button>
          </>
        }
      >
        {error && <ReadProblem error={error} onRetry={refetch} />}
        {total && (
          <Figures
            figures={[
              [t`Messages`, formatNumber(total.messages)],
              [t`Tokens read`, formatShortNumber(total.input_tokens)],
              [t`Tokens written`, formatShortNumber(total.output_tokens)],
              ...(total.audio_seconds > 0 ? [speechOf(total)] : []),
              [t`Cost`, total.cost_usd === null ? t`No price` : formatDollars(total.cost_usd)],
            ]}
          />
        )}
        {total && isUnused(total) && (
          <EmptyState icon={ChartColumn} title={t`No questions in this period`}>
            <Trans>Every answer counts here, from the API and from this UI alike.</Trans>
          </EmptyState>
        )}
        {data && !isUnused(data.total) && (
          <div className="mt-5 rounded-card border border-line p-4">
            <fieldset className="mb-3 flex gap-1">
              <legend className="sr-only">
                <Trans>Measure</Trans>
              </legend>
              {Object.entries(MEASURES).map(([name, one]) => (
                <Button
                  key={name}
                  variant={name === measureName ? 'secondary' : 'quiet'}
                  aria-pressed={name === measureName}
                  onClick={() => setMeasureName(name as keyof typeof MEASURES)}
                >
                  {one.name}
                </Button>
              ))}
            </fieldset>
            <div className="min-h-52">
              <BarChart
                label={measure.name}
                of={t`Day`}
                bars={data.days.map((group) => ({
                  name: formatShortDay(new Date(group.day!)),
                  value: measure.of(group),
                }))}
                format={measure.format}
              />
            </div>
            {total!.unpriced_tokens > 0 && (
              <p className="mt-2 text-sm text-muted">
                <Trans>
                  {formatShortNumber(total!.unpriced_tokens)} tokens are of models without a price, and not in the cost.
                </Trans>
              </p>
            )}
            {total!.unpriced_audio_seconds > 0 && (
              <p className="mt-2 text-sm text-muted">
                <Trans>
                  {formatNumber(Math.ceil(total!.unpriced_audio_seconds / 60))} minutes of speech are of models without
                  a price, and not in the cost.
                </Trans>
              </p>
            )}
          </div>
        )}
      </SettingSection>
      {total && !isUnused(total) && <UsageBreakdown days={days} measure={measure} />}
    </>
  )
}
