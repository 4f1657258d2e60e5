import { DocentError } from '@docent/sdk'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { canAutofill, isAsking, stopAsking } from '../passkeys.ts'
import { signInWithPasskey } from '../session/session.ts'

/** A challenge lasts five minutes: the offer in the e-mail field is recreated before. */
const RENEWED_MS = 4 * 60_000

/** Button to sign in with a passkey, which the browser also offers in the e-mail field of the page. */
export default function PasskeySignIn() {
  const attempt = useMutation({ mutationFn: () => signInWithPasskey() })
  const refusal = usePasskeyAutofill()
  const error = attempt.error ?? refusal
  return (
    <div className="mt-4 space-y-3">
      <Button isBusy={attempt.isPending} onClick={() => attempt.mutate()} className="h-11 w-full">
        <Trans>Sign in with a passkey</Trans>
      </Button>
      {error && <Notice>{explain(error)}</Notice>}
    </div>
  )
}

/** Lets the browser offer passkeys in the e-mail field. @returns why the server refused one that was chosen there */
function usePasskeyAutofill(): Error | null {
  const [refusal, setRefusal] = useState<Error | null>(null)
  useEffect(() => {
    let isOver = false
    const offer = async () => {
      if (isOver || isAsking() || !(await canAutofill()) || isOver) return
      // Other errors are those of the offer, which nobody asked for.
      await signInWithPasskey({ autofill: true }).catch((error) => error instanceof DocentError && setRefusal(error))
    }
    unawaited(offer())
    const timer = setInterval(() => unawaited(offer()), RENEWED_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      unawaited(stopAsking())
    }
  }, [])
  return refusal
}
