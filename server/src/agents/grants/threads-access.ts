import { type Caller, isAdmin, listGrantsOf } from '../../access/access.ts'
import type { Db } from '../../db.ts'

/** Tells who sees the chats that others have with an agent. */
export function createThreadsAccess({ db }: { db: Db }) {
  async function findSince(caller: Caller, agentId?: string): Promise<Map<string, string>> {
    const { organizationId, workspaceId, memberId } = caller
    if (memberId === undefined) return new Map()
    const member = { memberId, workspaceId, isAdmin: isAdmin(caller) }
    return listGrantsOf(db, organizationId, member, { kind: 'threads', ...(agentId !== undefined && { id: agentId }) })
  }

  return {
    /** Time since when the caller sees chats that others begin with an agent; undefined for one who does not. */
    async since(caller: Caller, agentId: string): Promise<string | undefined> {
      return (await findSince(caller, agentId)).get(agentId)
    },

    /** Ids of the agents of which the caller sees the threads. */
    listVisible: async (caller: Caller): Promise<string[]> => [...(await findSince(caller)).keys()],
  }
}
