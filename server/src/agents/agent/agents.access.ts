import { type Caller, ForbiddenError, type Granted, grant, isAdmin, listGrantsOf, may } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { AgentNotFoundError } from '../agents.errors.ts'
import { type AgentRecord, findAgent, isUsable } from './agents.store.ts'
import type { RecentAgents } from './recent-agents.ts'

export type UsableAgent = Granted<AgentRecord, 'use'>
export type ChangeableAgent = Granted<AgentRecord, 'use' | 'change'>
export type ManageableAgent = Granted<AgentRecord, 'use' | 'change' | 'manage'>
export type LinkableAgent = Granted<AgentRecord, 'use' | 'link'>
export type AgentAccess = ReturnType<typeof createAgentAccess>

const FOREIGN = 'This agent belongs to another workspace, which lets yours use it but not change it'
const NOT_LET = 'This agent was made by somebody else: its owner, or an admin, can let you change it'

/** Decides which agents a caller may use and change. */
export function createAgentAccess({ db, recent }: { db: Db; recent: RecentAgents }) {
  /** @throws AgentNotFoundError if absent, of another organization, private to another workspace or closed to the member. */
  async function get(caller: Caller, agentId: string): Promise<UsableAgent> {
    const agent = await findAgent(db, caller.organizationId, caller.workspaceId, agentId)
    if (!agent || !(await mayUse(caller, agent))) throw new AgentNotFoundError()
    return grant(agent)
  }

  /**
   * Gets it without reading it each time: a change by another process may go unseen for three seconds.
   * @throws AgentNotFoundError as `get` does
   */
  async function getRecent(caller: Caller, agentId: string): Promise<UsableAgent> {
    const agent = await recent.find(caller.organizationId, agentId)
    if (!agent || agent.isDeleted) throw new AgentNotFoundError()
    if (agent.workspaceId !== caller.workspaceId && agent.visibility === 'private') throw new AgentNotFoundError()
    if (agent.isRestricted && !(await mayUse(caller, agent))) throw new AgentNotFoundError()
    return grant(agent)
  }

  /**
   * An agent that the caller may change: one of the workspace that they made, or were let change. Admins and keys change
   * all of their workspace.
   * @throws AgentNotFoundError, ForbiddenError
   */
  async function getOwn(caller: Caller, agentId: string): Promise<ChangeableAgent> {
    const agent = await get(caller, agentId)
    if (agent.workspaceId !== caller.workspaceId) throw new ForbiddenError(FOREIGN)
    if ((await findChangeable(caller, [agent])).size === 0) throw new ForbiddenError(NOT_LET)
    return grant(agent)
  }

  /**
   * An agent that the caller may make links to: one that they may change, or one of another workspace, which lets theirs
   * use it.
   * @throws AgentNotFoundError, ForbiddenError
   */
  async function getToLink(caller: Caller, agentId: string): Promise<LinkableAgent> {
    const agent = await get(caller, agentId)
    if (agent.workspaceId === caller.workspaceId && (await findChangeable(caller, [agent])).size === 0)
      throw new ForbiddenError(NOT_LET)
    return grant(agent)
  }

  /** An agent that the caller may change, and let others change. @throws AgentNotFoundError, ForbiddenError */
  async function getToManage(caller: Caller, agentId: string): Promise<ManageableAgent> {
    const agent = await get(caller, agentId)
    if (agent.workspaceId !== caller.workspaceId) throw new ForbiddenError(FOREIGN)
    if (!mayManage(caller, agent))
      throw new ForbiddenError('Only its owner and admins decide who else may use or change an agent')
    return grant(agent)
  }

  /** Ids of the agents among these that the caller may change; asks the database only for plain members. */
  async function findChangeable(caller: Caller, agents: AgentRecord[]): Promise<Set<string>> {
    if (!may(caller, 'manage_agents')) return new Set()
    const { organizationId, workspaceId, memberId } = caller
    const own = agents.filter((agent) => agent.workspaceId === workspaceId)
    const others = own.filter((agent) => !isOwnerOrAbove(caller, agent))
    const changeable = new Set(own.filter((agent) => !others.includes(agent)).map(({ id }) => id))
    if (others.length === 0 || memberId === undefined) return changeable
    const [only] = others
    const resource = { kind: 'agent' as const, ...(others.length === 1 && { id: only!.id }) }
    const granted = await listGrantsOf(db, organizationId, { memberId, workspaceId, isAdmin: false }, resource)
    for (const { id } of others) if (granted.has(id)) changeable.add(id)
    return changeable
  }

  /** Whether a caller may use it; grants are read each time, so that a change of them counts at once. */
  async function mayUse(caller: Caller, agent: AgentRecord): Promise<boolean> {
    if (!agent.isRestricted || caller.rightsHolderId === null) return true
    const isKey = caller.memberId === undefined
    const isOwn = agent.workspaceId === caller.workspaceId && !isKey && isOwnerOrAbove(caller, agent)
    return isOwn || isUsable(db, caller, agent.id)
  }

  return { get, getRecent, getOwn, getToLink, getToManage, findChangeable }
}

/** Whether it is up to the caller who may use and change the agent. */
export const mayManage = (caller: Caller, agent: AgentRecord): boolean =>
  agent.workspaceId === caller.workspaceId && may(caller, 'manage_agents') && isOwnerOrAbove(caller, agent)

/** An agent that the caller has just made, and so may change. */
export const grantToMaker = (agent: AgentRecord): ChangeableAgent => grant(agent)

const isOwnerOrAbove = (caller: Caller, agent: AgentRecord): boolean =>
  caller.memberId === undefined || isAdmin(caller) || agent.memberId === caller.memberId
