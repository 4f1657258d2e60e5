import type { Integration } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { explain } from '../../platform/errors.ts'
import { formatExactTime } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { connectSource, useSourceApps } from './integrations.queries.ts'

interface SourceLoginProps {
  provider: string
  /** Login that was just made, and is not saved yet. */
  made?: { account: string }
  /** Login that the integration has. */
  connection: Integration['connection'] | undefined
  error: string | null
  /** Called before the page is left. */
  onLeave: () => void
}

/** Login at the provider of a source: who connected it, and the button to connect. */
export function SourceLogin({ provider, made, connection, error, onLeave }: SourceLoginProps) {
  const apps = useSourceApps()
  const app = apps.data?.apps.find((one) => one.provider === provider)
  const connecting = useMutation({
    mutationFn: () => connectSource(provider),
    onSuccess: (page) => {
      onLeave()
      window.location.assign(page)
    },
  })
  const problem = apps.error ?? connecting.error
  return (
    <div className="space-y-2 rounded-control border border-line px-3.5 py-2.5 text-sm" aria-live="polite">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0 flex-1 wrap-anywhere">
          <State made={made} connection={connection} isOffered={apps.data === undefined || app !== undefined} />
        </span>
        {app && (
          <Button isBusy={connecting.isPending} onClick={() => connecting.mutate()}>
            <Trans>Connect</Trans>
          </Button>
        )}
      </div>
      {(error || problem) && <p className="text-bad wrap-anywhere">{error ?? explain(problem)}</p>}
    </div>
  )
}

function State({
  made,
  connection,
  isOffered,
}: Pick<SourceLoginProps, 'made' | 'connection'> & { isOffered: boolean }) {
  if (made) {
    const { account } = made
    return account ? t`Connected as ${account}. Save to use it.` : t`Connected. Save to use it.`
  }
  if (connection) {
    const name = connection.connected_by
    const date = formatExactTime(connection.connected_at)
    if (connection.is_lost) return t`The login of ${name} has expired. Connect again.`
    return t`Connected by ${name} on ${date}.`
  }
  return isOffered
    ? t`Log in there, and choose what may be read. You leave this page and come back.`
    : t`Nobody can log in there yet: an admin has to add an app for it, under “Apps for logins” on this page.`
}
