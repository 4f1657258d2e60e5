import type { Agent } from '@docent/sdk'
import { useMay, useWorkspaceId } from '../access/access.ts'

/** Whether an agent belongs to another workspace: it can be used here, but changed only there. */
export function useIsForeign(agent: Agent | undefined): boolean {
  const workspaceId = useWorkspaceId()
  return agent !== undefined && agent.workspace_id !== workspaceId
}

/** Whether an agent can be changed here by who looks at it. */
export function useCanChange(agent: Agent | undefined): boolean {
  const mayManage = useMay('manage_agents')
  const isForeign = useIsForeign(agent)
  return mayManage && !isForeign && (agent?.can_change ?? true)
}
