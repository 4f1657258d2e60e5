import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { wholeDocent } from '../access/access.ts'
import { explain } from '../platform/errors.ts'
import { formatExactTime } from '../platform/format.ts'
import { Button } from '../ui/controls/button.tsx'
import { ListChecks, Play, Plus, Trash2 } from '../ui/icons.ts'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import { Notice } from '../ui/notices/notice.tsx'
import { ReadProblem } from '../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../ui/overlays/ask-dialogs.tsx'
import { Menu, MenuItem } from '../ui/overlays/menu.tsx'
import { toast } from '../ui/overlays/toasts.tsx'
import { CaseDialog } from './case-dialog.tsx'
import { CaseTable } from './case-table.tsx'
import { refreshEvaluation, useCases, useRuns, useSet } from './evaluation.queries.ts'
import { JudgeField } from './judge-field.tsx'
import { RunTable } from './run-table.tsx'

const ScheduleDialog = lazy(() => import('./nightly/schedule-dialog.tsx'))

type Source = Parameters<ReturnType<typeof wholeDocent>['evaluation']['cases']['add']>[2]

/** A question set with its runs and cases. */
export function SetView({ agentId, setId }: { agentId: string; setId: string }) {
  const { data: set, error, refetch } = useSet(agentId, setId)
  const [page, setPage] = useState(1)
  const { data: cases } = useCases(agentId, setId, page)
  const { data: runs } = useRuns(agentId, setId)
  const [dialog, setDialog] = useState<'case' | 'schedule' | 'delete' | null>(null)
  const navigate = useNavigate()
  const start = useMutation({
    mutationFn: () => wholeDocent().evaluation.runs.start(agentId, setId),
    onSuccess: () => refreshEvaluation(agentId),
  })
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  if (!set) return null
  const isEmpty = set.case_count === 0 && !cases?.total
  const add = <AddMenu agentId={agentId} setId={setId} onCase={() => setDialog('case')} />
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-2">
        <h2 dir="auto" className="me-auto min-w-0 truncate font-display text-2xl">
          {set.name}
        </h2>
        {!isEmpty && add}
        <Button onClick={() => setDialog('schedule')}>
          <Trans>Nightly run</Trans>
        </Button>
        <Button icon={Trash2} onClick={() => setDialog('delete')}>
          <Trans>Delete</Trans>
        </Button>
        <Button
          variant="primary"
          icon={Play}
          isBusy={start.isPending}
          disabled={set.case_count === 0}
          onClick={() => start.mutate()}
        >
          <Trans>Run</Trans>
        </Button>
      </div>
      {set.next_run_at && (
        <p className="mb-4 text-sm text-muted">{t`The next run begins ${formatExactTime(set.next_run_at)}`}</p>
      )}
      {set.schedule_problem && <Notice className="mb-4">{set.schedule_problem}</Notice>}
      {start.error && <Notice className="mb-4">{explain(start.error)}</Notice>}
      {isEmpty ? (
        <EmptyState icon={ListChecks} title={t`No questions yet`} action={add}>
          <Trans>Write some, import a table, or have them made from documents or from answers that were rated.</Trans>
        </EmptyState>
      ) : (
        <>
          <JudgeField agentId={agentId} set={set} />
          {runs && runs.total > 0 && (
            <Section title={t`Runs`}>
              <RunTable agentId={agentId} setId={setId} runs={runs.evaluation_runs} />
            </Section>
          )}
          {cases && (
            <Section title={plural(cases.total, { one: '# question', other: '# questions' })}>
              <CaseTable agentId={agentId} setId={setId} cases={cases} page={page} onPage={setPage} />
            </Section>
          )}
        </>
      )}
      {dialog === 'schedule' && (
        <Suspense>
          <ScheduleDialog set={set} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {dialog === 'case' && <CaseDialog agentId={agentId} setId={setId} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t`Delete this question set?`}
          confirm={t`Delete`}
          act={async () => {
            await wholeDocent().evaluation.sets.delete(agentId, setId)
            await navigate({ to: '/agents/$agentId/evaluation', params: { agentId }, search: {} })
            await refreshEvaluation(agentId)
          }}
          onClose={() => setDialog(null)}
        >
          <Trans>Its questions and all its runs are deleted, too.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-7">
    <h3 className="mb-2.5 font-medium">{title}</h3>
    {children}
  </section>
)

interface AddMenuProps {
  agentId: string
  setId: string
  onCase: () => void
}

/** Ways to add questions to a set. */
function AddMenu({ agentId, setId, onCase }: AddMenuProps) {
  const picker = useRef<HTMLInputElement>(null)
  const add = useMutation({
    mutationFn: async (source: Source | File) =>
      wholeDocent().evaluation.cases.add(
        agentId,
        setId,
        source instanceof File ? { from: 'csv', csv: await source.text() } : source,
      ),
    onSuccess: async ({ added }) => {
      await refreshEvaluation(agentId)
      toast(
        added === 0
          ? t`No new question was found`
          : plural(added, { one: '# question added', other: '# questions added' }),
      )
    },
    onError: (error) => toast(explain(error), { isError: true }),
  })
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".csv,text/csv"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) add.mutate(file)
          target.value = ''
        }}
      />
      <Menu
        label={t`Add questions`}
        trigger={(props) => (
          <Button {...props} icon={Plus} isBusy={add.isPending}>
            <Trans>Add questions</Trans>
          </Button>
        )}
      >
        <MenuItem onSelect={onCase}>
          <Trans>Write one</Trans>
        </MenuItem>
        <MenuItem onSelect={() => picker.current!.click()}>
          <Trans>Import a CSV table</Trans>
        </MenuItem>
        <MenuItem onSelect={() => add.mutate({ from: 'documents', limit: 20 })}>
          <Trans>Make from documents</Trans>
        </MenuItem>
        <MenuItem onSelect={() => add.mutate({ from: 'rated_messages', rating: 'up' })}>
          <Trans>From answers rated good</Trans>
        </MenuItem>
        <MenuItem onSelect={() => add.mutate({ from: 'rated_messages', rating: 'down' })}>
          <Trans>From answers rated bad</Trans>
        </MenuItem>
      </Menu>
    </>
  )
}
