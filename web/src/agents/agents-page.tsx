import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, Outlet } from '@tanstack/react-router'
import { useMay } from '../access/access.ts'
import { Plus } from '../ui/icons.ts'
import { SidebarContent, SidebarHeading } from '../ui/layout/sidebar-slot.tsx'
import { AgentFace } from './agent-face.tsx'
import { useAgents } from './agents.queries.ts'

/** Sidebar content of the agents section, around the open agent. */
export function AgentsPage() {
  const { data: agents = [] } = useAgents()
  const mayManage = useMay('manage_agents')
  return (
    <>
      <SidebarContent>
        <SidebarHeading
          action={
            mayManage && (
              <Link
                to="/agents/new"
                aria-label={t`New agent`}
                title={t`New agent`}
                className="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink"
              >
                <Plus size={17} aria-hidden />
              </Link>
            )
          }
        >
          <Trans>Agents</Trans>
        </SidebarHeading>
        <ul>
          {agents.map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/agents/$agentId"
                params={{ agentId: id }}
                className="flex min-w-0 items-center gap-2 rounded-control px-2.5 py-1.5 hover:bg-hover pointer-coarse:py-2.5"
                activeProps={{ className: 'bg-hover' }}
              >
                <AgentFace agent={{ id, name }} />
                <bdi className="truncate">{name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      </SidebarContent>
      <Outlet />
    </>
  )
}
