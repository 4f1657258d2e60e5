import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { outlineFolders } from '../../drive/drive.ts'
import type { Models } from '../../platform/models/models.ts'
import { findAgentOf, listAgentOutlines } from '../agent/agents.store.ts'
import { DEFAULT_LIMITS } from '../agent/limits.ts'
import type { LiveLists } from '../agent/live-lists.ts'
import { listJobs } from '../jobs/jobs.store.ts'
import { listShortcuts } from '../shortcuts/shortcuts.store.ts'
import { TOOL_NAMES } from '../tools/builtin-tools.ts'

const MOST_FOLDERS = 300
const MOST_AGENTS = 100
const ALL = { limit: 100, offset: 0 }

export interface ConfigurationOptions {
  db: Db
  models: Models
  liveLists: LiveLists
  /** Purpose of each built-in tool. */
  toolDescriptions: () => Record<string, string>
}

export type Configuration = ReturnType<typeof createConfiguration>

/** Configuration of an agent for somebody who helps to set it up. Secrets of its servers are not in it. */
export function createConfiguration({ db, models, liveLists, toolDescriptions }: ConfigurationOptions) {
  return {
    async of(reader: FolderReader & { workspaceId: string }, agentId: string) {
      const { organizationId } = reader
      const offered = await models.of(reader)
      const stored = await findAgentOf(db, organizationId, agentId)
      const [agent] = await liveLists.ofAgents(reader, [stored!])
      const { jobs } = await listJobs(db, organizationId, agentId, ALL)
      const { shortcuts } = await listShortcuts(db, organizationId, agentId, ALL)
      const folders = await outlineFolders(db, reader, MOST_FOLDERS)
      const agents = await listAgentOutlines(db, reader)
      const { maxSteps, maxTokens, maxSeconds, maxToolOutputCharacters } = agent!.limits
      return {
        agent: {
          name: agent!.name,
          description: agent!.description,
          instructions: agent!.instructions,
          model: agent!.model ?? `null, which stands for ${offered.defaultModelId}`,
          knowledge_base_ids: agent!.knowledgeBaseIds,
          tools: agent!.tools,
          tools_needing_approval: agent!.toolsNeedingApproval,
          sub_agent_ids: agent!.subAgentIds,
          mcp_servers: agent!.mcpServers.map(({ name, url, tools }) => ({ name, url, tools })),
          openapi_tools: agent!.openApiTools.map(({ name, title, operations }) => ({ name, title, operations })),
          limits: {
            max_steps: maxSteps,
            max_tokens: maxTokens,
            max_seconds: maxSeconds,
            max_tool_output_characters: maxToolOutputCharacters,
          },
          visibility: agent!.visibility,
          jobs: jobs.map(({ name, instructions, tools }) => ({ name, instructions, tools })),
          shortcuts: shortcuts.map(({ name, prompt, fields }) => ({ name, prompt, fields })),
        },
        default_limits: DEFAULT_LIMITS,
        tools: Object.fromEntries(TOOL_NAMES.map((name) => [name, toolDescriptions()[name] ?? ''])),
        models: offered.suggestions(),
        folders: folders.map(({ id, name, parentId }) => ({ id, name, parent_id: parentId })),
        other_agents: agents
          .filter(({ id }) => id !== agentId)
          .slice(0, MOST_AGENTS)
          .map(({ id, name, description }) => ({ id, name, description })),
      }
    },
  }
}
