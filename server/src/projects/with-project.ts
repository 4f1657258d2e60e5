import { type AgentRecord, KNOWLEDGE_TOOLS } from '../agents/agents.ts'
import type { ReadableProject } from './projects.access.ts'

/**
 * The agent as it answers in a chat of a project: it also reads the project's folder, unless the question names folders,
 * and follows the project's instructions after its own.
 */
export function withProject(agent: AgentRecord, project: ReadableProject): AgentRecord {
  const { instructions, name, folderId } = project
  const text = instructions.trim()
  const parts = [agent.instructions.trim(), text && `# From the project "${name}"\n\n${text}`]
  const instructed = { ...agent, instructions: parts.filter(Boolean).join('\n\n') }
  if (agent.onlyFolderIds) return instructed
  const { allowedTools, tools, knowledgeBaseIds } = agent
  const readers = KNOWLEDGE_TOOLS.filter((tool) => !tools.includes(tool) && (allowedTools?.includes(tool) ?? true))
  return {
    ...instructed,
    tools: [...tools, ...readers],
    knowledgeBaseIds: [...new Set([...knowledgeBaseIds, folderId])],
  }
}
