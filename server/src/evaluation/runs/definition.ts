import { hash } from 'node:crypto'
import type { AgentRecord } from '../../agents/agents.ts'

/** Fields of an agent by which it answers, as they were when a run began. */
export interface Definition
  extends Pick<
    AgentRecord,
    | 'name'
    | 'description'
    | 'instructions'
    | 'model'
    | 'knowledgeBaseIds'
    | 'filters'
    | 'tools'
    | 'subAgentIds'
    | 'toolsNeedingApproval'
    | 'limits'
  > {
  /** Servers and APIs by name and address: what is sealed of them stays with the agent. */
  servers: string[]
}

export function definitionOf(agent: AgentRecord): Definition {
  const { name, description, instructions, model, knowledgeBaseIds, filters, tools } = agent
  const { subAgentIds, toolsNeedingApproval, limits, mcpServers, openApiTools } = agent
  return {
    name,
    description,
    instructions,
    model,
    knowledgeBaseIds,
    filters,
    tools,
    subAgentIds,
    toolsNeedingApproval,
    limits,
    servers: [
      ...mcpServers.map((server) => `${server.name} ${server.url ?? server.command}`),
      ...openApiTools.map((api) => `${api.name} ${api.url ?? api.title}`),
    ],
  }
}

/** Digest by which two runs of the same definition are known. */
export const versionOf = (definition: Definition): string => hash('sha256', JSON.stringify(definition)).slice(0, 12)

/** Names of the fields, as the API has them, that differ between two definitions. */
export function changedFields(before: Definition, after: Definition): string[] {
  const names: Record<keyof Definition, string> = {
    name: 'name',
    description: 'description',
    instructions: 'instructions',
    model: 'model',
    knowledgeBaseIds: 'knowledge_base_ids',
    filters: 'filters',
    tools: 'tools',
    subAgentIds: 'sub_agent_ids',
    toolsNeedingApproval: 'tools_needing_approval',
    limits: 'limits',
    servers: 'mcp_servers',
  }
  return (Object.keys(names) as (keyof Definition)[])
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => names[field])
}

/**
 * The agent as it was when the run began, held to what it may read now: folders that were taken from it since are not
 * read, and its present filter counts, too.
 */
export function agentAtStart(live: AgentRecord, { servers: _, ...then }: Definition): AgentRecord {
  const isSame = JSON.stringify(live.filters) === JSON.stringify(then.filters)
  const narrowed = live.filters === null || isSame ? {} : { onlyFilters: [live.filters] }
  const knowledgeBaseIds = then.knowledgeBaseIds.filter((id) => live.knowledgeBaseIds.includes(id))
  return { ...live, ...then, knowledgeBaseIds, ...narrowed }
}
