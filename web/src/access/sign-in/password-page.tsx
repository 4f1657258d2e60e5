import { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button, buttonClass } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { useLinkToken } from '../link-token.ts'
import { checkSession } from '../session/session.ts'
import { wholeDocent } from '../session/whole-client.ts'
import { SecretField } from './secret-field.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** Page of a link for a forgotten password. */
export function PasswordPage() {
  const token = useLinkToken()
  const [password, setPassword] = useState('')
  const saving = useMutation({
    mutationFn: () => wholeDocent().links.setPassword(token, password),
    // All sessions of the account have ended, perhaps that of this browser among them.
    onSuccess: checkSession,
  })
  const isWeak = saving.error instanceof DocentError && saving.error.code === 'WEAK_PASSWORD'
  return (
    <SignInFrame title={t`New password`}>
      <p className="mt-4 font-display text-[1.6rem] leading-snug text-balance">
        <Trans>Choose a new password</Trans>
      </p>
      {saving.data ? (
        <div role="status" className="mt-8 space-y-4">
          <p>
            <Trans>
              The password of {saving.data.email} is changed. Every browser that was signed in is signed out.
            </Trans>
          </p>
          <Link to="/" replace className={buttonClass('primary', 'h-11 w-full')}>
            <Trans>Sign in</Trans>
          </Link>
        </div>
      ) : (
        <form
          className="mt-8 space-y-4"
          onSubmit={(event) => {
            event.preventDefault()
            saving.mutate()
          }}
        >
          <SecretField
            label={t`New password`}
            hint={t`At least 8 characters that are hard to guess: three or four words work well.`}
            autoComplete="new-password"
            autoFocus
            minLength={8}
            maxLength={200}
            error={isWeak ? explain(saving.error) : null}
            value={password}
            onChange={setPassword}
          />
          {saving.error && !isWeak && <Notice>{explain(saving.error)}</Notice>}
          <Button variant="primary" type="submit" isBusy={saving.isPending} className="h-11 w-full">
            <Trans>Change the password</Trans>
          </Button>
        </form>
      )}
    </SignInFrame>
  )
}
