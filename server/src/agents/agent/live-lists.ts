import type { FolderReader, KeyScopes } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findReadableIds } from '../../drive/drive.ts'
import { type AgentRecord, findVisibility } from './agents.store.ts'

export type LiveLists = ReturnType<typeof createLiveLists>

/**
 * Leaves out of stored lists what can no longer be used: folders that were deleted, are no longer shared or that the
 * reader may not read, agents that were deleted or hidden. So every list that is shown can be sent back as it is.
 */
export function createLiveLists({ db }: { db: Db }) {
  async function readableAmong(reader: FolderReader, lists: string[][]): Promise<Set<string>> {
    const ids = [...new Set(lists.flat())]
    if (ids.length === 0) return new Set()
    return findReadableIds(db, reader, ids)
  }

  /** @returns whether a workspace may use an agent. */
  async function usableAmong(organizationId: string, lists: string[][]) {
    const ids = [...new Set(lists.flat())]
    const found = ids.length === 0 ? [] : await findVisibility(db, organizationId, ids)
    const agents = new Map(found.map((agent) => [agent.id, agent]))
    return (workspaceId: string) => (id: string) => {
      const agent = agents.get(id)
      return agent !== undefined && (agent.visibility !== 'private' || agent.workspace_id === workspaceId)
    }
  }

  return {
    async ofAgents(reader: FolderReader, agents: AgentRecord[]): Promise<AgentRecord[]> {
      const readable = await readableAmong(
        reader,
        agents.map(({ knowledgeBaseIds }) => knowledgeBaseIds),
      )
      const usable = await usableAmong(
        reader.organizationId,
        agents.map(({ subAgentIds }) => subAgentIds),
      )
      return agents.map((agent) => ({
        ...agent,
        knowledgeBaseIds: agent.knowledgeBaseIds.filter((id) => readable.has(id)),
        subAgentIds: agent.subAgentIds.filter(usable(agent.workspaceId)),
      }))
    },

    /** A key that was bound stays so, also where nothing is left of what it was bound to. */
    async ofScopes(
      { organizationId, workspaceId, rightsHolderId }: FolderReader & { workspaceId: string },
      scopes: (KeyScopes | null)[],
    ): Promise<(KeyScopes | null)[]> {
      const readable = await readableAmong(
        { organizationId, workspaceId, rightsHolderId },
        scopes.map((one) => one?.knowledge_base_ids ?? []),
      )
      const usable = (
        await usableAmong(
          organizationId,
          scopes.map((one) => one?.agent_ids ?? []),
        )
      )(workspaceId)
      return scopes.map((one) => {
        if (!one) return null
        const { agent_ids, knowledge_base_ids } = one
        return {
          ...one,
          ...(agent_ids && { agent_ids: agent_ids.filter(usable) }),
          ...(knowledge_base_ids && { knowledge_base_ids: knowledge_base_ids.filter((id) => readable.has(id)) }),
        }
      })
    },
  }
}
