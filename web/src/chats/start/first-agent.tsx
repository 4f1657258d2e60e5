import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useMay } from '../../access/access.ts'
import { useAgents } from '../../agents/agents.ts'
import { Bot } from '../../ui/icons.ts'
import { later } from '../../ui/later.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { useChats } from '../chats.queries.ts'
import { lastAgentId } from './last-agent.ts'

const StartPage = later(async () => (await import('./start-page.tsx')).StartPage)

/**
 * Redirects to the agent used last, or the newest. Without agents, or with the one of the sample that nobody has asked
 * anything yet, it is the page to begin with documents.
 */
export function FirstAgent() {
  const { data: agents, error, refetch } = useAgents()
  const mayManage = useMay('manage_agents')
  const mayCreate = useMay('create_knowledgebase')
  const only = agents?.length === 1 && lastAgentId() === null ? agents[0]!.id : null
  const { data: chats, error: chatsError } = useChats(only ?? '', '', only !== null)
  if (error)
    return (
      <div className="p-6">
        <ReadProblem error={error} onRetry={refetch} />
      </div>
    )
  if (!agents || (only !== null && !chats && !chatsError)) return null
  const isNew = agents.length === 0 || chats?.length === 0
  if (isNew && mayManage && mayCreate) return <StartPage agentId={only} />
  const agent = agents.find(({ id }) => id === lastAgentId()) ?? agents[0]
  if (agent) return <Navigate to="/chat/$agentId" params={{ agentId: agent.id }} replace />
  return (
    <EmptyState icon={Bot} title={t`No agent for you yet`}>
      <Trans>
        An agent answers your questions from folders of documents. Ask an admin of your workspace to make one.
      </Trans>
    </EmptyState>
  )
}
