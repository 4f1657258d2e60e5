import type { SignInProvider } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../../access/access.ts'
import { fieldErrors } from '../../platform/errors.ts'
import { CopyBox } from '../../ui/controls/copy-button.tsx'
import { CheckField } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { TagInput } from '../../ui/fields/tag-input.tsx'
import { Fold } from '../../ui/layout/fold.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { RoleField } from '../members/member-fields.tsx'
import { ClaimFields } from './claim-fields.tsx'
import { draftOf, idOf, NEW_PROVIDER, type ProviderDraft, toFields } from './provider-draft.ts'
import { ProviderTest } from './provider-test.tsx'
import { addProvider, changeProvider } from './providers.queries.ts'

/** Fields that are outside the fold, and show what is wrong with them. */
const SHOWN = ['name', 'id', 'issuer', 'client_id', 'client_secret', 'domains']

interface ProviderFormProps {
  /** Absent for a new one. */
  provider?: SignInProvider
  redirectBase: string
  onClose: () => void
}

/** Adds a provider, or changes one. */
export function ProviderForm({ provider, redirectBase, onClose }: ProviderFormProps) {
  const workspaceId = useWorkspaceId()
  const [draft, setDraft] = useState<ProviderDraft>(() => (provider ? draftOf(provider) : NEW_PROVIDER))
  function set(changes: Partial<ProviderDraft>) {
    setDraft((before) => ({ ...before, ...changes }))
    // A field that was refused may be right now.
    saving.reset()
  }
  const id = idOf(draft)
  const saving = useMutation({
    mutationFn: () =>
      provider
        ? changeProvider(workspaceId, provider.id, toFields(draft))
        : addProvider(workspaceId, { id, ...toFields(draft) }),
    onSuccess: onClose,
  })
  const { errorAt, unlessShown } = fieldErrors(SHOWN, [saving.error])
  const text = (key: 'name' | 'issuer' | 'clientId' | 'secret') => ({
    dir: undefined,
    autoComplete: 'off',
    spellCheck: false,
    value: draft[key],
    onChange: ({ target }: { target: HTMLInputElement }) => set({ [key]: target.value }),
  })
  return (
    <FormDialog
      title={provider ? t`Change “${provider.name}”` : t`Add a sign-in provider`}
      width="wide"
      saving={{ error: unlessShown(saving.error), isPending: saving.isPending }}
      save={provider ? t`Save` : t`Add it`}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <Field label={t`Name`} hint={t`Shown on the button of the sign-in page.`} error={errorAt('name')}>
        {(control) => <Input {...control} {...text('name')} required autoFocus={!provider} maxLength={60} />}
      </Field>
      {!provider && (
        <Field label={t`Id`} hint={t`The end of the redirect URI. It cannot be changed later.`} error={errorAt('id')}>
          {(control) => (
            <Input
              {...control}
              required
              maxLength={40}
              pattern="[a-z0-9][a-z0-9\-]*"
              title={t`lower-case letters, digits and hyphens`}
              spellCheck={false}
              value={id}
              onChange={({ target }) => set({ id: target.value })}
            />
          )}
        </Field>
      )}
      <div>
        <p className="mb-1.5 font-medium">
          <Trans>Redirect URI</Trans>
        </p>
        <CopyBox label={t`The redirect URI`} text={redirectBase + id} />
        <p className="mt-1.5 text-sm text-muted">
          <Trans>Register it at the provider, exactly like this.</Trans>
        </p>
      </div>
      <Field
        label={t`Issuer`}
        hint={t`As the provider calls itself, such as https://login.example.com.`}
        error={errorAt('issuer')}
      >
        {(control) => <Input {...control} {...text('issuer')} type="url" required maxLength={300} />}
      </Field>
      <Field label={t`Client id`} error={errorAt('client_id')}>
        {(control) => <Input {...control} {...text('clientId')} required maxLength={300} />}
      </Field>
      <Field
        label={t`Client secret`}
        hint={
          provider?.has_secret
            ? t`Leave it empty to keep the one that is stored.`
            : t`Stored encrypted, and never shown again. Empty for a client without one.`
        }
        error={errorAt('client_secret')}
      >
        {(control) => (
          <Input {...control} {...text('secret')} type="password" autoComplete="new-password" maxLength={300} />
        )}
      </Field>
      <Field
        label={t`Domains that are let in`}
        hint={t`People with a confirmed e-mail of these domains. None: only people who linked the provider to their account.`}
        error={errorAt('domains')}
      >
        {(control) => (
          <TagInput
            id={control.id}
            tags={draft.domains}
            onChange={(domains) => set({ domains })}
            maxLength={253}
            placeholder="example.com"
          />
        )}
      </Field>
      <CheckField
        label={t`Make an account when somebody first signs in`}
        hint={t`Otherwise only members may sign in with it.`}
        checked={draft.makesAccounts}
        onChange={({ target }) => set({ makesAccounts: target.checked })}
      />
      <RoleField role={draft.defaultRole} onChange={(defaultRole) => set({ defaultRole })} />
      <Fold summary={t`Claims, groups and roles`} className="space-y-4">
        <ClaimFields draft={draft} set={set} />
      </Fold>
      <ProviderTest draft={draft} id={provider?.id} />
    </FormDialog>
  )
}
