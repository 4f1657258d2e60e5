import type { ModelProviderSettings } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe, useWorkspaceId } from '../../access/access.ts'
import { cx } from '../../ui/class-names.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Brain, Pencil, Plus, Trash2 } from '../../ui/icons.ts'
import { later } from '../../ui/later.tsx'
import { Badge } from '../../ui/notices/badge.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { removeModelProvider, testModelProvider, useModelProviders } from './models.queries.ts'
import { PROVIDER_KINDS } from './provider-kinds.ts'
import { ProviderOutcome } from './provider-outcome.tsx'

const ProviderForm = later(async () => (await import('./provider-form.tsx')).ProviderForm)

/** Providers whose models agents can use: those that the workspace connected, and those of the environment. */
export function ModelProviders() {
  const { data: providers, error, isLoading, refetch } = useModelProviders()
  const [editing, setEditing] = useState<ModelProviderSettings | 'new' | null>(null)
  const [removing, setRemoving] = useState<ModelProviderSettings | null>(null)
  const workspaceId = useWorkspaceId()
  const isNarrowed = useMe().data?.key.scopes != null
  const add = !isNarrowed && (
    <Button variant="primary" icon={Plus} onClick={() => setEditing('new')}>
      <Trans>Connect a provider</Trans>
    </Button>
  )
  return (
    <SettingSection
      title={t`Model providers`}
      isWaiting={isLoading}
      about={t`Agents answer with models of these providers. Questions and the passages found for them are sent there.`}
      actions={providers?.length ? add : undefined}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {providers?.length === 0 && (
        <EmptyState icon={Brain} title={t`No model is connected`} action={add}>
          <Trans>
            Until then agents quote sentences of their documents. With a model they answer in words of their own, use
            tools, and see pictures.
          </Trans>
        </EmptyState>
      )}
      <ul className="space-y-3">
        {providers?.map((provider) => (
          <ProviderRow
            key={provider.name}
            provider={provider}
            mayChange={!isNarrowed}
            onChange={() => setEditing(provider)}
            onRemove={() => setRemoving(provider)}
          />
        ))}
      </ul>
      {editing && providers && (
        <ProviderForm
          provider={editing === 'new' ? undefined : editing}
          taken={providers.map(({ name }) => name)}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={t`Remove “${removing.label}”?`}
          confirm={t`Remove`}
          act={() => removeModelProvider(workspaceId, removing)}
          onClose={() => setRemoving(null)}
        >
          <Trans>Its key is deleted, and its models can no longer be chosen.</Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

interface ProviderRowProps {
  provider: ModelProviderSettings
  mayChange: boolean
  onChange: () => void
  onRemove: () => void
}

function ProviderRow({ provider, mayChange, onChange, onRemove }: ProviderRowProps) {
  const { name, kind, base_url, key_hint, has_key, source } = provider
  const workspaceId = useWorkspaceId()
  const testing = useMutation({ mutationFn: () => testModelProvider(workspaceId, name) })
  const isOwn = source === 'workspace'
  const label = isOwn ? provider.label : PROVIDER_KINDS[kind].name
  const about = [
    label !== PROVIDER_KINDS[kind].name && PROVIDER_KINDS[kind].name,
    isOwn && (base_url ?? PROVIDER_KINDS[kind].address),
    key_hint ? t`key ${key_hint}` : has_key ? t`with a key` : t`without a key`,
  ]
  return (
    <li className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="font-semibold wrap-anywhere">{label}</h3>
          <p className="text-sm text-muted wrap-anywhere">{about.filter(Boolean).join(' · ')}</p>
        </div>
        <div className={cx('flex items-center', isOwn ? 'gap-1' : 'gap-3')}>
          {!isOwn && (
            <Badge tone="quiet">
              <Trans>Set by the environment</Trans>
            </Badge>
          )}
          {mayChange && (
            <Button isBusy={testing.isPending} aria-label={t`Test ${label}`} onClick={() => testing.mutate()}>
              <Trans>Test</Trans>
            </Button>
          )}
          {mayChange && isOwn && (
            <>
              <IconButton label={t`Change ${label}`} icon={Pencil} onClick={onChange} />
              <IconButton label={t`Remove ${label}`} icon={Trash2} onClick={onRemove} />
            </>
          )}
        </div>
      </div>
      {(testing.data || testing.error) && !testing.isPending && (
        <div className="mt-2">
          <ProviderOutcome tested={testing.data} error={testing.error} />
        </div>
      )}
    </li>
  )
}
