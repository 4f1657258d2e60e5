import type { ConnectedApp } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { IconButton } from '../../ui/controls/button.tsx'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time, TimeOrNever } from '../../ui/data/time.tsx'
import { X } from '../../ui/icons.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { disconnectApp, useApps } from './account.queries.ts'

/** Apps that act for the person in this workspace. */
export function AppsSection() {
  const { data, error, isLoading, refetch } = useApps()
  const [ending, setEnding] = useState<ConnectedApp | null>(null)
  return (
    <SettingSection
      title={t`Connected apps`}
      isWaiting={isLoading}
      about={t`Programs that you let act for you in this workspace. They may do no more than you, and end after 30 days without use.`}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.apps.length === 0 && (
        <p className="text-muted">
          <Trans>No app is connected.</Trans>
        </p>
      )}
      {data && data.apps.length > 0 && (
        <Table label={t`Connected apps`} columns={columns(setEnding)} rows={data.apps} rowKey={({ id }) => id} />
      )}
      {ending && (
        <ConfirmDialog
          title={t`Disconnect ${ending.name}?`}
          confirm={t`Disconnect`}
          act={() => disconnectApp(ending)}
          onClose={() => setEnding(null)}
        >
          {t`It can no longer act for you. You can connect it again from the app.`}
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

const scopeNames = (): Record<ConnectedApp['scopes'][number], string> => ({
  agents: t`ask agents`,
  documents: t`read documents`,
  api: t`do all that you may`,
})

const columns = (onEnd: (app: ConnectedApp) => void): Column<ConnectedApp>[] => [
  {
    key: 'name',
    header: t`App`,
    className: 'min-w-44',
    cell: ({ name, scopes }) => (
      <>
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="block text-sm text-muted">{scopes.map((scope) => scopeNames()[scope]).join(', ')}</span>
      </>
    ),
  },
  { key: 'connected', header: t`Connected`, cell: ({ connected_at }) => <Time iso={connected_at} /> },
  {
    key: 'used',
    header: t`Last used`,
    cell: ({ last_used_at }) => <TimeOrNever iso={last_used_at} />,
  },
  {
    key: 'actions',
    header: <ActionsHeader />,
    className: 'w-px',
    cell: (app) => <IconButton label={t`Disconnect ${app.name}`} icon={X} onClick={() => onEnd(app)} />,
  },
]
