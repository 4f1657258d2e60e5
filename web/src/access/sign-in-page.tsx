import { DocentError } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../platform/errors.ts'
import { Button } from '../ui/controls/button.tsx'
import { Field, Input } from '../ui/fields/field.tsx'
import { Wordmark } from '../ui/layout/wordmark.tsx'
import { Notice } from '../ui/notices/notice.tsx'
import { MarkedPage } from './marked-page.tsx'
import { signIn } from './session.ts'

/** Sign-in page. @param because why the last session ended, if the person did not sign out */
export function SignInPage({ because }: { because: string | null }) {
  const [key, setKey] = useState('')
  const [isShown, setShown] = useState(false)
  const attempt = useMutation({ mutationFn: signIn })

  return (
    <main className="grid min-h-dvh bg-paper lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <title>Sign in · Docent</title>
      <div className="mx-auto flex w-full max-w-md flex-col justify-center px-6 py-12">
        <h1>
          <Wordmark className="text-5xl" />
        </h1>
        <p className="mt-4 font-display text-[1.6rem] leading-snug text-balance">
          Answers from your documents, with the passage they came from.
        </p>

        {because && !attempt.error && <Notice className="mt-8">{explainEnd(because)}</Notice>}
        <form
          className="mt-8 space-y-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (key.trim()) attempt.mutate(key.trim())
          }}
        >
          <Field label="API key" error={attempt.error && explainKey(attempt.error)}>
            {(control) => (
              <div className="relative">
                <Input
                  {...control}
                  name="api-key"
                  type={isShown ? 'text' : 'password'}
                  autoComplete="off"
                  spellCheck={false}
                  autoFocus
                  required
                  placeholder="dct_…"
                  value={key}
                  onChange={(event) => setKey(event.target.value)}
                  className="h-11 pr-16 font-mono"
                />
                <button
                  type="button"
                  aria-pressed={isShown}
                  onClick={() => setShown(!isShown)}
                  className="absolute inset-y-1 right-1 rounded-control px-3 text-sm font-medium text-muted hover:text-ink"
                >
                  {isShown ? 'Hide' : 'Show'}
                </button>
              </div>
            )}
          </Field>
          <Button variant="primary" type="submit" isBusy={attempt.isPending} className="h-11 w-full">
            Sign in
          </Button>
        </form>

        <section aria-labelledby="where" className="mt-8 border-t border-line pt-5 text-muted">
          <h2 id="where" className="font-medium text-ink">
            Where is my key?
          </h2>
          <p className="mt-1.5 text-pretty">
            Docent printed the owner’s key when it first started, and keeps it on the server in{' '}
            <code className="font-mono text-[0.9em] text-ink">DATA_DIR/owner-key</code>. With the usual settings this
            shows it:
          </p>
          <pre className="mt-3 overflow-x-auto rounded-control border border-line bg-canvas px-3.5 py-2.5 font-mono text-sm text-ink select-all">
            cat data/owner-key
          </pre>
          <p className="mt-3 text-pretty">
            Not your server? Ask its owner for a key. The browser does not keep it: signing in trades it for a session,
            which ends when you sign out or do nothing for long.
          </p>
        </section>
      </div>
      <MarkedPage />
    </main>
  )
}

const explainKey = (error: unknown): string =>
  error instanceof DocentError && error.status === 401
    ? 'Docent does not know this key. Copy all of it, from dct_ to the last character, and try again; it may also have been revoked or have expired.'
    : explain(error)

/** Returns the server's message, followed by what to do. */
const explainEnd = (because: string): string =>
  /sign in/.test(because) ? `${because}.` : `${because}. Sign in with another one, and go on where you were.`
