import type { ModelProviderSettings } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../../access/access.ts'
import { fieldErrors } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { AddressField, KeyField } from '../../ui/fields/vendor-fields.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { putModelProvider, testModelProvider } from './models.queries.ts'
import { draftOf, isComplete, NEW_PROVIDER, nameOf, type ProviderDraft, toFields } from './provider-draft.ts'
import { PROVIDER_KINDS, type ProviderKind } from './provider-kinds.ts'
import { ProviderOutcome } from './provider-outcome.tsx'

/** Fields that show what is wrong with them. */
const SHOWN = ['kind', 'name', 'base_url', 'api_key']

interface ProviderFormProps {
  /** Absent for a new one. */
  provider?: ModelProviderSettings
  /** Names of those that are there. */
  taken: string[]
  onClose: () => void
}

/** Connects a provider of models, or changes one. */
export function ProviderForm({ provider, taken, onClose }: ProviderFormProps) {
  const workspaceId = useWorkspaceId()
  const [draft, setDraft] = useState<ProviderDraft>(() => (provider ? draftOf(provider) : NEW_PROVIDER))
  const name = nameOf(draft, taken)
  const kind = PROVIDER_KINDS[draft.kind]
  const hasKey = provider?.has_key === true
  const saving = useMutation({
    mutationFn: () => putModelProvider(workspaceId, name, toFields(draft)),
    onSuccess: onClose,
  })
  const testing = useMutation({ mutationFn: () => testModelProvider(workspaceId, name, toFields(draft)) })
  function set(changes: Partial<ProviderDraft>) {
    setDraft((before) => ({ ...before, ...changes }))
    // A field that was refused may be right now, and what was tested is no longer what is here.
    saving.reset()
    testing.reset()
  }
  const { errorAt, unlessShown } = fieldErrors(SHOWN, [saving.error, testing.error])
  // The list may have it before the dialog closes.
  const isNameTaken = !provider && !saving.isPending && !saving.isSuccess && taken.includes(name)
  return (
    <FormDialog
      title={provider ? t`Change “${provider.label}”` : t`Connect a model provider`}
      saving={{ error: unlessShown(saving.error), isPending: saving.isPending }}
      save={provider ? t`Save` : t`Connect`}
      isDisabled={isNameTaken}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      {!provider && (
        <Field label={t`Provider`} error={errorAt('kind')}>
          {(control) => (
            <Select
              {...control}
              value={draft.kind}
              onChange={({ target }) => set({ kind: target.value as ProviderKind })}
            >
              {Object.entries(PROVIDER_KINDS).map(([id, { name }]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <KeyField
        label={t`API key`}
        hint={keyHint(provider, kind.keyHint)}
        error={errorAt('api_key')}
        autoFocus={!provider}
        required={kind.needsKey && !hasKey && draft.address.trim() === ''}
        value={draft.key}
        onChange={(key) => set({ key })}
      />
      <AddressField
        label={t`Address`}
        hint={kind.needsAddress ? undefined : t`Only for a gateway in front of ${kind.name}.`}
        error={errorAt('base_url')}
        required={kind.needsAddress}
        placeholder={kind.address}
        value={draft.address}
        onChange={(address) => set({ address })}
      />
      {!provider && (
        <Field
          label={t`Name`}
          hint={t`The ids of its models begin with it: ${name}/MODEL. It cannot be changed later.`}
          error={isNameTaken ? t`Another provider has this name.` : errorAt('name')}
        >
          {(control) => (
            <Input
              {...control}
              required
              maxLength={40}
              pattern="[a-z][a-z0-9\-]*"
              title={t`lower-case letters, digits and hyphens, a letter first`}
              spellCheck={false}
              className="font-mono text-sm"
              value={name}
              onChange={({ target }) => set({ name: target.value })}
            />
          )}
        </Field>
      )}
      <div className="space-y-2">
        <Button
          isBusy={testing.isPending}
          disabled={!isComplete(draft, hasKey) || isNameTaken}
          onClick={() => testing.mutate()}
        >
          <Trans>Test</Trans>
        </Button>
        <ProviderOutcome tested={testing.data} error={unlessShown(testing.error)} />
      </div>
    </FormDialog>
  )
}

function keyHint(provider: ModelProviderSettings | undefined, source: string): string {
  if (!provider?.has_key) return t`${source} Stored encrypted, and never shown again.`
  const { key_hint } = provider
  return key_hint
    ? t`Leave it empty to keep the one that ends with ${key_hint}. Another address needs it again.`
    : t`Leave it empty to keep the one that is stored. Another address needs it again.`
}
