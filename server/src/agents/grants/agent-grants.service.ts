import {
  type Caller,
  ForbiddenError,
  isAdmin,
  listGroupNames,
  requireOncePerSubject,
  requireSubjects,
  type Subject,
} from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { findAgentOwner } from '../agent/agent-owner.ts'
import type { AgentService } from '../agent/agents.service.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import type { SetAgentGrants } from './agent-grants.schemas.ts'
import { type AgentLevel, type AgentSubjects, listAgentSubjects, setAgentSubjects } from './agent-grants.store.ts'
import { explainPeople } from './explain-people.ts'

const MOST_PEOPLE = 500
const MOST_GROUPS = 1000
const LEVELS: AgentLevel[] = ['use', 'edit', 'threads']

export interface AgentGrantsOptions extends Pick<KernelParts, 'clock' | 'db'> {
  agents: Pick<AgentService, 'get' | 'getToManage' | 'mayManage' | 'setRestricted'>
}

type Given = SetAgentGrants['grants']

/** Rights of members and groups to an agent. */
export class AgentGrantsService {
  readonly #options: AgentGrantsOptions

  constructor(options: AgentGrantsOptions) {
    this.#options = options
  }

  /** @throws AgentNotFoundError */
  async get(caller: Caller, agentId: string) {
    const { db, agents } = this.#options
    const agent = await agents.get(caller, agentId)
    const owner = await findAgentOwner(db, agent)
    const subjects = await listAgentSubjects(db, agent.organizationId, agent.id)
    const mayChange = agents.mayManage(caller, agent)
    const { people, total } = mayChange
      ? await explainPeople(db, caller, { agent, subjects, limit: MOST_PEOPLE })
      : { people: [], total: 0 }
    const { organizationId, workspaceId } = caller
    return {
      grants: toGrants(agent, subjects),
      workspace_id: agent.workspaceId,
      owner,
      is_restricted: agent.isRestricted,
      can_change: mayChange,
      can_change_threads: mayChangeThreads(caller, agent, owner),
      people,
      people_total: total,
      all_groups: mayChange ? await listGroupNames(db, organizationId, workspaceId, MOST_GROUPS) : [],
    }
  }

  /**
   * Counts from the moment that it resolves; who sees threads sees those of chats that begin from then on.
   * @throws AgentNotFoundError, ValidationError, ForbiddenError for somebody who is neither owner nor admin, and for
   *   other threads than before by somebody who is not the owner
   */
  async set(caller: Caller, agentId: string, { grants }: SetAgentGrants) {
    const { db, agents, clock } = this.#options
    requireOncePerSubject(grants.filter(({ level }) => level === 'use' || level === 'none'))
    for (const level of ['edit', 'threads']) requireOncePerSubject(grants.filter((grant) => grant.level === level))
    const agent = await agents.getToManage(caller, agentId)
    const before = await listAgentSubjects(db, agent.organizationId, agent.id)
    const changed = LEVELS.filter((level) => !sameSubjects(before[level], subjectsOf(grants, level)))
    if (changed.includes('threads') && !mayChangeThreads(caller, agent, await findAgentOwner(db, agent)))
      throw new ForbiddenError(
        'Only the owner of this agent lets others see its threads: send the grants of the level threads as they are',
      )
    const at = isoNow(clock)
    await agents.setRestricted(agent, isRestricting(grants), async (tx) => {
      await requireSubjects(tx, caller, grants)
      for (const level of changed)
        await setAgentSubjects(tx, agent.organizationId, agent.id, { level, subjects: subjectsOf(grants, level), at })
      const target = { type: 'agent', id: agent.id, name: agent.name } as const
      await recordAudit(tx, caller, { action: 'agent.access_changed', at, target, details: { grants } })
    })
    return this.get(caller, agentId)
  }
}

/** Whether threads are up to the caller: not to admins, who could let themselves read what others were promised nobody reads. */
function mayChangeThreads(caller: Caller, agent: AgentRecord, owner: { id: string } | null): boolean {
  if (agent.workspaceId !== caller.workspaceId) return false
  return owner ? owner.id === caller.memberId : isAdmin(caller)
}

/** Whether only those who are granted its use have it: some are, and not everyone. */
const isRestricting = (grants: Given): boolean =>
  grants.some(({ level }) => level === 'none' || level === 'use') &&
  !grants.some(({ kind, level }) => kind === 'workspace' && level === 'use')

const subjectsOf = (grants: Given, level: AgentLevel): Subject[] =>
  grants.filter((grant) => grant.level === level).map(({ kind, id }) => ({ kind, id: kind === 'admins' ? '' : id }))

function sameSubjects(some: Subject[], others: Subject[]): boolean {
  const keys = new Set(some.map(({ kind, id }) => `${kind} ${id}`))
  return some.length === others.length && others.every(({ kind, id }) => keys.has(`${kind} ${id}`))
}

/** Grants as they are sent back: an agent that nobody is granted to use says so by `none`, so that it stays closed. */
function toGrants(agent: AgentRecord, subjects: AgentSubjects) {
  const grants = LEVELS.flatMap((level) =>
    subjects[level].map(({ kind, id, name }) => ({
      kind: kind as Given[number]['kind'],
      id: kind === 'admins' ? agent.workspaceId : id,
      name,
      level: level as Given[number]['level'],
    })),
  )
  if (!agent.isRestricted || subjects.use.length > 0) return grants
  return [{ kind: 'workspace' as const, id: agent.workspaceId, name: '', level: 'none' as const }, ...grants]
}
