import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { wholeDocent } from '../access/access.ts'
import { AgentProblem, useAgent } from '../agents/agents.ts'
import { Button, buttonClass } from '../ui/controls/button.tsx'
import { stretched, Table } from '../ui/data/table.tsx'
import { Time } from '../ui/data/time.tsx'
import { ArrowLeft, Gauge, Plus } from '../ui/icons.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import { ReadProblem } from '../ui/notices/read-problem.tsx'
import { NameDialog } from '../ui/overlays/ask-dialogs.tsx'
import { ComparisonView } from './comparison-view.tsx'
import { refreshEvaluation, useSets } from './evaluation.queries.ts'
import { evaluationSearch } from './evaluation-search.ts'
import { RunView } from './run-view.tsx'
import { SetView } from './set-view.tsx'

/** Question sets of an agent, runs of them, and comparisons of runs. */
export function EvaluationPage() {
  const { agentId = '' } = useParams({ strict: false })
  const { set, run, before } = evaluationSearch(useSearch({ strict: false }))
  const { data: agent, error, refetch } = useAgent(agentId)
  if (error) return <AgentProblem error={error} onRetry={refetch} />
  if (!agent) return null
  return (
    <>
      <PageHeader
        title={t`Evaluation of ${agent.name}`}
        actions={
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            {...(set && { to: '/agents/$agentId/evaluation', search: run ? { set } : {} })}
            className={buttonClass('secondary')}
          >
            <ArrowLeft size={16} aria-hidden />
            {run ? <Trans>Question set</Trans> : set ? <Trans>All question sets</Trans> : <Trans>Agent</Trans>}
          </Link>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="p-4 sm:p-6">
          {set && run && before ? (
            <ComparisonView agentId={agentId} runId={run} beforeId={before} />
          ) : set && run ? (
            <RunView agentId={agentId} setId={set} runId={run} />
          ) : set ? (
            <SetView agentId={agentId} setId={set} />
          ) : (
            <SetList agentId={agentId} />
          )}
        </div>
      </div>
    </>
  )
}

function SetList({ agentId }: { agentId: string }) {
  const { data, error, refetch } = useSets(agentId)
  const [isNaming, setNaming] = useState(false)
  const navigate = useNavigate()
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setNaming(true)}>
      <Trans>New question set</Trans>
    </Button>
  )
  return (
    <>
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.total === 0 && (
        <EmptyState icon={Gauge} title={t`No question set yet`} action={add}>
          <Trans>
            Collect questions with what a good answer contains. Each run asks the agent all of them, and counts how many
            it answers well.
          </Trans>
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <div className="mb-4 flex justify-end">{add}</div>
          <Table
            label={t`Question sets`}
            rows={data.evaluation_sets}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'name',
                header: t`Name`,
                cell: ({ id, name }) => (
                  <Link
                    to="/agents/$agentId/evaluation"
                    params={{ agentId }}
                    search={{ set: id }}
                    dir="auto"
                    className={stretched}
                  >
                    {name}
                  </Link>
                ),
              },
              { key: 'cases', header: t`Questions`, isNumber: true, cell: ({ case_count }) => case_count },
              {
                key: 'changed',
                header: t`Changed`,
                className: 'max-sm:hidden',
                cell: ({ updated_at }) => <Time iso={updated_at} />,
              },
            ]}
          />
        </>
      )}
      {isNaming && (
        <NameDialog
          title={t`New question set`}
          label={t`Name`}
          confirm={t`Create`}
          act={async (name) => {
            const { id } = await wholeDocent().evaluation.sets.create(agentId, { name })
            await refreshEvaluation(agentId)
            await navigate({ to: '/agents/$agentId/evaluation', params: { agentId }, search: { set: id } })
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
