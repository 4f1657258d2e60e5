import { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { buttonClass } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { checkSession } from '../session/session.ts'
import { finishAtProvider } from './provider.ts'
import { SignInFrame } from './sign-in-frame.tsx'

/** Page to which a provider sends the browser back: it hands the answer to the server and opens the app. */
export function ProviderPage() {
  const { providerId } = useParams({ from: '/sign-in/$providerId' })
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    unawaited(
      finishAtProvider(providerId).catch(async (reason) => {
        setError(reason)
        // An earlier session stays open.
        await checkSession()
      }),
    )
  }, [providerId])
  return (
    <SignInFrame title={t`Sign in`}>
      {error === null ? (
        <p role="status" className="mt-8 text-muted">
          <Trans>Signing in…</Trans>
        </p>
      ) : (
        <div className="mt-8 space-y-4">
          <Notice>{explainRefusal(error)}</Notice>
          <Link to="/" replace className={buttonClass('primary', 'h-11 w-full')}>
            <Trans>Back to Docent</Trans>
          </Link>
        </div>
      )}
    </SignInFrame>
  )
}

const explainRefusal = (error: unknown): string =>
  error instanceof DocentError && ['SIGN_IN_REFUSED', 'NO_WORKSPACE'].includes(error.code ?? '')
    ? `${error.message}.`
    : explain(error)
