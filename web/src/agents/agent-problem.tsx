import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/controls/button.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { LoadProblem } from '../ui/notices/load-problem.tsx'

/** Error page for an agent that could not be loaded. */
export const AgentProblem = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <>
    <PageHeader title={t`Agent`} />
    <LoadProblem
      error={error}
      title={t`This agent is not here`}
      way={
        <Link to="/agents" className={buttonClass('primary')}>
          <Trans>To the agents</Trans>
        </Link>
      }
      onRetry={onRetry}
    />
  </>
)
