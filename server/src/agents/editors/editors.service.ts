import { type Caller, chosenSubjects, listSubjects, namesByKind, setSubjects } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db, Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { findAgentOwner } from '../agent/agent-owner.ts'
import type { AgentService } from '../agent/agents.service.ts'
import type { SetAgentEditors } from './editors.schemas.ts'

export interface AgentEditorsOptions {
  db: Db
  writes: Writes
  clock: Clock
  agents: Pick<AgentService, 'get' | 'getToManage'>
}

export type AgentEditorsService = ReturnType<typeof createAgentEditors>

/** Members and groups that may change an agent which another member made. */
export function createAgentEditors({ db, writes, clock, agents }: AgentEditorsOptions) {
  /** @throws AgentNotFoundError */
  async function get(caller: Caller, agentId: string) {
    const agent = await agents.get(caller, agentId)
    const subjects = await listSubjects(db, agent.organizationId, { kind: 'agent', id: agent.id })
    return { ...namesByKind(subjects), owner: await findAgentOwner(db, agent) }
  }

  return {
    get,

    /** @throws AgentNotFoundError, ForbiddenError for somebody who is neither owner nor admin, ValidationError */
    async set(caller: Caller, agentId: string, chosen: SetAgentEditors) {
      const agent = await agents.getToManage(caller, agentId)
      const at = isoNow(clock)
      await commitChecked(writes, async (tx) => {
        const subjects = await chosenSubjects(tx, caller, chosen)
        const resource = { kind: 'agent', id: agent.id } as const
        await setSubjects(tx, caller.organizationId, resource, { subjects, level: 'change', at })
        const target = { type: 'agent', id: agent.id, name: agent.name } as const
        await recordAudit(tx, caller, { action: 'agent.editors_changed', at, target, details: { ...chosen } })
      })
      return get(caller, agentId)
    },
  }
}
