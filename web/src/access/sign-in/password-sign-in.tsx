import { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { signInOptions } from '../access.queries.ts'
import { signInWithPassword } from '../session/session.ts'
import { ForgottenPassword } from './forgotten-password.tsx'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { SecretField } from './secret-field.tsx'

const PasskeySignIn = lazy(() => import('./passkey-sign-in.tsx'))

/** Form to sign in to an account. */
export function PasswordSignIn() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isForgotten, setForgotten] = useState(false)
  const options = useQuery(signInOptions)
  const byEmail = options.data?.password_by_email === true
  const attempt = useMutation({ mutationFn: () => signInWithPassword(email.trim(), password) })
  if (attempt.data?.state === 'second_factor')
    return <SecondFactorForm kinds={attempt.data.second_factors} onStartAgain={attempt.reset} />
  return (
    <>
      <ProviderSignIn providers={options.data?.providers ?? []} />
      <form
        className="mt-8 space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          attempt.mutate()
        }}
      >
        <Field label={t`E-mail`}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="username webauthn"
              autoFocus
              required
              maxLength={254}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              className="h-11"
            />
          )}
        </Field>
        <SecretField
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          maxLength={200}
          value={password}
          onChange={setPassword}
        />
        {attempt.error && <Notice>{explainSignIn(attempt.error)}</Notice>}
        <Button variant="primary" type="submit" isBusy={attempt.isPending} className="h-11 w-full">
          <Trans>Sign in</Trans>
        </Button>
        {byEmail && (
          <button
            type="button"
            onClick={() => setForgotten(true)}
            className="rounded-control font-medium text-accent hover:underline"
          >
            <Trans>Forgot the password?</Trans>
          </button>
        )}
        <p className="text-sm text-muted text-pretty">
          <Trans>
            {byEmail ? t`No account yet?` : t`No account yet, or forgot the password?`} An admin of your workspace makes
            a link for you. The link of the first owner is in what the server printed when it first started.
          </Trans>
        </p>
      </form>
      {options.data?.passkeys && (
        <Suspense>
          <PasskeySignIn />
        </Suspense>
      )}
      {isForgotten && <ForgottenPassword initial={email} onClose={() => setForgotten(false)} />}
    </>
  )
}

const explainSignIn = (error: unknown): string =>
  error instanceof DocentError && (error.status === 401 || error.status === 429 || error.code === 'NO_WORKSPACE')
    ? `${error.message}.`
    : explain(error)
