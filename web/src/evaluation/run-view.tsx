import type { EvaluationRun } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { wholeDocent } from '../access/access.ts'
import { formatDollars, formatDuration, formatExactTime, formatNumber, formatShortNumber } from '../platform/format.ts'
import { Button } from '../ui/controls/button.tsx'
import { Pager } from '../ui/controls/pager.tsx'
import { Figures } from '../ui/data/facts.tsx'
import { Select } from '../ui/fields/choice.tsx'
import { Download } from '../ui/icons.ts'
import { Notice } from '../ui/notices/notice.tsx'
import { ReadProblem } from '../ui/notices/read-problem.tsx'
import { Menu, MenuItem } from '../ui/overlays/menu.tsx'
import { unawaited } from '../ui/unawaited.ts'
import { isOpen, PER_PAGE, refreshEvaluation, saveResults, useResults, useRun, useRuns } from './evaluation.queries.ts'
import { formatShare, measureName } from './measure-names.ts'
import { ResultTable } from './result-table.tsx'
import { RunStatus } from './run-status.tsx'

interface RunViewProps {
  agentId: string
  setId: string
  runId: string
}

/** A run with its measures, and what came of each case. */
export function RunView({ agentId, setId, runId }: RunViewProps) {
  const { data: run, error, refetch } = useRun(agentId, runId)
  const [page, setPage] = useState(1)
  const { data: results } = useResults(agentId, runId, page, run?.done_count ?? 0)
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  if (!run) return null
  async function cancel() {
    await wholeDocent().evaluation.runs.cancel(agentId, runId)
    await refreshEvaluation(agentId)
  }
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-display text-2xl">
          <Trans>Run of {formatExactTime(run.created_at)}</Trans>
        </h2>
        <span aria-live="polite" className="me-auto">
          <RunStatus run={run} />
        </span>
        {isOpen(run) && (
          <Button onClick={() => unawaited(cancel())}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        <CompareWith agentId={agentId} setId={setId} run={run} />
        <Menu
          label={t`Export`}
          trigger={(props) => (
            <Button {...props} icon={Download}>
              <Trans>Export</Trans>
            </Button>
          )}
        >
          <MenuItem onSelect={() => unawaited(saveResults(agentId, runId, 'csv'))}>
            <Trans>As CSV</Trans>
          </MenuItem>
          <MenuItem onSelect={() => unawaited(saveResults(agentId, runId, 'json'))}>
            <Trans>As JSON</Trans>
          </MenuItem>
        </Menu>
      </div>
      {run.error_message && <Notice className="mb-4">{run.error_message}</Notice>}
      {run.totals && <Measures totals={run.totals} />}
      {results && (
        <div className="mt-7">
          <ResultTable results={results.results} />
          <Pager page={page} pageSize={PER_PAGE} total={results.total} onPage={setPage} />
        </div>
      )}
    </>
  )
}

function Measures({ totals }: { totals: NonNullable<EvaluationRun['totals']> }) {
  const { measures, failed, latency_ms, input_tokens, output_tokens, cost_usd } = totals
  const shown = Object.entries(measures).filter(([, { cases }]) => cases > 0)
  return (
    <Figures
      figures={[
        ...shown.map(([name, { value, cases }]): [string, string] => [
          t`${measureName(name)} (of ${formatNumber(cases)})`,
          formatShare(value),
        ]),
        ...(failed > 0 ? [[t`Failed`, formatNumber(failed)] as [string, string]] : []),
        [t`Time, median`, latency_ms.p50 === null ? '–' : formatDuration(latency_ms.p50)],
        [t`Tokens`, formatShortNumber(input_tokens + output_tokens)],
        [t`Cost`, cost_usd === null ? t`No price` : formatDollars(cost_usd)],
      ]}
    />
  )
}

/** Choice of an earlier run to compare with. */
function CompareWith({ agentId, setId, run }: { agentId: string; setId: string; run: EvaluationRun }) {
  const { data } = useRuns(agentId, setId)
  const navigate = useNavigate()
  const others = data?.evaluation_runs.filter(({ id, totals }) => id !== run.id && totals) ?? []
  if (others.length === 0) return null
  return (
    <Select
      aria-label={t`Compare with`}
      value=""
      onChange={({ target }) =>
        unawaited(
          navigate({
            to: '/agents/$agentId/evaluation',
            params: { agentId },
            search: { set: setId, run: run.id, before: target.value },
          }),
        )
      }
    >
      <option value="">{t`Compare with`}</option>
      {others.map(({ id, created_at, agent_version }) => (
        <option key={id} value={id}>
          {`${formatExactTime(created_at)} · ${agent_version}`}
        </option>
      ))}
    </Select>
  )
}
