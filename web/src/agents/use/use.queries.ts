import type { AgentUse } from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent, isVisitor, queryClient } from '../../access/access.ts'
import { refreshAgents } from '../agents.queries.ts'
import { type AgentEntry, entriesOf, idsOf } from './use-words.ts'

/** Rights of members and groups to an agent. */
export interface AgentRights extends AgentUse {
  entries: AgentEntry[]
}

const rightsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agent-use', agentId],
    async queryFn(): Promise<AgentRights> {
      const { agents } = docent()
      const [use, editors] = await Promise.all([agents.use.get(agentId), agents.editors.get(agentId)])
      return { ...use, entries: entriesOf(use, editors) }
    },
  })

export const useAgentRights = (agentId: string) => useQuery({ ...rightsQuery(agentId), enabled: !isVisitor() })

/** Replaces the rights of members and groups, and reads them again. */
export async function saveAgentRights(agentId: string, everyone: boolean, entries: AgentEntry[]): Promise<void> {
  const { agents } = docent()
  const users = everyone ? {} : idsOf(entries, 'use')
  try {
    await agents.editors.set(agentId, idsOf(entries, 'change'))
    await agents.use.set(agentId, { everyone, ...users })
  } finally {
    await Promise.all([queryClient.invalidateQueries({ queryKey: ['agent-use', agentId] }), refreshAgents()])
  }
}
