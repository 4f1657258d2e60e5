import type { EvaluationCase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { wholeDocent } from '../access/access.ts'
import { formatList } from '../platform/format.ts'
import { IconButton } from '../ui/controls/button.tsx'
import { Pager } from '../ui/controls/pager.tsx'
import { ActionsHeader } from '../ui/data/actions-header.tsx'
import { Table } from '../ui/data/table.tsx'
import { Pencil, Trash2 } from '../ui/icons.ts'
import { Tag } from '../ui/notices/badge.tsx'
import { unawaited } from '../ui/unawaited.ts'
import { CaseDialog } from './case-dialog.tsx'
import { PER_PAGE, refreshEvaluation } from './evaluation.queries.ts'

interface CaseTableProps {
  agentId: string
  setId: string
  cases: { cases: EvaluationCase[]; total: number }
  page: number
  onPage: (page: number) => void
}

/** Questions of a set, with what is expected. */
export function CaseTable({ agentId, setId, cases, page, onPage }: CaseTableProps) {
  const [edited, setEdited] = useState<EvaluationCase | null>(null)
  async function remove({ id }: EvaluationCase) {
    await wholeDocent().evaluation.cases.delete(agentId, setId, id)
    await refreshEvaluation(agentId)
  }
  return (
    <>
      <Table
        label={t`Questions`}
        rows={cases.cases}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'question',
            header: t`Question`,
            className: 'min-w-56',
            cell: ({ question, tags }) => (
              <>
                <span dir="auto">{question}</span>
                {tags.length > 0 && (
                  <span className="mt-1 flex flex-wrap gap-1">
                    {tags.map((tag) => (
                      <Tag key={tag}>{tag}</Tag>
                    ))}
                  </span>
                )}
              </>
            ),
          },
          { key: 'expected', header: t`Expected`, className: 'min-w-44', cell: (one) => <Expected of={one} /> },
          {
            key: 'files',
            header: t`Files`,
            className: 'max-sm:hidden',
            cell: ({ expected_files }) => (
              <span className="wrap-anywhere">
                {formatList([...new Set(expected_files.map(({ title }) => title ?? t`gone`))])}
              </span>
            ),
          },
          {
            key: 'actions',
            header: <ActionsHeader />,
            className: 'w-20 whitespace-nowrap',
            cell: (one) => (
              <>
                <IconButton label={t`Change ${one.question}`} icon={Pencil} onClick={() => setEdited(one)} />
                <IconButton label={t`Delete ${one.question}`} icon={Trash2} onClick={() => unawaited(remove(one))} />
              </>
            ),
          },
        ]}
      />
      <Pager page={page} pageSize={PER_PAGE} total={cases.total} onPage={onPage} />
      {edited && <CaseDialog agentId={agentId} setId={setId} edited={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function Expected({ of: { answerable, expected_answers, reference_answer } }: { of: EvaluationCase }) {
  if (!answerable)
    return (
      <span className="text-muted">
        <Trans>Should decline</Trans>
      </span>
    )
  return (
    <span dir="auto" className="line-clamp-3">
      {expected_answers.length > 0 ? expected_answers.join(' · ') : (reference_answer ?? '')}
    </span>
  )
}
