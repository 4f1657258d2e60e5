import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useMe, useWorkspaceId } from '../../../access/access.ts'
import { Button, IconButton } from '../../../ui/controls/button.tsx'
import { Pencil, Plus, Trash2 } from '../../../ui/icons.ts'
import { later } from '../../../ui/later.tsx'
import { Badge } from '../../../ui/notices/badge.tsx'
import { ReadProblem } from '../../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../../setting-section.tsx'
import { removeSourceApp, type SourceApp, useSourceApps } from '../integrations.queries.ts'
import { PROVIDER_NAMES, type SourceProvider } from './source-app-draft.ts'

const SourceAppForm = later(async () => (await import('./source-app-form.tsx')).SourceAppForm)

/** Apps with which people log in at providers of documents: those of the workspace, and those of the environment. */
export function SourceApps() {
  const { data, error, refetch } = useSourceApps()
  const [editing, setEditing] = useState<SourceApp | 'new' | null>(null)
  const [removing, setRemoving] = useState<SourceApp | null>(null)
  const workspaceId = useWorkspaceId()
  const mayChange = useMe().data?.key.scopes == null
  const taken = data?.apps.map(({ provider }) => provider) ?? []
  const free = (Object.keys(PROVIDER_NAMES) as SourceProvider[]).filter((provider) => !taken.includes(provider))
  return (
    <SettingSection
      title={t`Apps for logins`}
      about={t`People log in at Google, Microsoft, Notion, Atlassian or Slack by an app that you register there, once for all.`}
      actions={
        mayChange &&
        free.length > 0 && (
          <Button icon={Plus} onClick={() => setEditing('new')}>
            <Trans>Add an app</Trans>
          </Button>
        )
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      <ul className="space-y-3">
        {data?.apps.map((app) => (
          <AppRow
            key={app.provider}
            app={app}
            mayChange={mayChange && !app.is_by_environment}
            onChange={() => setEditing(app)}
            onRemove={() => setRemoving(app)}
          />
        ))}
      </ul>
      {editing && data && (
        <SourceAppForm
          app={editing === 'new' ? undefined : editing}
          free={free}
          redirectUrl={data.redirect_url}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={t`Remove the app at ${removing.name}?`}
          confirm={t`Remove`}
          act={() => removeSourceApp(workspaceId, removing.provider)}
          onClose={() => setRemoving(null)}
        >
          <Trans>
            Its secret is deleted. Folders that are linked by a login with it keep their files, and ask for a new login.
          </Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

interface AppRowProps {
  app: SourceApp
  mayChange: boolean
  onChange: () => void
  onRemove: () => void
}

function AppRow({ app, mayChange, onChange, onRemove }: AppRowProps) {
  const { name, client_id, secret_hint, tenant, is_by_environment } = app
  const about = [client_id, tenant, secret_hint && t`secret ${secret_hint}`]
  return (
    <li className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="font-semibold wrap-anywhere">{name}</h3>
          <p className="text-sm text-muted wrap-anywhere">{about.filter(Boolean).join(' · ')}</p>
        </div>
        <div className="flex items-center gap-1">
          {is_by_environment && (
            <Badge tone="quiet">
              <Trans>Set by the environment</Trans>
            </Badge>
          )}
          {mayChange && (
            <>
              <IconButton label={t`Change ${name}`} icon={Pencil} onClick={onChange} />
              <IconButton label={t`Remove ${name}`} icon={Trash2} onClick={onRemove} />
            </>
          )}
        </div>
      </div>
    </li>
  )
}
