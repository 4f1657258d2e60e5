import type { EvaluationComparison } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { formatExactTime, formatList, formatNumber, toWords } from '../platform/format.ts'
import { Table } from '../ui/data/table.tsx'
import { CheckField } from '../ui/fields/choice.tsx'
import { Badge } from '../ui/notices/badge.tsx'
import { ReadProblem } from '../ui/notices/read-problem.tsx'
import { useComparison } from './evaluation.queries.ts'
import { formatDifference, formatShare, measureName } from './measure-names.ts'

interface ComparisonViewProps {
  agentId: string
  runId: string
  beforeId: string
}

/** Two runs side by side: sums first, then the cases that changed. */
export function ComparisonView({ agentId, runId, beforeId }: ComparisonViewProps) {
  const { data, error, refetch } = useComparison(agentId, runId, beforeId)
  const [showsAll, setShowsAll] = useState(false)
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  if (!data) return null
  const { before, after, changed_fields: fields } = data
  const cases = showsAll ? data.cases : data.cases.filter(({ change }) => change !== 'same')
  return (
    <>
      <h2 className="font-display text-2xl">
        <Trans>
          {formatExactTime(before.created_at)} and {formatExactTime(after.created_at)}
        </Trans>
      </h2>
      <p className="mt-1 mb-5 text-muted">
        {fields.length > 0
          ? t`The agent differs in ${formatList(fields.map(toWords))}.`
          : t`The agent is defined alike in both runs.`}
      </p>
      <MeasureTable comparison={data} />
      <div className="mt-7 mb-2.5 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">
          <Trans>Questions</Trans>
        </h3>
        <CheckField
          label={t`Also those that are the same`}
          checked={showsAll}
          onChange={({ target }) => setShowsAll(target.checked)}
        />
      </div>
      {cases.length === 0 ? (
        <p className="text-muted">
          <Trans>No question got better or worse.</Trans>
        </p>
      ) : (
        <CaseChanges cases={cases} />
      )}
    </>
  )
}

const MeasureTable = ({ comparison }: { comparison: EvaluationComparison }) => (
  <Table
    label={t`Measures`}
    rows={comparison.measures.filter(({ before, after }) => before.cases + after.cases > 0)}
    rowKey={({ measure }) => measure}
    columns={[
      { key: 'measure', header: t`Measure`, cell: ({ measure }) => measureName(measure) },
      { key: 'before', header: t`Before`, isNumber: true, cell: ({ before }) => formatShare(before.value) },
      { key: 'after', header: t`After`, isNumber: true, cell: ({ after }) => formatShare(after.value) },
      {
        key: 'difference',
        header: t`Points`,
        isNumber: true,
        cell: ({ difference }) => formatDifference(difference),
      },
      { key: 'better', header: t`Better`, isNumber: true, cell: ({ better }) => formatNumber(better) },
      { key: 'worse', header: t`Worse`, isNumber: true, cell: ({ worse }) => formatNumber(worse) },
    ]}
  />
)

function CaseChanges({ cases }: { cases: EvaluationComparison['cases'] }) {
  const names = {
    better: t`Better`,
    worse: t`Worse`,
    mixed: t`Mixed`,
    same: t`Same`,
    not_comparable: t`Not comparable`,
  }
  const tones = { better: 'good', worse: 'bad', mixed: 'busy', same: 'quiet', not_comparable: 'quiet' } as const
  return (
    <Table
      label={t`Questions`}
      rows={cases}
      rowKey={({ case_id }) => case_id}
      columns={[
        {
          key: 'change',
          header: t`Change`,
          className: 'w-32',
          cell: ({ change }) => <Badge tone={tones[change]}>{names[change]}</Badge>,
        },
        {
          key: 'question',
          header: t`Question`,
          className: 'min-w-48',
          cell: ({ question }) => <span dir="auto">{question ?? t`Hidden`}</span>,
        },
        {
          key: 'measures',
          header: t`Measures`,
          className: 'min-w-40',
          cell: ({ better, worse }) =>
            [...better.map((name) => `+ ${measureName(name)}`), ...worse.map((name) => `− ${measureName(name)}`)].join(
              ', ',
            ),
        },
      ]}
    />
  )
}
