import type { Integration } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../access/access.ts'
import { folderById } from '../../drive/drive.ts'
import { explain } from '../../platform/errors.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { FolderSync, Plus, RefreshCw, Trash2 } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { SettingSection } from '../setting-section.tsx'
import { IntegrationForm } from './integration-form.tsx'
import { INTEGRATION_KINDS } from './integration-kinds.ts'
import { deleteIntegration, syncIntegration, useIntegrations } from './integrations.queries.ts'

/** Folders that are synced from a source. */
export function IntegrationsPage() {
  const { data, error, refetch } = useIntegrations()
  const [isMaking, setMaking] = useState(false)
  const [deleting, setDeleting] = useState<Integration | null>(null)
  const mayChange = useMay('create_knowledgebase')
  const create = mayChange && (
    <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
      <Trans>Link a source</Trans>
    </Button>
  )
  return (
    <SettingSection
      title={t`Integrations`}
      about={t`Folders synced from a source: new files are added, changed files are indexed again, deleted files are removed.`}
      actions={data?.length ? create : undefined}
    >
      {error && (
        <Notice
          action={
            <Button onClick={() => refetch()}>
              <Trans>Try again</Trans>
            </Button>
          }
        >
          {explain(error)}
        </Notice>
      )}
      {data?.length === 0 && (
        <EmptyState icon={FolderSync} title={t`No sources yet`} action={create}>
          <Trans>
            Link a folder of the server: agents then answer from what lies there, and you need not upload it.
          </Trans>
        </EmptyState>
      )}
      <ul className="space-y-3">
        {data?.map((integration) => (
          <IntegrationRow
            key={integration.id}
            integration={integration}
            mayChange={mayChange}
            onDelete={() => setDeleting(integration)}
          />
        ))}
      </ul>
      {isMaking && <IntegrationForm onClose={() => setMaking(false)} />}
      {deleting && (
        <ConfirmDialog
          title={t`Unlink this source?`}
          confirm={t`Unlink and delete the folder`}
          act={() => deleteIntegration(deleting.id)}
          onClose={() => setDeleting(null)}
        >
          <Trans>
            Its folder is deleted with all its files, and agents no longer answer from them. At the source itself
            nothing changes.
          </Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

interface IntegrationRowProps {
  integration: Integration
  mayChange: boolean
  onDelete: () => void
}

function IntegrationRow({ integration, mayChange, onDelete }: IntegrationRowProps) {
  const { id, kind, knowledge_base_id, status, last_synced_at, error_message, config } = integration
  const { data: folder } = useQuery(folderById(knowledge_base_id))
  const syncing = useMutation({
    mutationFn: () => syncIntegration(id),
    onError: (error) => toast(explain(error), { isError: true }),
  })
  return (
    <li className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <Link
            to="/drive/$folderId"
            params={{ folderId: knowledge_base_id }}
            className="font-semibold text-accent hover:underline"
          >
            {folder?.name ?? '…'}
          </Link>
          <p className="text-sm text-muted wrap-anywhere">
            {INTEGRATION_KINDS[kind]?.name ?? kind} {typeof config.path === 'string' && <code>{config.path}</code>}
          </p>
        </div>
        <div className="flex items-center gap-3">
          {status === 'syncing' && (
            <Badge tone="busy">
              <Trans>Syncing</Trans>
            </Badge>
          )}
          {status === 'failed' && (
            <Badge tone="bad">
              <Trans>Failed</Trans>
            </Badge>
          )}
          {status === 'idle' && (
            <Badge tone={error_message ? 'quiet' : 'good'}>
              <Trans>In sync</Trans>
            </Badge>
          )}
          {mayChange && (
            <>
              <Button icon={RefreshCw} isBusy={syncing.isPending} onClick={() => syncing.mutate()}>
                <Trans>Sync now</Trans>
              </Button>
              <IconButton label={t`Unlink ${folder?.name ?? t`this source`}`} icon={Trash2} onClick={onDelete} />
            </>
          )}
        </div>
      </div>
      {error_message && (
        <p className="mt-2 rounded-control bg-bad-soft px-3 py-2 text-sm wrap-anywhere">{error_message}</p>
      )}
      <p className="mt-2 text-sm text-muted">
        {last_synced_at ? (
          <>
            <Trans>Last synced</Trans> <Time iso={last_synced_at} />
          </>
        ) : (
          t`Not synced yet`
        )}
      </p>
    </li>
  )
}
