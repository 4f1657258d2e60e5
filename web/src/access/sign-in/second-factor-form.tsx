import { DocentError, type WebSession } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { signInWithCode, signInWithSecondPasskey } from '../session/session.ts'
import { CodeField } from './code-field.tsx'

interface SecondFactorFormProps {
  kinds: WebSession['second_factors']
  onSignedIn?: () => void
  /** Called to enter e-mail and password again. */
  onStartAgain: () => void
}

/** Second step of a sign-in: the password was right, and a code of the app or a passkey is to follow. */
export function SecondFactorForm({ kinds, onSignedIn, onStartAgain }: SecondFactorFormProps) {
  const [code, setCode] = useState('')
  const [isLost, setLost] = useState(false)
  const attempt = useMutation({ mutationFn: () => signInWithCode(code.trim()), onSuccess: () => onSignedIn?.() })
  const asking = useMutation({ mutationFn: signInWithSecondPasskey, onSuccess: () => onSignedIn?.() })
  const error = attempt.error ?? asking.error
  const isOver = error instanceof DocentError && error.code === 'SIGN_IN_EXPIRED'
  const hasCode = kinds.includes('code')
  const byPasskey = kinds.includes('passkey') && !isOver && (
    <Button
      variant={hasCode ? undefined : 'primary'}
      isBusy={asking.isPending}
      onClick={() => {
        attempt.reset()
        asking.mutate()
      }}
      className="h-11 w-full"
    >
      <Trans>Use a passkey</Trans>
    </Button>
  )
  const startAgain = (
    <button type="button" onClick={onStartAgain} className="rounded-control font-medium text-accent hover:underline">
      <Trans>Start again</Trans>
    </button>
  )
  if (!hasCode)
    return (
      <div className="mt-8 space-y-4">
        <p className="text-pretty">
          <Trans>Your password is right. A passkey of your account is asked for as well.</Trans>
        </p>
        {error && <Notice>{explain(error)}</Notice>}
        {byPasskey}
        {startAgain}
        <p className="text-sm text-muted text-pretty">
          <Trans>Lost your passkeys? An admin of your workspace can turn the second factor off.</Trans>
        </p>
      </div>
    )
  return (
    <form
      className="mt-8 space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        asking.reset()
        attempt.mutate()
      }}
    >
      <CodeField
        key={String(isLost)}
        label={isLost ? t`Recovery code` : t`Code`}
        hint={
          isLost
            ? t`One of the ten that you saved. Each works once.`
            : t`The six digits that your authenticator app shows.`
        }
        isRecovery={isLost}
        value={code}
        onChange={setCode}
      />
      {error && <Notice>{explain(error)}</Notice>}
      {!isOver && (
        <Button variant="primary" type="submit" isBusy={attempt.isPending} className="h-11 w-full">
          <Trans>Sign in</Trans>
        </Button>
      )}
      {byPasskey}
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-2">
        <button
          type="button"
          onClick={() => {
            setCode('')
            setLost(!isLost)
          }}
          className="rounded-control font-medium text-accent hover:underline"
        >
          {isLost ? t`Use the app` : t`Lost the app?`}
        </button>
        {startAgain}
      </div>
      {isLost && (
        <p className="text-sm text-muted text-pretty">
          <Trans>No code left? An admin of your workspace can turn the second factor off.</Trans>
        </p>
      )}
    </form>
  )
}
