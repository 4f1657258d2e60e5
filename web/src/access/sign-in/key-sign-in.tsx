import { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { signIn } from '../session/session.ts'
import { SecretField } from './secret-field.tsx'

/** Form to sign in with an API key, and where to find one. */
export function KeySignIn() {
  const [key, setKey] = useState('')
  const attempt = useMutation({ mutationFn: signIn })
  return (
    <>
      <form
        className="mt-8 space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (key.trim()) attempt.mutate(key.trim())
        }}
      >
        <SecretField
          label={t`API key`}
          name="api-key"
          autoComplete="off"
          autoFocus
          placeholder="dct_…"
          error={attempt.error && explainKey(attempt.error)}
          value={key}
          onChange={setKey}
          className="font-mono"
        />
        <Button variant="primary" type="submit" isBusy={attempt.isPending} className="h-11 w-full">
          <Trans>Sign in</Trans>
        </Button>
      </form>

      <section aria-labelledby="where" className="mt-8 border-t border-line pt-5 text-muted">
        <h2 id="where" className="font-medium text-ink">
          <Trans>Where is my key?</Trans>
        </h2>
        <p className="mt-1.5 text-pretty">
          <Trans>
            Docent printed the owner’s key when it first started, and keeps it on the server in{' '}
            <code className="font-mono text-[0.9em] text-ink">DATA_DIR/owner-key</code>. With the usual settings this
            shows it:
          </Trans>
        </p>
        <pre className="mt-3 overflow-x-auto rounded-control border border-line bg-canvas px-3.5 py-2.5 font-mono text-sm text-ink select-all">
          <Trans>cat data/owner-key</Trans>
        </pre>
        <p className="mt-3 text-pretty">
          <Trans>
            The browser does not keep it: signing in exchanges it for a session, which ends when you sign out or are
            inactive for long.
          </Trans>
        </p>
      </section>
    </>
  )
}

const explainKey = (error: unknown): string =>
  error instanceof DocentError && error.status === 401
    ? t`Docent does not know this key. Copy all of it, from dct_ to the last character, and try again; it may also have been revoked or have expired.`
    : explain(error)
