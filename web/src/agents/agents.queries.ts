import type { Agent, CreateAgent, UpdateAgent } from '@docent/sdk'
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { docent, isVisitor, queryClient } from '../access/access.ts'

const allAgents = infiniteQueryOptions({
  queryKey: ['agents'],
  queryFn: ({ pageParam }) => docent().agents.list({ page: pageParam, page_size: 100 }),
  initialPageParam: 1,
  getNextPageParam: (last) => (last.has_more ? last.page + 1 : undefined),
  select: ({ pages }) => pages.flatMap((page) => page.agents),
})

const agentById = (id: string) => queryOptions({ queryKey: ['agent', id], queryFn: () => docent().agents.get(id) })

/** Agents, newest first. */
export const useAgents = () => useInfiniteQuery(allAgents)

/** Names of these agents by id; those that are gone or not for the reader have none. */
export const useAgentNames = (ids: string[]): ReadonlyMap<string, string> =>
  useQueries({
    queries: ids.map(agentById),
    combine: (found) => new Map(found.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
  })

export const useAgent = (id: string) => useQuery(agentById(id))

const models = queryOptions({ queryKey: ['models'], queryFn: () => docent().models.list(), staleTime: 60_000 })

/** Models that agents can use, for those who may choose them. */
export const useModels = (isEnabled = true) => useQuery({ ...models, enabled: isEnabled })

/** Model that an agent answers with, and what it can do. */
export const useAgentModel = (id: string, isEnabled = true) =>
  useQuery({
    queryKey: ['agent-model', id],
    queryFn: () => docent().agents.model(id),
    staleTime: 60_000,
    enabled: isEnabled && !isVisitor(),
  })

/** Reads models again after their providers or the choices of the workspace have changed. */
export const refreshModels = () =>
  Promise.all([['models'], ['agent-model']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

export const createAgent = async (fields: CreateAgent): Promise<Agent> => keep(await docent().agents.create(fields))

export const updateAgent = async (id: string, changes: UpdateAgent): Promise<Agent> =>
  keep(await docent().agents.update(id, changes))

async function keep(agent: Agent): Promise<Agent> {
  queryClient.setQueryData(agentById(agent.id).queryKey, agent)
  await Promise.all([refreshAgents(), queryClient.invalidateQueries({ queryKey: ['agent-model', agent.id] })])
  return agent
}

export async function deleteAgent(id: string): Promise<void> {
  await docent().agents.delete(id)
  queryClient.removeQueries({ queryKey: ['agent', id] })
  await refreshAgents()
}

export const refreshAgents = () => queryClient.invalidateQueries({ queryKey: ['agents'] })
