import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMay, useWorkspaceId } from '../access/access.ts'

/** Whether an agent belongs to another workspace: it can be used here, but changed only there. */
export function useIsForeign(agent: Agent | undefined): boolean {
  const workspaceId = useWorkspaceId()
  return agent !== undefined && agent.workspace_id !== workspaceId
}

/** Reason why an agent cannot be changed here, and who can change it; null if it can be changed. */
export function useLockReason(agent: Agent | undefined): string | null {
  const mayManage = useMay('manage_agents')
  const isForeign = useIsForeign(agent)
  if (isForeign)
    return t`This agent belongs to another workspace, which lets yours use it. Only that workspace can change it; your chats with it are your own.`
  if (mayManage && agent && !agent.can_change)
    return t`Somebody else made this agent. Its owner, or an admin of the workspace, can let you change it; your chats with it are your own.`
  return mayManage
    ? null
    : t`Your key may look at agents, not change them. Ask an admin of your workspace for that permission.`
}
