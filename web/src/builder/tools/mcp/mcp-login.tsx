import type { McpCheck } from '@docent/sdk'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { explain } from '../../../platform/errors.ts'
import { formatExactTime } from '../../../platform/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { connectMcp, disconnectMcp } from '../../builder.queries.ts'

interface McpLoginProps {
  agentId: string
  url: string
  check: McpCheck
}

/** Login of the agent at an MCP server: who connected it, and the buttons to connect and disconnect. */
export function McpLogin({ agentId, url, check: { connection, wants_login: wantsLogin } }: McpLoginProps) {
  const connecting = useMutation({
    mutationFn: () => connectMcp(agentId, url),
    onSuccess: (page) => window.location.assign(page),
  })
  const disconnecting = useMutation({ mutationFn: () => disconnectMcp(agentId, url) })
  const error = connecting.error ?? disconnecting.error
  const date = connection && formatExactTime(connection.connected_at)
  const name = connection?.connected_by
  return (
    <div className="space-y-2 border-t border-line px-3.5 py-2.5 text-sm" aria-live="polite">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="wrap-anywhere">
          {!connection ? (
            <Trans>This server asks for a login. Save your changes first: you leave this page and come back.</Trans>
          ) : connection.is_lost ? (
            <Trans>The login of {name} has expired. Connect again.</Trans>
          ) : (
            <Trans>
              Connected by {name} on {date}.
            </Trans>
          )}
        </span>
        <span className="flex gap-2">
          {(wantsLogin || connection?.is_lost) && (
            <Button isBusy={connecting.isPending} onClick={() => connecting.mutate()}>
              <Trans>Connect</Trans>
            </Button>
          )}
          {connection && (
            <Button isBusy={disconnecting.isPending} onClick={() => disconnecting.mutate()}>
              <Trans>Disconnect</Trans>
            </Button>
          )}
        </span>
      </div>
      {error && <p className="text-bad wrap-anywhere">{explain(error)}</p>}
    </div>
  )
}
