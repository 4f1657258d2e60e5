import { DocentError } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { signInWithCode } from '../session.ts'
import { CodeField } from './code-field.tsx'

interface SecondFactorFormProps {
  onSignedIn?: () => void
  /** Called to enter e-mail and password again. */
  onStartAgain: () => void
}

/** Second step of a sign-in: the password was right, and the code of the app is to follow. */
export function SecondFactorForm({ onSignedIn, onStartAgain }: SecondFactorFormProps) {
  const [code, setCode] = useState('')
  const [isLost, setLost] = useState(false)
  const attempt = useMutation({ mutationFn: () => signInWithCode(code.trim()), onSuccess: onSignedIn })
  const isOver = attempt.error instanceof DocentError && attempt.error.code === 'SIGN_IN_EXPIRED'
  return (
    <form
      className="mt-8 space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        attempt.mutate()
      }}
    >
      <CodeField
        key={String(isLost)}
        label={isLost ? 'Recovery code' : 'Code'}
        hint={
          isLost
            ? 'One of the ten that you saved. Each works once.'
            : 'The six digits that your authenticator app shows.'
        }
        isRecovery={isLost}
        value={code}
        onChange={setCode}
      />
      {attempt.error && <Notice>{explain(attempt.error)}</Notice>}
      {!isOver && (
        <Button variant="primary" type="submit" isBusy={attempt.isPending} className="h-11 w-full">
          Sign in
        </Button>
      )}
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-2">
        <button
          type="button"
          onClick={() => {
            setCode('')
            setLost(!isLost)
          }}
          className="rounded-control font-medium text-accent hover:underline"
        >
          {isLost ? 'Use the app' : 'Lost the app?'}
        </button>
        <button
          type="button"
          onClick={onStartAgain}
          className="rounded-control font-medium text-accent hover:underline"
        >
          Start again
        </button>
      </div>
      {isLost && (
        <p className="text-sm text-muted text-pretty">
          No code left? An admin of your workspace can turn the second factor off.
        </p>
      )}
    </form>
  )
}
