import type { Agent, Docent } from '@docent/sdk'
import { DocentError } from '@docent/sdk'

/** There is no agent that could answer; the message says what to do about it. */
export class NoAgentError extends Error {
  override name = 'NoAgentError'
}

/** How the names of agents begin that were made for a folder of the command line. */
const OURS = 'Command line: '

/**
 * The agent to ask: the one that is named, which then answers from the folder too; else the one that was made for the
 * folder, or is made now; else, without a folder, the newest that somebody set up.
 * @throws NoAgentError
 */
export async function chooseAgent(
  client: Docent,
  { agentId, folderId, name }: { agentId?: string; folderId?: string; name?: string },
): Promise<Agent> {
  if (agentId) return namedAgent(client, agentId, folderId)
  if (folderId) return agentOfFolder(client, folderId, `${OURS}${name}`.slice(0, 256))
  const { agents } = await client.agents.list({ page_size: 100 })
  const newest = agents.find((agent) => !agent.name.startsWith(OURS)) ?? agents[0]
  if (newest) return newest
  throw new NoAgentError('There is no agent yet: name the files to answer from')
}

async function namedAgent(client: Docent, agentId: string, folderId: string | undefined): Promise<Agent> {
  try {
    const agent = await client.agents.get(agentId)
    if (!folderId || agent.knowledge_base_ids.includes(folderId)) return agent
    return await client.agents.update(agentId, { knowledge_base_ids: [...agent.knowledge_base_ids, folderId] })
  } catch (error) {
    if (error instanceof DocentError && error.code === 'AGENT_NOT_FOUND')
      throw new NoAgentError(`There is no agent ${agentId}`)
    throw error
  }
}

async function agentOfFolder(client: Docent, folderId: string, name: string): Promise<Agent> {
  const { agents } = await client.agents.list({ search: name, page_size: 100 })
  const known = agents.find((agent) => agent.name === name && agent.knowledge_base_ids.includes(folderId))
  return known ?? client.agents.create({ name, knowledge_base_ids: [folderId] })
}
