import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useMay } from '../../access/access.ts'
import { AgentFace, useAgent, useAgents, useCanChange } from '../../agents/agents.ts'
import { isMissing } from '../../platform/errors.ts'
import { Bot, ChevronDown, Eye, Pencil, Plus } from '../../ui/icons.ts'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'

/** Menu to choose the agent. */
export function AgentPicker({ agentId }: { agentId: string }) {
  const { data: agents = [] } = useAgents()
  const navigate = useNavigate()
  const { data: agent, error } = useAgent(agentId)
  const mayManage = useMay('manage_agents')
  const canEdit = useCanChange(agent)
  return (
    <Menu
      label={t`Agent`}
      align="start"
      className="w-72"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className="flex h-11 w-full shrink-0 items-center gap-2.5 rounded-control px-2.5 text-start transition-colors hover:bg-hover"
        >
          {agent ? <AgentFace agent={agent} /> : <Bot size={18} className="shrink-0 text-accent" aria-hidden />}
          <span className="sr-only">
            <Trans>Agent:</Trans>{' '}
          </span>
          <span className="min-w-0 flex-1 truncate font-semibold">
            <bdi>{agent?.name ?? (isMissing(error) ? t`Choose an agent` : '…')}</bdi>
          </span>
          <ChevronDown size={15} className="text-muted" aria-hidden />
        </button>
      )}
    >
      {agents.map(({ id, name, description }) => (
        <MenuItem
          key={id}
          isChecked={id === agentId}
          onSelect={() => navigate({ to: '/chat/$agentId', params: { agentId: id } })}
        >
          <span className="flex min-w-0 items-center gap-2 font-medium">
            <AgentFace agent={{ id, name }} />
            <span className="truncate">{name}</span>
          </span>
          {description && <span className="line-clamp-2 text-sm text-muted">{description}</span>}
        </MenuItem>
      ))}
      <hr className="my-1 border-line" />
      {agent && (
        <MenuItem
          icon={canEdit ? Pencil : Eye}
          onSelect={() => navigate({ to: '/agents/$agentId', params: { agentId } })}
        >
          {canEdit ? t`Edit this agent` : t`How it is set up`}
        </MenuItem>
      )}
      {mayManage && (
        <MenuItem icon={Plus} onSelect={() => navigate({ to: '/agents/new' })}>
          <Trans>New agent</Trans>
        </MenuItem>
      )}
    </Menu>
  )
}
