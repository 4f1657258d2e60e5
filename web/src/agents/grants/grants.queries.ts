import type { AgentGrants, SetAgentGrants } from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent, isVisitor, queryClient, useMe } from '../../access/access.ts'
import { refreshAgents } from '../agents.queries.ts'

export type NewGrants = SetAgentGrants['grants']

const grantsQuery = (agentId: string) =>
  queryOptions({ queryKey: ['agent-grants', agentId], queryFn: () => docent().agents.grants.get(agentId) })

/** Rights of members and groups to an agent. */
export const useAgentGrants = (agentId: string) => useQuery({ ...grantsQuery(agentId), enabled: !isVisitor() })

/** Rights to an agent, asked for only by people, whose chats are their own. */
export function useThreadReaders(agentId: string) {
  const isPerson = Boolean(useMe().data?.member)
  return useQuery({ ...grantsQuery(agentId), enabled: isPerson && !isVisitor() })
}

/** Replaces all grants of an agent. */
export async function saveAgentGrants(agentId: string, grants: NewGrants): Promise<AgentGrants> {
  const saved = await docent().agents.grants.set(agentId, grants)
  queryClient.setQueryData(grantsQuery(agentId).queryKey, saved)
  await refreshAgents()
  return saved
}

/** Grants as they are sent, without the names. */
export const toRequest = (grants: NewGrants): NewGrants => grants.map(({ kind, id, level }) => ({ kind, id, level }))
