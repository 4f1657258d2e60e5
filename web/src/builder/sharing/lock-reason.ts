import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMay } from '../../access/access.ts'
import { useCanChange, useIsForeign } from '../../agents/agents.ts'

/** Reason why an agent cannot be changed here, and who can change it; null if it can be changed. */
export function useLockReason(agent: Agent | undefined): string | null {
  const canChange = useCanChange(agent)
  const isForeign = useIsForeign(agent)
  const mayManage = useMay('manage_agents')
  if (canChange) return null
  if (isForeign)
    return t`This agent belongs to another workspace, which lets yours use it. Only that workspace can change it; your chats with it are your own.`
  return mayManage
    ? t`Somebody else made this agent. Its owner, or an admin of the workspace, can let you change it; your chats with it are your own.`
    : t`Your key may look at agents, not change them. Ask an admin of your workspace for that permission.`
}
