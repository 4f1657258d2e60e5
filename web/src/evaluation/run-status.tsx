import type { EvaluationRun } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Badge } from '../ui/notices/badge.tsx'
import { ProgressBar } from '../ui/notices/progress-bar.tsx'
import { isOpen } from './evaluation.queries.ts'

/** State of a run, with a bar while it is at work. */
export function RunStatus({ run }: { run: EvaluationRun }) {
  const { status, done_count: done, case_count: all } = run
  const names = {
    waiting: t`Waiting`,
    running: t`${done} of ${all}`,
    completed: t`Complete`,
    failed: t`Failed`,
    cancelled: t`Cancelled`,
  }
  const tone = status === 'completed' ? 'good' : status === 'failed' ? 'bad' : isOpen(run) ? 'busy' : 'quiet'
  return (
    <span className="inline-flex flex-col gap-1">
      <Badge tone={tone}>{names[status]}</Badge>
      {status === 'running' && <ProgressBar label={t`Progress`} value={done / Math.max(1, all)} className="w-24" />}
    </span>
  )
}
