import { type Caller, ForbiddenError, type Granted, grant } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { AgentNotFoundError } from '../agents.errors.ts'
import { type AgentRecord, findAgent } from './agents.store.ts'
import type { RecentAgents } from './recent-agents.ts'

export type UsableAgent = Granted<AgentRecord, 'use'>
export type ChangeableAgent = Granted<AgentRecord, 'use' | 'change'>
export type AgentAccess = ReturnType<typeof createAgentAccess>

/** Decides which agents a caller may use and change. */
export function createAgentAccess({ db, recent }: { db: Db; recent: RecentAgents }) {
  /** @throws AgentNotFoundError if absent, of another organization, or private to another workspace. */
  async function get(caller: Caller, agentId: string): Promise<UsableAgent> {
    const agent = await findAgent(db, caller.organizationId, caller.workspaceId, agentId)
    if (!agent) throw new AgentNotFoundError()
    return grant(agent)
  }

  /**
   * Gets it without reading it each time: a change by another process may go unseen for three seconds.
   * @throws AgentNotFoundError as `get` does
   */
  async function getRecent({ organizationId, workspaceId }: Caller, agentId: string): Promise<UsableAgent> {
    const agent = await recent.find(organizationId, agentId)
    if (!agent || agent.isDeleted) throw new AgentNotFoundError()
    if (agent.workspaceId !== workspaceId && agent.visibility === 'private') throw new AgentNotFoundError()
    return grant(agent)
  }

  /**
   * An agent that the caller's workspace may change: to be let use another's agent is not to own it.
   * @throws AgentNotFoundError, ForbiddenError
   */
  async function getOwn(caller: Caller, agentId: string): Promise<ChangeableAgent> {
    const agent = await get(caller, agentId)
    if (agent.workspaceId === caller.workspaceId) return grant(agent)
    throw new ForbiddenError('This agent belongs to another workspace, which lets yours use it but not change it')
  }

  return { get, getRecent, getOwn }
}
