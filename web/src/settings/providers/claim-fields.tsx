import { t } from '@lingui/core/macro'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input, Textarea } from '../../ui/fields/field.tsx'
import type { ProviderDraft } from './provider-draft.ts'

interface ClaimFieldsProps {
  draft: ProviderDraft
  set: (changes: Partial<ProviderDraft>) => void
}

type TextKey = 'scope' | 'emailVerifiedClaim' | 'roleClaim' | 'groupsClaim' | 'requiredClaim' | 'requiredValue'

/** Settings of a provider that most leave as they are. */
export function ClaimFields({ draft, set }: ClaimFieldsProps) {
  const line = (key: TextKey, label: string, hint?: string) => (
    <Field label={label} hint={hint}>
      {(control) => (
        <Input
          {...control}
          maxLength={300}
          spellCheck={false}
          value={draft[key]}
          onChange={({ target }) => set({ [key]: target.value })}
        />
      )}
    </Field>
  )
  const lines = (key: 'roles' | 'groups', label: string, placeholder: string) => (
    <Field label={label} hint={t`One a line, as value = meaning.`}>
      {(control) => (
        <Textarea
          {...control}
          rows={3}
          spellCheck={false}
          placeholder={placeholder}
          value={draft[key]}
          onChange={({ target }) => set({ [key]: target.value })}
        />
      )}
    </Field>
  )
  return (
    <div className="space-y-4 pt-3">
      {line('groupsClaim', t`Claim with groups`, t`Each sign-in puts the member into these groups of the workspace.`)}
      {lines('groups', t`Groups`, '3fa85f64-5717 = Sales')}
      {line('roleClaim', t`Claim with roles`, t`The highest one counts. Anyone without one gets the role above.`)}
      {lines('roles', t`Roles`, 'docent-admins = admin')}
      {line('requiredClaim', t`Required claim`, t`Anyone without it is refused, and loses the membership.`)}
      {line('requiredValue', t`Value of the required claim`)}
      <Field label={t`Claims come from`}>
        {(control) => (
          <Select
            {...control}
            value={draft.claimsFrom}
            onChange={({ target }) => set({ claimsFrom: target.value as ProviderDraft['claimsFrom'] })}
          >
            <option value="id_token">{t`The ID token`}</option>
            <option value="userinfo">{t`The userinfo endpoint`}</option>
          </Select>
        )}
      </Field>
      {line('emailVerifiedClaim', t`Claim that confirms the e-mail`, t`For Entra: xms_edov.`)}
      {line('scope', t`Scope`)}
      <Field label={t`The client proves itself by`}>
        {(control) => (
          <Select
            {...control}
            value={draft.clientAuth}
            onChange={({ target }) => set({ clientAuth: target.value as ProviderDraft['clientAuth'] })}
          >
            <option value="">{t`What fits the secret`}</option>
            <option value="client_secret_basic">{t`Secret in a header (basic)`}</option>
            <option value="client_secret_post">{t`Secret in the body (post)`}</option>
            <option value="none">{t`PKCE alone`}</option>
          </Select>
        )}
      </Field>
    </div>
  )
}
