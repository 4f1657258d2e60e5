import type { CreateApiKey, CreatedApiKey, Identity } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe, useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CheckField, Select } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { KeyExpiryField, KeyNameField } from './key-fields.tsx'
import { KeyScopesFields, missingIn, NOT_NARROWED, type ScopeChoice, toScopes } from './key-scopes-fields.tsx'
import { expiryOf, PERMISSIONS, ROLES, rolesUpTo } from './key-words.ts'
import { createKey } from './keys.queries.ts'
import { type RateLimit, RateLimitFields } from './rate-limit-fields.tsx'

type Key = Identity['key']

interface KeyFormProps {
  onClose: () => void
  onMade: (key: CreatedApiKey) => void
}

/** Form to create a key with at most the rights of one's own. */
export function KeyForm({ onClose, onMade }: KeyFormProps) {
  const own = useMe().data!.key
  const workspaceId = useWorkspaceId()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Key['role']>('member')
  const [permissions, setPermissions] = useState<Key['permissions']>([])
  const [days, setDays] = useState(0)
  const [rateLimit, setRateLimit] = useState<RateLimit | null>(null)
  const [scopes, setScopes] = useState<ScopeChoice>(NOT_NARROWED)
  const making = useMutation({
    mutationFn: () => {
      const key: CreateApiKey = {
        name: name.trim(),
        role,
        permissions: role === 'member' ? permissions : [],
        expires_at: expiryOf(days),
        scopes: toScopes(scopes),
        rate_limit: rateLimit,
      }
      return createKey(workspaceId, key)
    },
    onSuccess: onMade,
  })
  const missing = missingIn(scopes)
  return (
    <Dialog title={t`New API key`} width="wide" isForm onClose={onClose}>
      <form
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault()
          making.mutate()
        }}
      >
        <KeyNameField
          hint={t`Who or what uses it, so that you recognize it when you revoke it.`}
          name={name}
          onChange={setName}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={t`Role`} hint={ROLES.find((one) => one.role === role)!.about}>
            {(control) => (
              <Select {...control} value={role} onChange={({ target }) => setRole(target.value as Key['role'])}>
                {rolesUpTo(own.role).map((one) => (
                  <option key={one.role} value={one.role}>
                    {one.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <KeyExpiryField days={days} onChange={setDays} />
        </div>
        {role === 'member' && own.permissions.length > 0 && (
          <fieldset>
            <legend className="mb-2 font-medium">
              <Trans>Permissions</Trans>
            </legend>
            <div className="space-y-2.5">
              {own.permissions.map((permission) => (
                <CheckField
                  key={permission}
                  label={PERMISSIONS[permission]?.name ?? permission}
                  hint={PERMISSIONS[permission]?.about}
                  checked={permissions.includes(permission)}
                  onChange={({ target }) =>
                    setPermissions((all) =>
                      target.checked ? [...all, permission] : all.filter((one) => one !== permission),
                    )
                  }
                />
              ))}
            </div>
          </fieldset>
        )}
        <RateLimitFields limit={rateLimit} onChange={setRateLimit} />
        <KeyScopesFields choice={scopes} onChange={setScopes} />
        {making.error && <Notice>{explain(making.error)}</Notice>}
        <div className="flex flex-wrap items-center justify-end gap-2">
          {missing && <p className="min-w-0 flex-1 text-sm text-muted">{missing}</p>}
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" type="submit" isBusy={making.isPending} disabled={!name.trim() || missing !== null}>
            <Trans>Create key</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
