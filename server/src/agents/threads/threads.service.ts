import {
  type Caller,
  chosenSubjects,
  ForbiddenError,
  isAdmin,
  listGrantsOf,
  listSubjects,
  namesByKind,
  type Subject,
  setSubjects,
} from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db, Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { findAgentOwner } from '../agent/agent-owner.ts'
import type { AgentService } from '../agent/agents.service.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import type { SetThreadsAccess } from './threads.schemas.ts'

export interface ThreadsAccessOptions {
  db: Db
  writes: Writes
  clock: Clock
  agents: Pick<AgentService, 'get' | 'getOwn'>
}

export type ThreadsAccessService = ReturnType<typeof createThreadsAccess>

/** Decides who sees the chats that others have with an agent. */
export function createThreadsAccess({ db, writes, clock, agents }: ThreadsAccessOptions) {
  /** Nobody but its owner: admins could otherwise let themselves read what others were told nobody reads. */
  function mayChange(caller: Caller, agent: AgentRecord, owner: { id: string } | null): boolean {
    if (agent.workspaceId !== caller.workspaceId) return false
    return owner ? owner.id === caller.memberId : isAdmin(caller)
  }

  /** @throws AgentNotFoundError */
  async function get(caller: Caller, agentId: string) {
    const agent = await agents.get(caller, agentId)
    const owner = await findAgentOwner(db, agent)
    const subjects = await listSubjects(db, caller.organizationId, { kind: 'threads', id: agent.id })
    return {
      admins: subjects.some(({ kind }) => kind === 'admins'),
      ...namesByKind(subjects),
      owner,
      can_change: mayChange(caller, agent, owner),
    }
  }

  return {
    get,

    /** Counts for chats that begin from now on. @throws AgentNotFoundError, ForbiddenError, ValidationError */
    async set(caller: Caller, agentId: string, { admins, member_ids, group_ids }: SetThreadsAccess) {
      const { organizationId } = caller
      const agent = await agents.getOwn(caller, agentId)
      if (!mayChange(caller, agent, await findAgentOwner(db, agent)))
        throw new ForbiddenError('Only the owner of this agent lets others see its threads')
      const at = isoNow(clock)
      await commitChecked(writes, async (tx) => {
        const chosen = await chosenSubjects(tx, caller, { member_ids, group_ids })
        const subjects: Subject[] = [...(admins ? [{ kind: 'admins' as const, id: '' }] : []), ...chosen]
        await setSubjects(tx, organizationId, { kind: 'threads', id: agent.id }, { subjects, level: 'read', at })
        const target = { type: 'agent', id: agent.id, name: agent.name } as const
        const details = { admins, member_ids, group_ids }
        await recordAudit(tx, caller, { action: 'agent.threads_access_changed', at, target, details })
      })
      return get(caller, agentId)
    },

    /** Time since when the caller sees chats that others begin with an agent; undefined for one who does not. */
    async since(caller: Caller, agentId: string): Promise<string | undefined> {
      return (await findSince(caller, agentId)).get(agentId)
    },

    /** Ids of the agents of which the caller sees the threads. */
    listVisible: async (caller: Caller): Promise<string[]> => [...(await findSince(caller)).keys()],
  }

  async function findSince(caller: Caller, agentId?: string): Promise<Map<string, string>> {
    const { organizationId, memberId } = caller
    if (memberId === undefined) return new Map()
    const member = { memberId, isAdmin: isAdmin(caller) }
    return listGrantsOf(db, organizationId, member, { kind: 'threads', ...(agentId !== undefined && { id: agentId }) })
  }
}
