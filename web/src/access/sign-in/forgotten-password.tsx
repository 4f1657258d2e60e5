import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Field, Input } from '../../ui/fields/field.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { signedInClient } from '../session.ts'

/** Dialog that has a link for a new password sent. It says the same whether there is such an account. */
export function ForgottenPassword({ initial, onClose }: { initial: string; onClose: () => void }) {
  const [email, setEmail] = useState(initial)
  const asking = useMutation({ mutationFn: () => signedInClient().links.requestPassword(email.trim()) })
  if (asking.isSuccess)
    return (
      <FormDialog title="Look into your mail" save="Done" onSave={onClose} onClose={onClose}>
        <p role="status">
          If there is an account with {email.trim()}, a link to set a new password is on its way. It works once, for an
          hour.
        </p>
      </FormDialog>
    )
  return (
    <FormDialog
      title="Forgot the password?"
      saving={{ error: null, isPending: asking.isPending }}
      save="Send a link"
      onSave={() => asking.mutate()}
      onClose={onClose}
    >
      <Field label="E-mail of the account" error={asking.error && explain(asking.error)}>
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
