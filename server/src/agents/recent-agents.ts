import type { Db } from '../db.ts'
import type { Signals } from '../platform/signals/signals.ts'
import { type AgentRecord, findAgentOf } from './agents.store.ts'

/** For how long a change that another process made may go unseen when its signal is lost. */
const REMEMBERED_MS = 3_000
/** Their instructions may be long. */
const MOST_REMEMBERED = 500
/** Payload: an agent that was changed or deleted. */
const CHANGED = 'agents.changed'

/**
 * Agents as they are, for queries, each of which would otherwise read its agent again: exact for what this process
 * changes, and for what others change as soon as they say so.
 */
export function createRecentAgents({ db, signals }: { db: Db; signals: Signals }) {
  const remembered = new Map<string, { agent: AgentRecord; until: number }>()
  let changes = 0
  signals.subscribe(CHANGED, forget)
  // A signal missed meanwhile may have been a change of any.
  signals.onGap(() => {
    changes++
    remembered.clear()
  })

  function forget(agentId: string): void {
    changes++
    remembered.delete(agentId)
  }

  return {
    /** Deleted ones too; whose workspace may use it is for the caller to see. */
    async find(organizationId: string, agentId: string): Promise<AgentRecord | undefined> {
      const now = performance.now()
      const known = remembered.get(agentId)
      if (known && now < known.until && known.agent.organizationId === organizationId) return known.agent
      const before = changes
      const agent = await findAgentOf(db, organizationId, agentId)
      if (!agent) return undefined
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      // A row read while somebody changed one may be the old one.
      if (before === changes) remembered.set(agentId, { agent: Object.freeze(agent), until: now + REMEMBERED_MS })
      return agent
    },

    /** Makes a change, and has it seen from its commit on, also if nobody answered that. */
    async changing<R>(agentId: string, change: () => Promise<R>): Promise<R> {
      try {
        return await change()
      } finally {
        forget(agentId)
        await signals.announce(CHANGED, agentId)
      }
    },
  }
}
