import type { Quota } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { NoAccess, useIsAdmin, useWorkspaceId } from '../../access/access.ts'
import { formatExactTime } from '../../platform/format.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Pager } from '../../ui/controls/pager.tsx'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Gauge, Pencil, Plus, Trash2 } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { QuotaForm } from './quota-form.tsx'
import { QuotaUse } from './quota-use.tsx'
import { deleteQuota, QUOTAS_PER_PAGE, useQuotas, useSubjectNames } from './quotas.queries.ts'

/** Quotas of the workspace and their use. */
export function QuotasPage() {
  if (!useIsAdmin())
    return (
      <NoAccess>
        <Trans>Quotas are for keys of admins and owners of this workspace.</Trans>
      </NoAccess>
    )
  return <Quotas />
}

type Open = { kind: 'form'; quota: Quota | null } | { kind: 'delete'; quota: Quota }

function Quotas() {
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<Open | null>(null)
  const { data, error, refetch, isPlaceholderData } = useQuotas(page)
  const subjectName = useSubjectNames(data?.quotas ?? [])
  const workspaceId = useWorkspaceId()
  const close = () => setOpen(null)
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ kind: 'form', quota: null })}>
      <Trans>New quota</Trans>
    </Button>
  )
  return (
    <SettingSection
      title={t`Quotas`}
      about={t`Limits per calendar day or month, in UTC. Questions beyond a limit are refused until the next period; an answer under way is never cut.`}
      actions={data?.total !== 0 && add}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.total === 0 && (
        <EmptyState icon={Gauge} title={t`Nothing is limited`} action={add}>
          <Trans>
            Give each person a number of questions a day, a key a budget, or the whole workspace a limit for the month.
          </Trans>
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <Table
            label={t`Quotas`}
            columns={columns(subjectName, setOpen)}
            rows={data.quotas}
            rowKey={({ id }) => id}
            isStale={isPlaceholderData}
          />
          <Pager page={page} pageSize={QUOTAS_PER_PAGE} total={data.total} onPage={setPage} />
        </>
      )}
      {open?.kind === 'form' && (
        <QuotaForm quota={open.quota} name={open.quota && subjectName(open.quota.subject)} onClose={close} />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={t`Delete this quota?`}
          confirm={t`Delete`}
          act={() => deleteQuota(workspaceId, open.quota)}
          onClose={close}
        >
          <Trans>{subjectName(open.quota.subject)} may then use any amount, unless another quota says otherwise.</Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

const KINDS: Record<Quota['subject']['type'], string> = {
  workspace: t`All that is asked`,
  any_virtual_user: t`Who has no quota of their own`,
  virtual_user: t`Person`,
  api_key: t`API key`,
}

function periodOf({ period, resets_at }: Pick<Quota, 'period' | 'resets_at'>) {
  return (
    <>
      <span className="block">{period === 'day' ? t`Day` : t`Month`}</span>
      <span className="text-sm whitespace-nowrap text-muted" title={formatExactTime(resets_at)}>
        <Trans>anew</Trans> <Time iso={resets_at} isDue />
      </span>
    </>
  )
}

const columns = (subjectName: (subject: Quota['subject']) => string, onOpen: (open: Open) => void): Column<Quota>[] => [
  {
    key: 'subject',
    header: t`For`,
    className: 'sm:min-w-40',
    cell: ({ subject, ...quota }) => (
      <>
        <span className="block font-medium wrap-anywhere">{subjectName(subject)}</span>
        <span className="block text-sm text-muted">{KINDS[subject.type]}</span>
        <span className="mt-1 block sm:hidden">{periodOf(quota)}</span>
      </>
    ),
  },
  { key: 'use', header: t`Used`, className: 'w-1/2 sm:min-w-56', cell: (quota) => <QuotaUse quota={quota} /> },
  {
    key: 'period',
    header: t`In a`,
    className: 'max-sm:hidden',
    cell: periodOf,
  },
  {
    key: 'actions',
    header: <ActionsHeader />,
    cell: (quota) => (
      <span className="flex justify-end">
        <IconButton
          label={t`Change the quota of ${subjectName(quota.subject)}`}
          icon={Pencil}
          onClick={() => onOpen({ kind: 'form', quota })}
        />
        <IconButton
          label={t`Delete the quota of ${subjectName(quota.subject)}`}
          icon={Trash2}
          onClick={() => onOpen({ kind: 'delete', quota })}
        />
      </span>
    ),
  },
]
