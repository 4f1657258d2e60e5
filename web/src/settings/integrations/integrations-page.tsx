import type { Integration } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useIsAdmin, useMay } from '../../access/access.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FolderSync, Plus } from '../../ui/icons.ts'
import { later } from '../../ui/later.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { SourceApps } from './apps/source-apps.tsx'
import { IntegrationRow } from './integration-row.tsx'
import { deleteIntegration, isBackFromSource, useIntegrations } from './integrations.queries.ts'

const SourceReturn = later(async () => (await import('./source-return.tsx')).SourceReturn)
const IntegrationForm = later(async () => (await import('./integration-form.tsx')).IntegrationForm)

/** Folders that are synced from a source. */
export function IntegrationsPage() {
  const { data, error, isLoading, refetch } = useIntegrations()
  const [isBack] = useState(isBackFromSource)
  const [isMaking, setMaking] = useState(false)
  const [changing, setChanging] = useState<Integration | null>(null)
  const [deleting, setDeleting] = useState<Integration | null>(null)
  const mayChange = useMay('create_knowledgebase')
  const isAdmin = useIsAdmin()
  const create = mayChange && (
    <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
      <Trans>Link a source</Trans>
    </Button>
  )
  return (
    <>
      <SettingSection
        title={t`Integrations`}
        isWaiting={isLoading}
        about={t`Folders synced from a source: new files are added, changed files are indexed again, deleted files are removed.`}
        actions={data?.length ? create : undefined}
      >
        {error && <ReadProblem error={error} onRetry={refetch} />}
        {data?.length === 0 && (
          <EmptyState icon={FolderSync} title={t`No sources yet`} action={create}>
            <Trans>
              Link a web site, a git repository, a bucket or another folder: agents then answer from what is there, and
              you need not upload it.
            </Trans>
          </EmptyState>
        )}
        <ul className="space-y-3">
          {data?.map((integration) => (
            <IntegrationRow
              key={integration.id}
              integration={integration}
              mayChange={mayChange}
              onChange={() => setChanging(integration)}
              onDelete={() => setDeleting(integration)}
            />
          ))}
        </ul>
        {isBack && <SourceReturn />}
        {isMaking && <IntegrationForm onClose={() => setMaking(false)} />}
        {changing && <IntegrationForm integration={changing} onClose={() => setChanging(null)} />}
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
      {isAdmin && <SourceApps />}
    </>
  )
}
