import {
  type Caller,
  chosenSubjects,
  listGroupNames,
  listSubjects,
  namesByKind,
  setSubjects,
} from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { findAgentOwner } from '../agent/agent-owner.ts'
import type { AgentService } from '../agent/agents.service.ts'
import { explainPeople } from './explain-people.ts'
import type { SetAgentUse } from './use.schemas.ts'

const MOST_PEOPLE = 500
const MOST_GROUPS = 1000

export interface AgentUseOptions {
  db: Db
  clock: Clock
  agents: Pick<AgentService, 'get' | 'getToManage' | 'mayManage' | 'setRestricted'>
}

/** Members and groups that may use an agent which is not for everyone in its workspace. */
export class AgentUseService {
  readonly #options: AgentUseOptions

  constructor(options: AgentUseOptions) {
    this.#options = options
  }

  /** @throws AgentNotFoundError */
  async get(caller: Caller, agentId: string) {
    const { db, agents } = this.#options
    const agent = await agents.get(caller, agentId)
    const subjects = await listSubjects(db, agent.organizationId, { kind: 'agent_use', id: agent.id })
    const mayChange = agents.mayManage(caller, agent)
    const { people, total } = mayChange ? await explainPeople(db, caller, agent, MOST_PEOPLE) : { people: [], total: 0 }
    const { organizationId, workspaceId } = caller
    return {
      everyone: !agent.isRestricted,
      ...namesByKind(subjects),
      owner: await findAgentOwner(db, agent),
      can_change: mayChange,
      people,
      people_total: total,
      all_groups: mayChange ? await listGroupNames(db, organizationId, workspaceId, MOST_GROUPS) : [],
    }
  }

  /** @throws AgentNotFoundError, ForbiddenError for somebody who is neither owner nor admin, ValidationError */
  async set(caller: Caller, agentId: string, { everyone, ...chosen }: SetAgentUse) {
    const { agents, clock } = this.#options
    const agent = await agents.getToManage(caller, agentId)
    const at = isoNow(clock)
    await agents.setRestricted(agent, !everyone, async (tx) => {
      const subjects = await chosenSubjects(tx, caller, chosen)
      const resource = { kind: 'agent_use', id: agent.id } as const
      await setSubjects(tx, caller.organizationId, resource, { subjects, level: 'use', at })
      const target = { type: 'agent', id: agent.id, name: agent.name } as const
      await recordAudit(tx, caller, { action: 'agent.use_changed', at, target, details: { everyone, ...chosen } })
    })
    return this.get(caller, agentId)
  }
}
