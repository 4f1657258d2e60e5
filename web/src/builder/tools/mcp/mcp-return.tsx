import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { explain } from '../../../platform/errors.ts'
import { takeLoginQuery } from '../../../platform/login-query.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { finishMcpConnect } from '../../builder.queries.ts'

/** Line on the login at an MCP server from which the person comes back. */
export function McpReturn({ agentId }: { agentId: string }) {
  const [outcome, setOutcome] = useState<string | null>(null)
  useEffect(() => {
    const query = takeLoginQuery()
    if (!query) return
    finishMcpConnect(agentId, query).then(
      () => setOutcome(t`Connected. The tools of the server are there now.`),
      (error) => setOutcome(explain(error)),
    )
  }, [agentId])
  return (
    <Notice>
      <span aria-live="polite">{outcome ?? <Trans>Finishing the login…</Trans>}</span>
    </Notice>
  )
}
