import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CircleAlert } from '../../ui/icons.ts'
import { Wordmark } from '../../ui/layout/wordmark.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { checkSession } from '../session/session.ts'

/** Page shown when the server cannot be reached to check the session. */
export function Unreachable({ error }: { error: unknown }) {
  const attempt = useMutation({ mutationFn: checkSession })
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-paper">
      <title>Docent</title>
      <h1>
        <Wordmark className="text-4xl" />
      </h1>
      <EmptyState
        icon={CircleAlert}
        title={t`No connection`}
        action={
          <Button variant="primary" isBusy={attempt.isPending} onClick={() => attempt.mutate()}>
            <Trans>Try again</Trans>
          </Button>
        }
      >
        {explain(error)}
      </EmptyState>
    </main>
  )
}
