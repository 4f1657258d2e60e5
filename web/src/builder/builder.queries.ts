import type {
  AgentLink,
  CreateAgentLink,
  CreateJob,
  CreateShortcut,
  FinishMcpLogin,
  GivenOpenApiTools,
  Job,
  McpServer,
  ModelCheck,
  Shortcut,
} from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent, queryClient } from '../access/access.ts'

/** Page size of jobs and shortcuts: more than anybody makes by hand. */
const ALL = { page_size: 100 }

export const checkModel = (model: string | null): Promise<ModelCheck> =>
  docent().models.check({ model }, { timeoutMs: 45_000 })

const jobsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['jobs', agentId],
    queryFn: async () => (await docent().agents.jobs.list(agentId, ALL)).jobs,
  })

export const useJobs = (agentId: string) => useQuery(jobsQuery(agentId))

/** Reads the jobs from the server, past the cache. @throws DocentError */
export const readJobs = (agentId: string): Promise<Job[]> =>
  queryClient.fetchQuery({ ...jobsQuery(agentId), staleTime: 0 })

/** @param id null to create one */
export async function saveJob(agentId: string, id: string | null, fields: CreateJob): Promise<Job> {
  const { jobs } = docent().agents
  const job = id === null ? await jobs.create(agentId, fields) : await jobs.update(agentId, id, fields)
  await queryClient.invalidateQueries(jobsQuery(agentId))
  return job
}

export async function deleteJob(agentId: string, id: string): Promise<void> {
  await docent().agents.jobs.delete(agentId, id)
  await Promise.all([queryClient.invalidateQueries(jobsQuery(agentId)), refreshShortcuts(agentId)])
}

const shortcutsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['shortcuts', agentId],
    queryFn: async () => (await docent().agents.shortcuts.list(agentId, ALL)).shortcuts,
  })
const refreshShortcuts = (agentId: string) => queryClient.invalidateQueries(shortcutsQuery(agentId))

export const useShortcuts = (agentId: string) => useQuery(shortcutsQuery(agentId))

/** Reads the shortcuts from the server, past the cache. @throws DocentError */
export const readShortcuts = (agentId: string): Promise<Shortcut[]> =>
  queryClient.fetchQuery({ ...shortcutsQuery(agentId), staleTime: 0 })

/** @param id null to create one */
export async function saveShortcut(agentId: string, id: string | null, fields: CreateShortcut): Promise<Shortcut> {
  const { shortcuts } = docent().agents
  const shortcut = id === null ? await shortcuts.create(agentId, fields) : await shortcuts.update(agentId, id, fields)
  await refreshShortcuts(agentId)
  return shortcut
}

export async function deleteShortcut(agentId: string, id: string): Promise<void> {
  await docent().agents.shortcuts.delete(agentId, id)
  await refreshShortcuts(agentId)
}

const linksQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['links', agentId],
    queryFn: async () => (await docent().agents.links.list(agentId, ALL)).links,
  })

export const useLinks = (agentId: string) => useQuery(linksQuery(agentId))

/** Whether a link works depends on the agent's visibility, too. */
export const refreshLinks = (agentId: string) => queryClient.invalidateQueries(linksQuery(agentId))

/** @param id null to create one */
export async function saveLink(agentId: string, id: string | null, fields: CreateAgentLink): Promise<AgentLink> {
  const { links } = docent().agents
  const link = id === null ? await links.create(agentId, fields) : await links.update(agentId, id, fields)
  await refreshLinks(agentId)
  return link
}

export async function deleteLink(agentId: string, id: string): Promise<void> {
  await docent().agents.links.delete(agentId, id)
  await refreshLinks(agentId)
}

/** Tools that an MCP server offers, by the draft's configuration, saved or not. */
export const useMcpCheck = (agentId: string, server: McpServer, isEnabled: boolean) => {
  const { tools: _, ...definition } = server
  return useQuery({
    queryKey: ['mcp-check', agentId, definition],
    queryFn: ({ signal }) => docent().agents.mcpServers.check(agentId, { server: definition }, { signal }),
    enabled: isEnabled,
    staleTime: 60_000,
  })
}

/** Begins the login at an MCP server. @returns the page to go to */
export const connectMcp = async (agentId: string, url: string): Promise<string> =>
  (await docent().agents.mcpServers.connect(agentId, url)).authorization_url

export async function finishMcpConnect(agentId: string, query: FinishMcpLogin): Promise<void> {
  await docent().agents.mcpServers.finishConnect(agentId, query)
  await refreshMcpChecks(agentId)
}

export async function disconnectMcp(agentId: string, url: string): Promise<void> {
  await docent().agents.mcpServers.disconnect(agentId, url)
  await refreshMcpChecks(agentId)
}

const refreshMcpChecks = (agentId: string) => queryClient.invalidateQueries({ queryKey: ['mcp-check', agentId] })

/** Operations of an API, by the draft's configuration, saved or not. */
export const useApiCheck = (agentId: string, api: GivenOpenApiTools, isEnabled: boolean) => {
  const { operations: _, auth: __, ...source } = api
  return useQuery({
    queryKey: ['api-check', agentId, source],
    queryFn: ({ signal }) => docent().agents.openApiTools.check(agentId, { source }, { signal }),
    enabled: isEnabled,
    staleTime: 60_000,
  })
}
