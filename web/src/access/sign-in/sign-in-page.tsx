import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Notice } from '../../ui/notices/notice.tsx'
import { usedKey } from '../session/session.ts'
import { KeySignIn } from './key-sign-in.tsx'
import { PasswordSignIn } from './password-sign-in.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** Sign-in page. @param because why the last session ended, if the person did not sign out */
export function SignInPage({ because }: { because: string | null }) {
  const [withKey, setWithKey] = useState(usedKey)
  return (
    <SignInFrame title={t`Sign in`}>
      <p className="mt-4 font-display text-[1.6rem] leading-snug text-balance">
        <Trans>Answers from your documents, with the passage they came from.</Trans>
      </p>
      {because && <Notice className="mt-8">{explainEnd(because)}</Notice>}
      {withKey ? <KeySignIn /> : <PasswordSignIn />}
      <button
        type="button"
        onClick={() => setWithKey(!withKey)}
        className="mt-6 self-start rounded-control font-medium text-accent hover:underline"
      >
        {withKey ? t`Sign in with e-mail and password` : t`Sign in with an API key`}
      </button>
    </SignInFrame>
  )
}

/** Returns the server's message, followed by what to do. */
const explainEnd = (because: string): string =>
  /sign in/.test(because) ? `${because}.` : t`${because}. Sign in with another one, and continue where you were.`
