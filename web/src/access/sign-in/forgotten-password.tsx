import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Field, Input } from '../../ui/fields/field.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { wholeDocent } from '../session/whole-client.ts'

/** Dialog that has a link for a new password sent. It says the same whether there is such an account. */
export function ForgottenPassword({ initial, onClose }: { initial: string; onClose: () => void }) {
  const [email, setEmail] = useState(initial)
  const asking = useMutation({ mutationFn: () => wholeDocent().links.requestPassword(email.trim()) })
  if (asking.isSuccess)
    return (
      <FormDialog title={t`Look into your mail`} save={t`Done`} onSave={onClose} onClose={onClose}>
        <p role="status">
          <Trans>
            If there is an account with {email.trim()}, a link to set a new password is on its way. It works once, for
            an hour.
          </Trans>
        </p>
      </FormDialog>
    )
  return (
    <FormDialog
      title={t`Forgot the password?`}
      saving={{ error: null, isPending: asking.isPending }}
      save={t`Send a link`}
      onSave={() => asking.mutate()}
      onClose={onClose}
    >
      <Field label={t`E-mail of the account`} error={asking.error && explain(asking.error)}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            autoFocus
            required
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
