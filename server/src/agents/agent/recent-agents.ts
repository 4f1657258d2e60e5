import type { Db } from '../../db.ts'
import { createNotifiedCache } from '../../platform/cluster/pubsub/notified-cache.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import { type AgentRecord, findAgentOf } from './agents.store.ts'

/** Their instructions may be long. */
const MOST_CACHED = 500

export type RecentAgents = ReturnType<typeof createRecentAgents>

/** Agents as they are, for queries, each of which would otherwise read its agent again. */
export function createRecentAgents({ db, pubsub }: { db: Db; pubsub: PubSub }) {
  const cache = createNotifiedCache<AgentRecord>({ pubsub, channel: 'agents.changed', most: MOST_CACHED })

  async function read(organizationId: string, agentId: string): Promise<AgentRecord | undefined> {
    const agent = await findAgentOf(db, organizationId, agentId)
    return agent && Object.freeze(agent)
  }

  return {
    /** Deleted ones too; whose workspace may use it is for the caller to see. */
    async find(organizationId: string, agentId: string): Promise<AgentRecord | undefined> {
      const agent = await cache.get(agentId, () => read(organizationId, agentId))
      return agent?.organizationId === organizationId ? agent : undefined
    },

    /** Makes a change, and has it seen from its commit on, also if nobody answered that. */
    async changing<R>(agentId: string, change: () => Promise<R>): Promise<R> {
      try {
        return await change()
      } finally {
        await cache.announceChange(agentId)
      }
    },
  }
}
