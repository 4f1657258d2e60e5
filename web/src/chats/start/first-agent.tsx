import { Link, Navigate } from '@tanstack/react-router'
import { useAgents } from '../../agents/agents.ts'
import { explain } from '../../platform/errors.ts'
import { Button, buttonClass } from '../../ui/controls/button.tsx'
import { Bot, Plus } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { lastAgentId } from './last-agent.ts'

/** Redirects to the agent used last, or the newest; says what to do if there is none. */
export function FirstAgent() {
  const { data: agents, error, refetch } = useAgents()
  if (error)
    return (
      <div className="p-6">
        <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>
      </div>
    )
  if (!agents) return null
  const agent = agents.find(({ id }) => id === lastAgentId()) ?? agents[0]
  if (agent) return <Navigate to="/chat/$agentId" params={{ agentId: agent.id }} replace />
  return (
    <EmptyState
      icon={Bot}
      title="Make an agent first"
      action={
        <Link to="/agents/new" className={buttonClass('primary')}>
          <Plus size={16} aria-hidden />
          New agent
        </Link>
      }
    >
      An agent answers your questions from the folders that you give it.
    </EmptyState>
  )
}
