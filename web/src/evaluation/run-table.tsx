import type { EvaluationRun } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { stretched, Table } from '../ui/data/table.tsx'
import { Time } from '../ui/data/time.tsx'
import { Tag } from '../ui/notices/badge.tsx'
import { formatShare, measureName } from './measure-names.ts'
import { RunStatus } from './run-status.tsx'

type Measure = keyof NonNullable<EvaluationRun['totals']>['measures']

const SHOWN: Measure[] = ['recall_at_5', 'quoted', 'cited_expected', 'declined_right', 'judge_score']

interface RunTableProps {
  agentId: string
  setId: string
  runs: EvaluationRun[]
}

/** Runs of a set, with the measures that one looks at first. */
export const RunTable = ({ agentId, setId, runs }: RunTableProps) => (
  <Table
    label={t`Runs`}
    rows={runs}
    rowKey={({ id }) => id}
    columns={[
      {
        key: 'begun',
        header: t`Begun`,
        cell: ({ id, created_at }) => (
          <Link
            to="/agents/$agentId/evaluation"
            params={{ agentId }}
            search={{ set: setId, run: id }}
            className={stretched}
          >
            <Time iso={created_at} />
          </Link>
        ),
      },
      { key: 'status', header: t`State`, cell: (run) => <RunStatus run={run} /> },
      {
        key: 'version',
        header: t`Version of the agent`,
        className: 'max-sm:hidden',
        cell: ({ agent_version }) => <Tag>{agent_version}</Tag>,
      },
      ...SHOWN.map((measure) => ({
        key: measure,
        header: measureName(measure),
        isNumber: true,
        cell: ({ totals }: EvaluationRun) => formatShare(totals?.measures[measure].value ?? null),
      })),
    ]}
  />
)
