import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { explain } from '../platform/errors.ts'
import { ConfirmDialog } from '../ui/ask-dialogs.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { MessageSquare, Rows3, Trash2 } from '../ui/icons.ts'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { toast } from '../ui/toasts.tsx'
import { AgentForm } from './agent-form.tsx'
import { deleteAgent, useAgent } from './agents.queries.ts'

/** A new agent. */
export function NewAgent() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="New agent" />
      <AgentForm
        agent={null}
        onSaved={(agent) => {
          toast(`“${agent.name}” is ready`)
          return navigate({ to: '/chat/$agentId', params: { agentId: agent.id } })
        }}
      />
    </>
  )
}

/** An agent that is there. */
export function AgentView() {
  const { agentId = '' } = useParams({ strict: false })
  const { data: agent, error, refetch } = useAgent(agentId)
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  if (error)
    return (
      <div className="p-6">
        <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>
      </div>
    )
  if (!agent) return null
  return (
    <>
      <PageHeader
        title={agent.name}
        actions={
          <>
            <Link to="/chat/$agentId" params={{ agentId }} className={buttonClass('secondary')}>
              <MessageSquare size={16} aria-hidden />
              Chat
            </Link>
            <Link to="/agents/$agentId/threads" params={{ agentId }} className={buttonClass('secondary')}>
              <Rows3 size={16} aria-hidden />
              Threads
            </Link>
            <IconButton label="Delete this agent" icon={Trash2} onClick={() => setDeleting(true)} />
          </>
        }
      />
      <AgentForm key={agent.id} agent={agent} onSaved={() => toast('Saved')} />
      {isDeleting && (
        <ConfirmDialog
          title="Delete this agent?"
          confirm="Delete"
          act={async () => {
            await deleteAgent(agent.id)
            await navigate({ to: '/agents' })
          }}
          onClose={() => setDeleting(false)}
        >
          “{agent.name}” answers no more, and its chats are out of reach. Its folders stay.
        </ConfirmDialog>
      )}
    </>
  )
}
