import type { SignInProvider } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { NoAccess, useIsAdmin, useMe, useWorkspaceId } from '../../access/access.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { KeyRound, Pencil, Plus, Trash2 } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { ProviderForm } from './provider-form.tsx'
import { removeProvider, useProviders } from './providers.queries.ts'

/** OpenID Connect providers by which people sign in. */
export function ProvidersPage() {
  const isAdmin = useIsAdmin()
  if (!isAdmin)
    return (
      <NoAccess>
        <Trans>Sign-in providers are for admins and owners.</Trans>
      </NoAccess>
    )
  return <Providers />
}

function Providers() {
  const { data, error, refetch } = useProviders()
  const [editing, setEditing] = useState<SignInProvider | 'new' | null>(null)
  const [removing, setRemoving] = useState<SignInProvider | null>(null)
  const workspaceId = useWorkspaceId()
  const isNarrowed = useMe().data?.key.scopes != null
  const add = !isNarrowed && (
    <Button variant="primary" icon={Plus} onClick={() => setEditing('new')}>
      <Trans>Add a provider</Trans>
    </Button>
  )
  return (
    <SettingSection
      title={t`Sign-in providers`}
      about={t`People sign in with Google, Entra, Okta, Keycloak or any other OpenID Connect provider. A change counts at once.`}
      actions={data?.sign_in_providers.length ? add : undefined}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.sign_in_providers.length === 0 && (
        <EmptyState icon={KeyRound} title={t`No providers yet`} action={add}>
          <Trans>
            With a provider, people use the account that they have at your company, and need no password here.
          </Trans>
        </EmptyState>
      )}
      <ul className="space-y-3">
        {data?.sign_in_providers.map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            mayChange={!isNarrowed && provider.can_change}
            onChange={() => setEditing(provider)}
            onRemove={() => setRemoving(provider)}
          />
        ))}
      </ul>
      {editing && data && (
        <ProviderForm
          provider={editing === 'new' ? undefined : editing}
          redirectBase={data.redirect_base}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={t`Remove “${removing.name}”?`}
          confirm={t`Remove`}
          act={() => removeProvider(workspaceId, removing)}
          onClose={() => setRemoving(null)}
        >
          <Trans>
            Nobody signs in with it any more. People without a password need a link for a new one; those who are signed
            in stay signed in.
          </Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

interface ProviderRowProps {
  provider: SignInProvider
  mayChange: boolean
  onChange: () => void
  onRemove: () => void
}

function ProviderRow({ provider, mayChange, onChange, onRemove }: ProviderRowProps) {
  const { name, issuer, domains, redirect_uri, is_by_environment, can_change } = provider
  return (
    <li className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="font-semibold wrap-anywhere">{name}</h3>
          <p className="text-sm text-muted wrap-anywhere">{issuer}</p>
        </div>
        <div className="flex items-center gap-1">
          {is_by_environment && (
            <Badge tone="quiet">
              <Trans>Set by the environment</Trans>
            </Badge>
          )}
          {!is_by_environment && !can_change && (
            <Badge tone="quiet">
              <Trans>Set by an owner</Trans>
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
      <p className="mt-2 text-sm">
        {domains.length > 0 ? t`Lets in ${domains.join(', ')}` : t`Admits people who linked it to their account`}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <span className="wrap-anywhere">
          <Trans>
            Redirect URI: <code>{redirect_uri}</code>
          </Trans>
        </span>
        <CopyButton text={redirect_uri} label={t`Copy the redirect URI`} />
      </div>
    </li>
  )
}
