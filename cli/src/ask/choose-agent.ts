import type { Agent, Docent } from '@docent/sdk'
import { findAgent } from '../agents/find-agent.ts'
import { notFound } from '../failures.ts'

/** How the names of agents begin that were made for a folder of the command line. */
const OURS = 'Command line: '

/**
 * The agent to ask: the one that is named, which then answers from the folder too; else the one that was made for the
 * folder, or is made now; else, without a folder, the newest that somebody set up.
 * @throws CommandError
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
  throw notFound('There is no agent yet: name the files to answer from')
}

async function namedAgent(client: Docent, name: string, folderId: string | undefined): Promise<Agent> {
  const agent = await findAgent(client, name)
  if (!folderId || agent.knowledge_base_ids.includes(folderId)) return agent
  return client.agents.update(agent.id, { knowledge_base_ids: [...agent.knowledge_base_ids, folderId] })
}

async function agentOfFolder(client: Docent, folderId: string, name: string): Promise<Agent> {
  const { agents } = await client.agents.list({ search: name, page_size: 100 })
  const known = agents.find((agent) => agent.name === name && agent.knowledge_base_ids.includes(folderId))
  return known ?? client.agents.create({ name, knowledge_base_ids: [folderId] })
}
