import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../../../access/access.ts'
import { fieldErrors } from '../../../platform/errors.ts'
import { CopyBox } from '../../../ui/controls/copy-button.tsx'
import { Select } from '../../../ui/fields/choice.tsx'
import { Field, Input } from '../../../ui/fields/field.tsx'
import { KeyField } from '../../../ui/fields/vendor-fields.tsx'
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx'
import { putSourceApp, type SourceApp } from '../integrations.queries.ts'
import { draftOf, PROVIDER_NAMES, type SourceAppDraft, type SourceProvider, toFields } from './source-app-draft.ts'

/** Fields that show what is wrong with them. */
const SHOWN = ['client_id', 'client_secret', 'tenant']

interface SourceAppFormProps {
  /** Absent for a new one. */
  app?: SourceApp
  /** Providers that have none. */
  free: SourceProvider[]
  redirectUrl: string
  onClose: () => void
}

/** Adds the app at a provider, or changes it. */
export function SourceAppForm({ app, free, redirectUrl, onClose }: SourceAppFormProps) {
  const workspaceId = useWorkspaceId()
  const [draft, setDraft] = useState<SourceAppDraft>(() => draftOf(app?.provider ?? free[0]!, app))
  const saving = useMutation({
    mutationFn: () => putSourceApp(workspaceId, draft.provider, toFields(draft, app)),
    onSuccess: onClose,
  })
  function set(changes: Partial<SourceAppDraft>) {
    setDraft((before) => ({ ...before, ...changes }))
    // A field that was refused may be right now.
    saving.reset()
  }
  const { errorAt, unlessShown } = fieldErrors(SHOWN, [saving.error])
  return (
    <FormDialog
      title={app ? t`Change the app at ${app.name}` : t`Add an app`}
      saving={{ error: unlessShown(saving.error), isPending: saving.isPending }}
      save={app ? t`Save` : t`Add it`}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      {!app && (
        <Field label={t`Provider`}>
          {(control) => (
            <Select
              {...control}
              value={draft.provider}
              onChange={({ target }) => set({ provider: target.value as SourceProvider })}
            >
              {free.map((provider) => (
                <option key={provider} value={provider}>
                  {PROVIDER_NAMES[provider]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <div>
        <p className="mb-1.5 font-medium">
          <Trans>Redirect URI</Trans>
        </p>
        <CopyBox label={t`The redirect URI`} text={redirectUrl} />
        <p className="mt-1.5 text-sm text-muted">
          <Trans>Register it at the provider, exactly like this.</Trans>
        </p>
      </div>
      <Field label={t`Client id`} error={errorAt('client_id')}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={300}
            autoComplete="off"
            spellCheck={false}
            value={draft.clientId}
            onChange={({ target }) => set({ clientId: target.value })}
          />
        )}
      </Field>
      <KeyField
        label={t`Client secret`}
        hint={secretHint(app)}
        error={errorAt('client_secret')}
        required={!app}
        value={draft.secret}
        onChange={(secret) => set({ secret })}
      />
      {draft.provider === 'microsoft' && (
        <Field
          label={t`Tenant`}
          hint={t`Organization whose people may log in, by its id or domain; empty for everybody.`}
          error={errorAt('tenant')}
        >
          {(control) => (
            <Input
              {...control}
              maxLength={255}
              spellCheck={false}
              value={draft.tenant}
              onChange={({ target }) => set({ tenant: target.value })}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}

function secretHint(app: SourceApp | undefined): string {
  if (!app) return t`Stored encrypted, and never shown again.`
  const { secret_hint } = app
  return secret_hint
    ? t`Leave it empty to keep the one that ends with ${secret_hint}. Another app needs it again.`
    : t`Leave it empty to keep the one that is stored. Another app needs it again.`
}
